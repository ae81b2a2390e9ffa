//! Stored frames → keyframes, one track per number that changes.
//!
//! Numbers are interpolated linearly and angles never wrap. Visibility and z-order hold until the next key.

use std::collections::HashMap;

use super::joints::{Joint, Moves};
use super::schema::{self, Animation, Keyframe};
use super::visuals::Drawn;
use super::{number, vec2};
use crate::error::{Place, Result};
use crate::formats::keyframes::{kept, steps};
use crate::formats::stored::{Local, SlotState, Stored, distinct};
use crate::limits::Budget;
use crate::math::angle::wrap_turn;
use crate::model::{AnimationId, BoneId};

/// The animated numbers of a bone, in the order of [`numbers`].
const ELEMENTS: [&str; 5] = ["PositionX", "PositionY", "Rotation", "ScaleX", "ScaleY"];
/// Maximum distance of the interpolated keys from the stored frames. Errors add up along a chain of bones, but not
/// for roots without children, whose tolerance is larger.
const TOLERANCES: [f64; 5] = [1e-4, 1e-4, 2e-6, 1e-6, 1e-6];
const TOLERANCES_ALONE: [f64; 5] = [5e-3, 5e-3, 1e-5, 1e-5, 1e-5];
const HIDDEN: &str = "Hidden";
const ZINDEX: &str = "Zindex";

/// The written numbers of a bone: pixels, radians and scale factors.
pub fn numbers(local: &Local) -> [f64; 5] {
    let Local { translation, rotation, scale } = local;
    [translation.x, translation.y, rotation.to_radians(), scale.x, scale.y]
}

/// Writes animations.
pub struct Writer<'a, 'b> {
    pub stored: &'a Stored<'a>,
    pub joints: &'a [Joint],
    /// Setup transforms, by joint.
    pub rest: &'a [Local],
    pub drawn: &'a [Drawn<'a>],
    /// Bone index of the first of `drawn`; the others have the next indices.
    pub first_drawn: usize,
    pub states: &'a [SlotState],
    pub budget: &'a mut Budget<'b>,
}

/// Upper bound on the size of a key and its JSON text in bytes.
const KEY_BYTES: usize = 320;

/// Charges keys. Meshes on one bone each get that bone's keys, so a small file can become a large one.
fn charge(budget: &mut Budget<'_>, keys: usize) -> Result<()> {
    budget.charge_memory(keys as u64, KEY_BYTES, || Place::inside("animations"))
}

impl Writer<'_, '_> {
    /// Converts every animation.
    pub fn animations(mut self) -> Result<Vec<Animation<'static>>> {
        let ids = self.stored.animations();
        let names = distinct(ids.iter().map(|&id| self.stored.model.animation(id).name.as_str()), "animation");
        let written = ids.into_iter().zip(names).enumerate();
        written.map(|(id, (animation, name))| self.animation(id, animation, name)).collect()
    }

    fn animation(&mut self, id: usize, animation: AnimationId, name: String) -> Result<Animation<'static>> {
        let mut keyframes = Vec::new();
        let mut posed = self.posed_tracks(animation)?;
        for (bone, posed) in posed.iter_mut().enumerate() {
            let track = match self.joints[bone].moves {
                Moves::Stored(stored) => self.continuous(bone, self.stored.locals(animation, stored)),
                Moves::World(_) | Moves::Vertices(..) | Moves::Fixed(_) => std::mem::take(posed),
            };
            let tolerances = match self.joints[bone].moves {
                Moves::World(_) | Moves::Vertices(..) => TOLERANCES_ALONE,
                Moves::Stored(_) | Moves::Fixed(_) => TOLERANCES,
            };
            for (element, (name, tolerance)) in ELEMENTS.into_iter().zip(tolerances).enumerate() {
                let values: Vec<[f64; 1]> = track.iter().map(|local| [numbers(local)[element]]).collect();
                let rest = numbers(&self.rest[bone])[element];
                if values.iter().any(|[value]| (value - rest).abs() > tolerance) {
                    let frames = kept(&values, [tolerance], [f64::INFINITY]);
                    charge(self.budget, frames.len())?;
                    keyframes.extend(frames.into_iter().map(|frame| key(frame, bone, name, values[frame][0])));
                }
            }
        }
        self.slot_keys(animation, &mut keyframes)?;
        self.hold_to_the_end(animation, &mut keyframes);
        keyframes.sort_by_key(|key| key.frame);
        link(&mut keyframes);
        // SkelForm's frame rates are integers.
        let fps = schema::Whole(self.stored.model.animation(animation).fps().max(1.0).floor() as f32);
        Ok(Animation { name, id, fps, keyframes })
    }

    /// Makes the angles of a joint continuous, from its rest pose on.
    fn continuous(&self, joint: usize, locals: impl Iterator<Item = Local>) -> Vec<Local> {
        let mut before = self.rest[joint].rotation;
        let turned = |mut local: Local| {
            local.rotation = before + wrap_turn(local.rotation - before);
            before = local.rotation;
            local
        };
        locals.map(turned).collect()
    }

    /// The transforms of the joints that depend on the pose of several bones, in every frame; empty for the others,
    /// which may be many.
    fn posed_tracks(&mut self, animation: AnimationId) -> Result<Vec<Vec<Local>>> {
        let is_posed = |joint: &Joint| matches!(joint.moves, Moves::World(_) | Moves::Vertices(..));
        let mut tracks: Vec<Vec<Local>> = vec![Vec::new(); self.joints.len()];
        let (posed, frames) =
            (self.joints.iter().filter(|joint| is_posed(joint)).count(), self.stored.frame_count(animation));
        if posed == 0 {
            return Ok(tracks);
        }
        let place = || Place::inside("animations");
        self.budget.charge_memory(posed as u64 * frames as u64, 2 * size_of::<Local>(), place)?;
        for frame in 0..frames {
            let locals: Vec<Local> = self.stored.frame(animation, frame).collect();
            let world = self.stored.compose(locals.iter().copied());
            for (joint, track) in self.joints.iter().zip(&mut tracks).filter(|(joint, _)| is_posed(joint)) {
                track.push(joint.moves.local(self.stored, &locals, &world));
            }
        }
        let continuous = |(joint, track): (usize, Vec<Local>)| self.continuous(joint, track.into_iter());
        Ok(tracks.into_iter().enumerate().map(continuous).collect())
    }

    fn slot_keys(&mut self, animation: AnimationId, keyframes: &mut Vec<Keyframe<'static>>) -> Result<()> {
        let mut keys_of: HashMap<Option<BoneId>, Vec<(usize, &'static str, f64)>> = HashMap::new();
        for (drawn, bone) in self.drawn.iter().zip(self.first_drawn..) {
            let rest = &self.states[drawn.slot];
            let owner = self.stored.model.slots()[drawn.slot].bone;
            let keys = keys_of.entry(owner).or_insert_with(|| {
                let states = self.stored.states(animation, owner);
                let hidden: Vec<bool> = states.iter().map(|state| !state.is_visible).collect();
                let orders: Vec<i16> = states.iter().map(|state| state.z_order).collect();
                let hide = |frame| (frame, HIDDEN, if hidden[frame] { 1.0 } else { 0.0 });
                let order = |frame| (frame, ZINDEX, f64::from(orders[frame]));
                let hides = steps(&hidden, &!rest.is_visible).into_iter().map(hide);
                hides.chain(steps(&orders, &rest.z_order).into_iter().map(order)).collect()
            });
            let keys = &*keys;
            charge(self.budget, keys.len())?;
            keyframes.extend(keys.iter().map(|&(frame, element, value)| key(frame, bone, element, value)));
        }
        Ok(())
    }

    /// Adds a key at the last frame, because an animation lasts until its last key. The key repeats the last
    /// value.
    fn hold_to_the_end(&self, animation: AnimationId, keyframes: &mut Vec<Keyframe<'static>>) {
        let Some(last) = self.stored.frame_count(animation).checked_sub(1) else { return };
        let (Some(rest), element) = (self.rest.first(), ELEMENTS[0]) else { return };
        if keyframes.iter().any(|key| key.frame == last) {
            return;
        }
        let known = keyframes.iter().rfind(|key| key.bone_id == 0 && key.element == element);
        let value = match known {
            Some(key) => f64::from(key.value.0),
            None => {
                keyframes.push(key(0, 0, element, numbers(rest)[0]));
                numbers(rest)[0]
            }
        };
        if last > 0 {
            keyframes.push(key(last, 0, element, value));
        }
    }
}

/// A key with a linear segment to the next. It is exactly linear because the handles are at thirds.
fn key(frame: usize, bone: usize, element: &'static str, value: f64) -> Keyframe<'static> {
    Keyframe {
        frame,
        bone_id: bone as i64,
        element,
        value: number(value),
        value_str: "",
        start_handle: vec2(1.0 / 3.0, 1.0 / 3.0),
        end_handle: vec2(2.0 / 3.0, 2.0 / 3.0),
        next_kf: -1,
        handle_preset: "Linear",
    }
}

/// Links every key to the next one of its bone and element.
pub fn link(keyframes: &mut [Keyframe<'_>]) {
    let mut next: HashMap<(i64, &str), usize> = HashMap::new();
    for (at, key) in keyframes.iter_mut().enumerate().rev() {
        key.next_kf = next.insert((key.bone_id, key.element), at).map_or(-1, |next| next as i64);
    }
}
