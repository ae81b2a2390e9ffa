//! Evaluation: [`Motion`] and a [`Cue`] → a [`Pose`]. It is pure: the same cue gives the same pose, in any order.
//!
//! [`evaluate`] computes a single pose. An [`Evaluator`] reuses its memory from pose to pose. [`Dynamics`] adds
//! what depends on earlier poses: physics and smoothing.
//!
//! Parses nothing, accesses no files and reads no clock.

#[cfg_attr(
    not(feature = "animate"),
    allow(
        dead_code,
        unused_imports,
        reason = "every build plays every kind of motion; only the reader makes most of it"
    )
)]
pub(crate) mod animate;
mod bone_curve;
mod constraint_overrides;
mod cue;
mod cycle;
mod dynamics;
mod evaluator;
mod event;
mod first_animation;
mod flipbook;
mod forces;
mod keys;
mod lifetime;
mod loop_gap;
mod misfit;
mod overrides;
mod overview;
mod prepared_for;
mod rest;
mod sampled;
mod scratch;
#[cfg_attr(
    not(feature = "skelform"),
    allow(
        dead_code,
        unused_imports,
        reason = "every build plays every kind of motion; only the reader makes most of it"
    )
)]
pub(crate) mod skelform;
mod slot_overrides;
#[cfg_attr(
    not(feature = "spine"),
    allow(
        dead_code,
        unused_imports,
        reason = "every build plays every kind of motion; only the reader makes most of it"
    )
)]
pub(crate) mod spine;
mod stage;
mod work;

pub use animate::Animate;
pub use bone_curve::{BoneCurve, BonePoint, bone_curve, curve_positions};
pub(crate) use constraint_overrides::Setting;
pub use constraint_overrides::{ConstraintOverride, ConstraintSettings};
pub use cue::{Cue, Direction, Fade, Instant, Layer, Mix, Position};
pub(crate) use cue::{Holder, Played, finite};
pub use cycle::Cycle;
#[cfg(feature = "convert")]
pub(crate) use cycle::bone_distance;
pub use dynamics::Dynamics;
pub(crate) use dynamics::{Passing, StepClock, Swinging};
pub use evaluator::Evaluator;
pub use event::{FiredEvent, Span};
pub use first_animation::first_animation;
pub use flipbook::Flipbook;
pub use forces::Forces;
pub(crate) use keys::for_each_channel;
pub use keys::{KeyChannel, KeyRow, KeyRun, KeyTarget, KeyTimes, keys};
pub use lifetime::Lifetime;
pub use loop_gap::{LoopGap, loop_gap, loop_gap_in};
pub use overrides::{BoneOverride, BonePlace};
pub use overview::Overview;
pub use rest::{bone_length, constraint_notes, constraint_settings, inheritance, labels_in, layer_of, symbol_of};
pub(crate) use rest::{bone_position, rest_position, settings_of};
#[cfg(any(feature = "convert", feature = "gpu"))]
pub(crate) use sampled::BoneSample;
pub use sampled::Sampled;
pub(crate) use sampled::SampledAnimation;
pub use skelform::SkelForm;
pub use slot_overrides::{DrawPlace, SlotOverride};
pub use spine::Spine;
pub(crate) use spine::{Chains, QueuesAfter, Rules};
pub use stage::{Actor, Stage};
pub use work::PoseWork;

use crate::character::Character;
use crate::model::{AnimationId, BoneId, ConstraintKind, ConstraintTarget, SkinId, SlotId};
use crate::pose::Pose;
use scratch::Scratch;

/// The motion of a character, in the terms of its format. Every build has every variant.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Motion {
    /// A transform per bone and stored frame.
    Sampled(Sampled),
    /// A sequence of pictures.
    Flipbook(Flipbook),
    /// Keys, curves and constraints.
    Spine(Spine),
    /// Keys, chains, and bones that inherit rotation and scale separately.
    SkelForm(SkelForm),
    /// Symbols with timelines, nested.
    Animate(Animate),
    /// Several characters.
    Stage(Stage),
}

impl Default for Motion {
    /// Returns motion without frames.
    fn default() -> Self {
        Self::Sampled(Sampled::default())
    }
}

/// Evaluates `character` at `cue` into `pose`. Pure: the same cue gives the same pose. Allocates working memory for each
/// call: use an [`Evaluator`] for several poses.
///
/// ```
/// # use pchr::{Character, motion::{Cue, Position, evaluate}, pose::Pose};
/// let knight = Character::open("assets/paper-knight.pchr")?;
/// let animation = knight.model().find_animation("walk");
/// let cue = Cue { animation, position: Position::Seconds(0.25), interpolate: true, ..Cue::default() };
/// let mut pose = Pose::default();
/// evaluate(&knight, &cue, &mut pose);
/// assert_eq!(pose.world_from_bone.len(), knight.model().skeleton().bones().len());
/// # Ok::<(), pchr::Error>(())
/// ```
///
/// # Panics
///
/// Panics if `cue` contains an animation that `character` does not have.
#[track_caller]
pub fn evaluate(character: &Character, cue: &Cue, pose: &mut Pose) {
    evaluate_in(&mut Scratch::default(), character, cue, None, pose);
}

/// Like [`evaluate`], in existing working memory. With `ids`, which identify the playbacks of the layers, the pose
/// continues from the previous one, as in the players of the format.
#[track_caller]
fn evaluate_in(scratch: &mut Scratch, character: &Character, cue: &Cue, ids: Option<&[u64]>, pose: &mut Pose) {
    let model = character.model();
    cue.expect_of(model);
    scratch.slots_before.take_back(pose);
    match character.motion() {
        Motion::Sampled(sampled) => sampled.evaluate(model, cue, &mut scratch.order_keys, pose),
        Motion::Flipbook(flipbook) => flipbook.evaluate(model, cue, pose),
        Motion::Spine(spine) => spine.evaluate(model, cue, ids, Swinging::Off, &mut scratch.spine, pose),
        Motion::SkelForm(skelform) => skelform.evaluate(model, cue, &mut scratch.skelform, pose),
        Motion::Animate(animate) => animate.evaluate(model, cue, pose),
        Motion::Stage(stage) => stage.evaluate(cue, &mut scratch.cast, pose),
    }
    scratch.finish(cue, model, pose);
}

/// Returns true if `character` has physics, which [`Dynamics`] simulates.
pub fn has_physics(character: &Character) -> bool {
    match character.motion() {
        Motion::Sampled(_) | Motion::Flipbook(_) | Motion::Animate(_) => false,
        Motion::Spine(spine) => spine.has_physics(),
        Motion::SkelForm(skelform) => skelform.has_physics(),
        Motion::Stage(stage) => stage.has_physics(),
    }
}

/// Returns true if `character` has physics and programs simulate it: if that was `chosen`, or without a choice by
/// default for its format. Spine characters are authored with physics, so it is on by default for them.
///
/// An [`Animator`](crate::Animator) simulates physics of every format until
/// [`set_physics`](crate::Animator::set_physics) disables it.
pub fn plays_physics(character: &Character, chosen: Option<bool>) -> bool {
    let is_default = match character.motion() {
        // Of a stage, it is chosen for each character.
        Motion::Spine(_) | Motion::Stage(_) => true,
        Motion::Sampled(_) | Motion::Flipbook(_) | Motion::SkelForm(_) | Motion::Animate(_) => false,
    };
    chosen.unwrap_or(is_default) && has_physics(character)
}

/// Returns true if the frames of `character` depend on the rate that it was read with,
/// [`ReadOptions::fps`](crate::formats::ReadOptions): frames of keyed motion are counted at that rate, and
/// pictures without durations are shown at it.
pub fn takes_rate(character: &Character) -> bool {
    match character.motion() {
        // They store their frame rate.
        Motion::Sampled(_) | Motion::SkelForm(_) | Motion::Animate(_) => false,
        Motion::Flipbook(flipbook) => !flipbook.is_timed(),
        Motion::Spine(_) => true,
        Motion::Stage(stage) => stage.cast().iter().any(|actor| takes_rate(&actor.character)),
    }
}

/// Returns true if animations of `character` can be mixed: cross-faded, weighted and played over each other. Of stored
/// frames and sprite sheets, only one animation is shown at a time; see [`Cue::layers`].
pub fn mixes_animations(character: &Character) -> bool {
    match character.motion() {
        Motion::Sampled(_) | Motion::Flipbook(_) | Motion::Animate(_) | Motion::Stage(_) => false,
        Motion::Spine(_) | Motion::SkelForm(_) => true,
    }
}

/// Returns the skins that are always active, below the skins of a [`Cue`]. Later skins override earlier ones.
pub fn default_skins(character: &Character) -> &[SkinId] {
    match character.motion() {
        Motion::Sampled(_) | Motion::Flipbook(_) | Motion::Animate(_) | Motion::Stage(_) => &[],
        Motion::Spine(spine) => spine.rig.default_skin.as_slice(),
        Motion::SkelForm(skelform) => skelform.default_skins(),
    }
}

/// Returns the skins to put on if the user has not chosen any, in the order of [`Cue::skins`]; none if the character is
/// dressed without them. [`evaluate`] does not apply them by itself.
///
/// They are needed if more than half of the slots that find the attachment of their setup pose find it only in skins other
/// than the default one. The skin that fills most of these slots is put on, the first of the file in a tie. If it fills
/// less than half of them, others are added in file order: each only if it fills a slot that is still empty, and one from
/// each folder of names. If no slot has an attachment in the setup pose and the default skin is empty, every attachment
/// counts.
pub fn initial_skins(character: &Character) -> Vec<SkinId> {
    match character.motion() {
        Motion::Sampled(_) | Motion::Flipbook(_) | Motion::Animate(_) | Motion::Stage(_) => Vec::new(),
        Motion::Spine(spine) => spine.rig.initial_skins(character.model()),
        // The file declares which of its styles are active.
        Motion::SkelForm(_) => Vec::new(),
    }
}

/// Returns true if the order of skins in the file decides which skin overrides another (the first one wins),
/// instead of the order in [`Cue::skins`].
pub fn ranks_skins(character: &Character) -> bool {
    match character.motion() {
        Motion::Sampled(_) | Motion::Flipbook(_) | Motion::Spine(_) | Motion::Animate(_) | Motion::Stage(_) => {
            false
        }
        Motion::SkelForm(_) => true,
    }
}

/// Returns the slots of each draw order folder of `animation`: keys of a folder change only the order among its slots.
///
/// # Panics
///
/// Panics if `character` does not have `animation`.
#[track_caller]
pub fn draw_order_folders(character: &Character, animation: AnimationId) -> Vec<Vec<SlotId>> {
    character.model().animation(animation);
    match character.motion() {
        Motion::Spine(spine) => spine.draw_order_folders(animation),
        Motion::Sampled(_) | Motion::Flipbook(_) | Motion::SkelForm(_) | Motion::Animate(_) | Motion::Stage(_) => {
            Vec::new()
        }
    }
}

/// Returns the targets of inverse kinematics, each once, in the order in which their constraints are applied.
/// Moving one with a [`BoneOverride`] moves the bones that reach for it.
pub fn ik_targets(character: &Character) -> Vec<BoneId> {
    let iks = character.model().constraints().iter().filter(|constraint| constraint.kind == ConstraintKind::Ik);
    let targets = iks.filter_map(|constraint| match constraint.target {
        Some(ConstraintTarget::Bone(bone)) => Some(bone),
        Some(ConstraintTarget::Slot(_)) | None => None,
    });
    let mut found = Vec::new();
    for bone in targets {
        if !found.contains(&bone) {
            found.push(bone);
        }
    }
    found
}

/// Calls `visit` for each event that `animation` fires in `span`, in order.
///
/// # Panics
///
/// Panics if `character` does not have `animation`.
#[track_caller]
pub fn for_each_event<'a>(
    character: &'a Character,
    animation: AnimationId,
    span: Span,
    mut visit: impl FnMut(FiredEvent<'a>),
) {
    for_each_event_index(character, animation, span, |index| {
        if let Some(fired) = fired_event(character, animation, index) {
            visit(fired);
        }
    });
}

/// Like [`for_each_event`], but passes the index of each event key in the animation.
#[track_caller]
pub(crate) fn for_each_event_index(
    character: &Character,
    animation: AnimationId,
    span: Span,
    visit: impl FnMut(u32),
) {
    character.model().animation(animation);
    match character.motion() {
        Motion::Spine(spine) => spine.events_in(character.model(), animation, span, visit),
        // Only Spine has events.
        Motion::Sampled(_) | Motion::Flipbook(_) | Motion::SkelForm(_) | Motion::Animate(_) | Motion::Stage(_) => {
        }
    }
}

/// Returns the event key at `index` of the animation.
pub(crate) fn fired_event(character: &Character, animation: AnimationId, index: u32) -> Option<FiredEvent<'_>> {
    match character.motion() {
        Motion::Spine(spine) => spine.event(character.model(), animation, index),
        Motion::Sampled(_) | Motion::Flipbook(_) | Motion::SkelForm(_) | Motion::Animate(_) | Motion::Stage(_) => {
            None
        }
    }
}

/// Returns the rules by which animations replace each other on tracks. Formats without rules of their own have those of
/// Spine 4.2, in which an animation that was never shown is dropped.
pub(crate) fn track_rules(character: &Character) -> Rules {
    match character.motion() {
        Motion::Spine(spine) => spine.rig.rules,
        Motion::Sampled(_) | Motion::Flipbook(_) | Motion::SkelForm(_) | Motion::Animate(_) | Motion::Stage(_) => {
            Rules::V4_2
        }
    }
}

/// Returns for each layer whether it has lost all effect, if another one has replaced it.
pub(crate) fn spent(character: &Character, chains: &mut Chains, layers: &[Layer]) -> impl Iterator<Item = bool> {
    let spine = match character.motion() {
        Motion::Spine(spine) => {
            chains.decide(spine, layers);
            Some(spine)
        }
        // One is shown at a time, or none keeps values.
        Motion::Sampled(_) | Motion::Flipbook(_) | Motion::SkelForm(_) | Motion::Animate(_) | Motion::Stage(_) => {
            None
        }
    };
    let chains = &*chains;
    (0..layers.len()).map(move |at| spine.is_none_or(|spine| chains.is_spent(&spine.rig.rules, layers, at)))
}
