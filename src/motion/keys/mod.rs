//! The list of what is keyed in an animation, for every format: rows of a target and a channel with their keys.
//!
//! Motion that stores every frame, or shows nested symbols, has a key in each frame in which a value changes, and in frame 0
//! if it ever does.

mod stored;
mod times;

pub use times::{KeyRun, KeyTimes};

use std::collections::BTreeMap;

use super::Motion;
use crate::character::Character;
use crate::model::{AnimationId, AttachmentId, BoneId, ConstraintId, SlotId};
use crate::rows::named;

/// The keys of one channel of one target.
#[derive(Debug)]
pub struct KeyRow {
    /// What is animated.
    pub target: KeyTarget,
    /// Its animated property.
    pub channel: KeyChannel,
    /// The keys, at least one.
    pub times: KeyTimes,
}

/// What keys animate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KeyTarget {
    /// A bone.
    Bone(BoneId),
    /// A slot.
    Slot(SlotId),
    /// A constraint.
    Constraint(ConstraintId),
    /// All physics constraints that take part in common keys.
    AllPhysics,
    /// The order in which slots are drawn.
    DrawOrder,
    /// The events that the animation fires.
    Events,
}

named! {
    /// An animated property. Some formats key the components of a pair separately.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum KeyChannel {
        /// Rotation of a bone.
        Rotation => "Rotation",
        /// Offset of a bone from its parent.
        Translation => "Translation",
        /// Horizontal offset.
        TranslationX => "Translation X",
        /// Vertical offset.
        TranslationY => "Translation Y",
        /// Scale of a bone.
        Scale => "Scale",
        /// Scale along the x axis.
        ScaleX => "Scale X",
        /// Scale along the y axis.
        ScaleY => "Scale Y",
        /// Shear of a bone.
        Shear => "Shear",
        /// Shear of the x axis.
        ShearX => "Shear X",
        /// Shear of the y axis.
        ShearY => "Shear Y",
        /// What a bone inherits from its parent.
        Inherit => "Inherit",
        /// The frame that a nested symbol shows, where it does not just play on.
        Frame => "Frame",
        /// Whether a bone is visible, with its slots.
        Visibility => "Visibility",
        /// The attachment that a slot shows.
        Attachment => "Attachment",
        /// Colour of a slot.
        Color => "Colour",
        /// Opacity of a slot.
        Alpha => "Alpha",
        /// Shape of an attachment.
        Deform(AttachmentId) => "Deform",
        /// Picture of an attachment that has several.
        Sequence(AttachmentId) => "Sequence",
        /// Mix, softness and bend direction of inverse kinematics.
        Ik => "IK",
        /// Mixes of a transform constraint.
        Mix => "Mix",
        /// Position on a path.
        PathPosition => "Position",
        /// Spacing along a path.
        PathSpacing => "Spacing",
        /// Mixes of a path constraint.
        PathMix => "Path mix",
        /// Values of a physics constraint.
        Physics => "Physics",
        /// Restart of a physics constraint.
        PhysicsReset => "Physics reset",
        /// Time in the animation of a slider.
        SliderTime => "Time",
        /// The draw order.
        DrawOrder => "Draw order",
        /// Fired events.
        Events => "Events",
    }
    /// Returns the name in English, such as `Rotation`.
    fn name;
}

/// Returns what is keyed in `animation`: a row for each channel of each target, sorted by target and channel. Targets
/// are in the order of the model: bones, slots, constraints, then the draw order and events.
///
/// Of stored frames every value is compared: keep the result.
///
/// ```
/// # use pchr::{Character, motion::{KeyTarget, keys}};
/// let lamp = Character::open("assets/paper-lamp.json")?;
/// let hop = lamp.model().find_animation("hop").expect("the lamp can hop");
/// let rows = keys(&lamp, hop);
/// let bones = rows.iter().filter(|row| matches!(row.target, KeyTarget::Bone(_))).count();
/// assert!(bones > 0);
/// let first_key = rows[0].times.runs()[0].first;
/// assert_eq!(lamp.model().animation(hop).seconds_at(first_key), 0.25);
/// # Ok::<(), pchr::Error>(())
/// ```
///
/// # Panics
///
/// Panics if `character` does not have `animation`.
#[track_caller]
pub fn keys(character: &Character, animation: AnimationId) -> Vec<KeyRow> {
    let model = character.model();
    let timing = model.animation(animation);
    let mut list = KeyList::default();
    match character.motion() {
        Motion::Sampled(sampled) => sampled.list_keys(model, animation, &mut list),
        Motion::Flipbook(flipbook) => flipbook.list_keys(model, animation, &mut list),
        Motion::Spine(spine) => spine.list_keys(animation, timing.fps(), &mut list),
        Motion::SkelForm(skelform) => skelform.list_keys(animation, &mut list),
        Motion::Animate(animate) => animate.list_keys(animation, &mut list),
        Motion::Stage(_) => {}
    }
    list.finish()
}

/// Calls `visit` with each target and channel that `animation` has keys for; with some more than once. Stored frames key
/// every bone. Nothing is allocated.
#[track_caller]
pub(crate) fn for_each_channel(
    character: &Character,
    animation: AnimationId,
    mut visit: impl FnMut(KeyTarget, KeyChannel),
) {
    let model = character.model();
    model.animation(animation);
    match character.motion() {
        Motion::Sampled(_) | Motion::Animate(_) => {
            for bone in model.skeleton().bone_ids() {
                stored::CHANNELS.into_iter().for_each(|channel| visit(KeyTarget::Bone(bone), channel));
            }
            visit(KeyTarget::DrawOrder, KeyChannel::DrawOrder);
        }
        Motion::Flipbook(_) => {
            for slot in model.slot_ids() {
                visit(KeyTarget::Slot(slot), KeyChannel::Attachment);
            }
        }
        Motion::Spine(spine) => spine.for_each_channel(animation, visit),
        Motion::SkelForm(skelform) => skelform.for_each_channel(animation, visit),
        Motion::Stage(_) => {}
    }
}

/// The rows found so far. A row may be found in several parts.
#[derive(Default)]
pub(super) struct KeyList {
    parts: BTreeMap<(KeyTarget, KeyChannel), Vec<KeyTimes>>,
}

impl KeyList {
    /// Adds keys of a row.
    pub fn add(&mut self, target: KeyTarget, channel: KeyChannel, times: KeyTimes) {
        if !times.is_empty() {
            self.parts.entry((target, channel)).or_default().push(times);
        }
    }

    fn finish(self) -> Vec<KeyRow> {
        let row = |((target, channel), mut parts): ((KeyTarget, KeyChannel), Vec<KeyTimes>)| {
            let times = match parts.pop() {
                Some(only) if parts.is_empty() => only,
                last => KeyTimes::union(parts.iter().chain(&last)),
            };
            KeyRow { target, channel, times }
        };
        self.parts.into_iter().map(row).collect()
    }
}
