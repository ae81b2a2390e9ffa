//! Timelines of animations, and how their values are mixed into the pose.

use super::keys::{Spot, last_before, locate};
use super::{Blend, Curve, Keys, Moment, Posing, Rig, Scratch, set_order, set_tint, show};
use crate::math::angle::wrap_turn;
use crate::math::{DVec2, Vec2, dvec2};
use crate::model::{AttachmentId, Tint};
use crate::motion::{Direction, Mix};
use crate::pose::{DeformSpan, Pose, SlotPose};

/// A keyed value of an animation. Bones, slots and constraints are indices.
#[derive(Debug, Clone)]
pub(crate) enum Timeline {
    /// Degrees, added to the rest pose.
    Rotate(u32, Keys<1>),
    /// Pixels, added to the rest pose.
    Translate(u32, Keys<2>),
    /// Factors, multiplied with the rest pose.
    Scale(u32, Keys<2>),
    /// Degrees, added to the rest pose.
    Shear(u32, Keys<2>),
    /// Names of attachments.
    Attachment(u32, StepKeys<Option<u32>>),
    /// Light colour.
    Color(u32, Keys<4>),
    /// Light and dark colour.
    TwoColor(u32, Keys<7>),
    /// Mix and softness, and switches.
    Ik(u32, Keys<2>, Vec<Switches>),
    /// Four mixes.
    Transform(u32, Keys<4>),
    /// Position on the path.
    PathPosition(u32, Keys<1>),
    /// Spacing of the bones.
    PathSpacing(u32, Keys<1>),
    /// Two mixes.
    PathMix(u32, Keys<2>),
    /// Shapes of one attachment, and of those that use its deformation.
    Deform(u32, DeformKeys),
    /// Slots back to front; `None`: as at rest.
    DrawOrder(StepKeys<Option<Box<[u32]>>>),
}

/// Stepped keys: each value applies from its time on.
#[derive(Debug, Clone, Default)]
pub(crate) struct StepKeys<T> {
    /// Times in seconds, ascending.
    pub times: Vec<f32>,
    /// One value per time.
    pub values: Vec<T>,
}

/// The switches of inverse kinematics.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Switches {
    pub bends_positive: bool,
    pub compresses: bool,
    pub stretches: bool,
}

/// Keys of a deformation.
#[derive(Debug, Clone)]
pub(crate) struct DeformKeys {
    /// The deformed attachment.
    pub attachment: AttachmentId,
    /// Number of its influences.
    pub len: u32,
    /// Times in seconds, ascending.
    pub times: Vec<f32>,
    /// Interpolation from each key to the next.
    pub curves: Vec<Curve>,
    /// For each key, the first number that it changes, and its range in `numbers`.
    pub parts: Vec<(u32, std::ops::Range<u32>)>,
    /// x and y of one influence after the other.
    pub numbers: Vec<f32>,
}

impl Blend {
    /// Returns true if the current value is replaced completely.
    fn is_whole(self) -> bool {
        self.alpha == 1.0
    }
}

/// Mixes a number. `value` is the keyed value, `None` before the first key.
#[inline]
fn mixed(now: f64, setup: f64, value: Option<f64>, blend: Blend) -> f64 {
    let toward = |from: f64, to: f64| from + (to - from) * blend.alpha;
    match (value, blend.mix) {
        (Some(value), Mix::Setup) => toward(setup, value),
        (Some(value), Mix::First | Mix::Replace | Mix::Fade) => toward(now, value),
        // The value is relative to the rest pose.
        (Some(value), Mix::Add) => now + (value - setup) * blend.alpha,
        (None, Mix::Setup) => setup,
        (None, Mix::First) => toward(now, setup),
        (None, Mix::Replace | Mix::Add | Mix::Fade) => now,
    }
}

/// Like [`mixed`] for values that are replaced instead of added.
#[inline]
fn replaced(now: f64, setup: f64, value: Option<f64>, mut blend: Blend) -> f64 {
    if blend.mix == Mix::Add {
        blend.mix = Mix::Replace;
    }
    mixed(now, setup, value, blend)
}

fn mixed_pair(now: DVec2, setup: DVec2, value: Option<DVec2>, blend: Blend) -> DVec2 {
    let part = |at: usize| mixed(now[at], setup[at], value.map(|value| value[at]), blend);
    dvec2(part(0), part(1))
}

/// Mixes a scale factor: on the way out it keeps its current sign, on the way in it gets that of the key.
fn mixed_scale(now: f64, setup: f64, value: Option<f64>, blend: Blend) -> f64 {
    let Some(value) = value.filter(|_| !blend.is_whole()) else { return mixed(now, setup, value, blend) };
    let from = if blend.mix == Mix::Setup { setup } else { now };
    match (blend.mix, blend.direction) {
        (Mix::Add, Direction::In) => {
            let sign = signum(value);
            now.abs() * sign + (value - setup.abs() * sign) * blend.alpha
        }
        (Mix::Add, Direction::Out) => now + (value.abs() * signum(now) - setup) * blend.alpha,
        (Mix::Setup | Mix::First | Mix::Replace | Mix::Fade, direction) => {
            let (from, to) = match direction {
                Direction::In => (from.abs() * signum(value), value),
                Direction::Out => (from, value.abs() * signum(from)),
            };
            from + (to - from) * blend.alpha
        }
    }
}

/// Returns -1, 0 or 1.
fn signum(value: f64) -> f64 {
    if value == 0.0 { 0.0 } else { value.signum() }
}

/// The new state of a switch: another value, that of the rest pose, or unchanged.
enum Change<T> {
    To(T),
    ToRest,
    Nothing,
}

/// Switches change at their keys, but not on the way out.
fn switched<T>(value: Option<T>, blend: Blend) -> Change<T> {
    match (value, blend.mix, blend.direction) {
        (_, Mix::Setup, Direction::Out) => Change::ToRest,
        (_, Mix::First | Mix::Replace | Mix::Add | Mix::Fade, Direction::Out) => Change::Nothing,
        (Some(value), _, Direction::In) => Change::To(value),
        (None, Mix::Setup | Mix::First, Direction::In) => Change::ToRest,
        (None, Mix::Replace | Mix::Add | Mix::Fade, Direction::In) => Change::Nothing,
    }
}

impl Timeline {
    /// Applies the timeline at a time.
    pub(super) fn apply(&self, moment: Moment<'_>, posing: &mut Posing<'_>) {
        let Moment { beziers, time, blend, .. } = moment;
        let Posing { rig, model, scratch, pose } = posing;
        match self {
            Self::Rotate(bone, keys) => {
                let bone = *bone as usize;
                if scratch.is_active[bone] {
                    let value = rotation_of(keys, keys.locate(beziers, time));
                    let rotation = rotated(bone, rig.bones[bone].setup.rotation, value, moment, scratch);
                    scratch.local[bone].rotation = rotation;
                }
            }
            Self::Translate(bone, keys) => {
                let bone = *bone as usize;
                if scratch.is_active[bone] {
                    let (setup, now) = (rig.bones[bone].setup.translation, &mut scratch.local[bone].translation);
                    *now = mixed_pair(*now, setup, pair(keys, moment).map(|value| value + setup), blend);
                }
            }
            Self::Shear(bone, keys) => {
                let bone = *bone as usize;
                if scratch.is_active[bone] {
                    let (setup, now) = (rig.bones[bone].setup.shear, &mut scratch.local[bone].shear);
                    *now = mixed_pair(*now, setup, pair(keys, moment).map(|value| value + setup), blend);
                }
            }
            Self::Scale(bone, keys) => {
                let bone = *bone as usize;
                if scratch.is_active[bone] {
                    let (setup, now) = (rig.bones[bone].setup.scale, &mut scratch.local[bone].scale);
                    let value = pair(keys, moment).map(|value| value * setup);
                    let part = |at: usize| mixed_scale(now[at], setup[at], value.map(|value| value[at]), blend);
                    *now = dvec2(part(0), part(1));
                }
            }
            Self::Attachment(slot, keys) => {
                let slot = *slot as usize;
                if scratch.is_active[rig.slots[slot].bone] {
                    let shown = match switched(keys.at(time), blend) {
                        Change::To(key) => key.and_then(|key| scratch.attachments[key as usize]),
                        Change::ToRest => rig.setup_attachment(slot, scratch),
                        Change::Nothing => return,
                    };
                    show(&mut pose.slots[slot], shown);
                }
            }
            Self::Color(slot, keys) => {
                let slot = *slot as usize;
                if scratch.is_active[rig.slots[slot].bone] {
                    let setup = &model.slots()[slot].tint;
                    tint(&mut pose.slots[slot].tint, setup, keys, moment);
                }
            }
            Self::TwoColor(slot, keys) => {
                let slot = *slot as usize;
                if scratch.is_active[rig.slots[slot].bone] {
                    let setup = &model.slots()[slot].tint;
                    tint(&mut pose.slots[slot].tint, setup, keys, moment);
                }
            }
            Self::Ik(constraint, keys, switches) => {
                let constraint = *constraint as usize;
                replace_values(
                    &mut scratch.constraints[constraint].values[0..],
                    &rig.constraints[constraint].setup.values[0..],
                    keys,
                    moment,
                );
                let setup = &rig.constraints[constraint].setup;
                let now = &mut scratch.constraints[constraint];
                let key = last_before(&keys.times, time).map(|at| switches[at]);
                let change = match (key, blend.mix) {
                    // Before the first key, numbers change towards the rest pose, and switches are reset to it.
                    (None, Mix::First) => Change::ToRest,
                    _ => switched(key, blend),
                };
                let switches = match change {
                    Change::To(switches) => switches,
                    Change::ToRest => Switches {
                        bends_positive: setup.bends_positive,
                        compresses: setup.compresses,
                        stretches: setup.stretches,
                    },
                    Change::Nothing => return,
                };
                now.bends_positive = switches.bends_positive;
                now.compresses = switches.compresses;
                now.stretches = switches.stretches;
            }
            Self::Transform(constraint, keys) => {
                replace_values(
                    &mut scratch.constraints[*constraint as usize].values[0..],
                    &rig.constraints[*constraint as usize].setup.values[0..],
                    keys,
                    moment,
                );
            }
            Self::PathPosition(constraint, keys) => {
                replace_values(
                    &mut scratch.constraints[*constraint as usize].values[0..],
                    &rig.constraints[*constraint as usize].setup.values[0..],
                    keys,
                    moment,
                );
            }
            Self::PathSpacing(constraint, keys) => {
                replace_values(
                    &mut scratch.constraints[*constraint as usize].values[1..],
                    &rig.constraints[*constraint as usize].setup.values[1..],
                    keys,
                    moment,
                );
            }
            Self::PathMix(constraint, keys) => {
                replace_values(
                    &mut scratch.constraints[*constraint as usize].values[2..],
                    &rig.constraints[*constraint as usize].setup.values[2..],
                    keys,
                    moment,
                );
            }
            Self::Deform(slot, keys) => keys.apply(*slot as usize, moment, posing),
            Self::DrawOrder(keys) => {
                let last = last_before(&keys.times, time).map(|at| keys.values[at].as_deref());
                match switched(last, blend) {
                    Change::To(order) => set_order(pose, order, rig.slots.len()),
                    Change::ToRest => set_order(pose, None, rig.slots.len()),
                    Change::Nothing => {}
                }
            }
        }
    }
}

impl Timeline {
    /// Resets the value to the rest pose, unless applying the timeline always sets it.
    pub(super) fn reset(&self, posing: &mut Posing<'_>) {
        let Posing { rig, model, scratch, pose } = posing;
        let bone = |bone: u32| bone as usize;
        match self {
            Self::Rotate(at, _) => scratch.local[bone(*at)].rotation = rig.bones[bone(*at)].setup.rotation,
            Self::Translate(at, _) => {
                scratch.local[bone(*at)].translation = rig.bones[bone(*at)].setup.translation
            }
            Self::Scale(at, _) => scratch.local[bone(*at)].scale = rig.bones[bone(*at)].setup.scale,
            Self::Shear(at, _) => scratch.local[bone(*at)].shear = rig.bones[bone(*at)].setup.shear,
            Self::Color(slot, _) | Self::TwoColor(slot, _) => {
                pose.slots[*slot as usize].tint = model.slots()[*slot as usize].tint;
            }
            Self::Ik(at, ..) | Self::Transform(at, _) => {
                scratch.constraints[*at as usize] = rig.constraints[*at as usize].setup;
            }
            Self::PathPosition(at, _) => reset_value(scratch, rig, *at, 0..1),
            Self::PathSpacing(at, _) => reset_value(scratch, rig, *at, 1..2),
            Self::PathMix(at, _) => reset_value(scratch, rig, *at, 2..4),
            Self::Deform(slot, keys) => {
                let state = &mut pose.slots[*slot as usize];
                if keys.deform_shown(state, rig) {
                    state.deform = DeformSpan::NONE;
                }
            }
            Self::DrawOrder(_) => set_order(pose, None, rig.slots.len()),
            Self::Attachment(..) => {}
        }
    }
}

fn reset_value(scratch: &mut Scratch, rig: &Rig, constraint: u32, values: std::ops::Range<usize>) {
    let setup = &rig.constraints[constraint as usize].setup.values;
    scratch.constraints[constraint as usize].values[values.clone()].copy_from_slice(&setup[values]);
}

impl<T: Copy> StepKeys<T> {
    fn at(&self, time: f64) -> Option<T> {
        last_before(&self.times, time).map(|at| self.values[at])
    }
}

fn pair(keys: &Keys<2>, moment: Moment<'_>) -> Option<DVec2> {
    match keys.locate(moment.beziers, moment.time) {
        Spot::Before => None,
        Spot::At(at, share) => Some(DVec2::from_array(keys.value(at, share))),
    }
}

/// Returns a rotation, interpolated the short way round. The last key is not wrapped.
#[inline]
fn rotation_of(keys: &Keys<1>, spot: Spot) -> Option<f64> {
    let Spot::At(at, share) = spot else { return None };
    let from = f64::from(keys.values[at][0]);
    let Some(next) = keys.values.get(at + 1) else { return Some(from) };
    Some(wrap_turn(from + wrap_turn(f64::from(next[0]) - from) * share))
}

/// Mixes a rotation, the short way round. `value` is relative to the rest pose.
#[inline]
fn rotated(bone: usize, setup: f64, value: Option<f64>, moment: Moment<'_>, scratch: &mut Scratch) -> f64 {
    let Moment { blend, kept, from_rest, .. } = moment;
    let now = scratch.local[bone].rotation;
    let target = match (value, blend.mix) {
        (Some(value), Mix::Setup) => return setup + value * blend.alpha,
        (Some(value), Mix::Add) => return now + value * blend.alpha,
        (Some(value), Mix::First | Mix::Replace | Mix::Fade) => setup + value,
        (None, Mix::Setup) => return setup,
        (None, Mix::First) => setup,
        (None, Mix::Replace | Mix::Add | Mix::Fade) => return now,
    };
    if blend.is_whole() {
        return if from_rest { target } else { now + wrap_turn(target - now) };
    }
    let short = wrap_turn(target - now);
    match kept {
        Some((id, timeline)) => {
            let total = scratch.turning.way(id, timeline, short);
            wrap_turn(now + total * blend.alpha)
        }
        _ => now + short * blend.alpha,
    }
}

fn tint<const N: usize>(now: &mut Tint, setup: &Tint, keys: &Keys<N>, moment: Moment<'_>) {
    let Moment { beziers, time, blend, .. } = moment;
    match keys.locate(beziers, time) {
        Spot::At(at, share) => {
            if blend.mix == Mix::Setup && !blend.is_whole() {
                *now = *setup;
            }
            set_tint(now, &keys.value(at, share), blend.alpha);
        }
        Spot::Before => match blend.mix {
            Mix::Setup => *now = *setup,
            Mix::First => {
                let [r, g, b] = setup.dark.unwrap_or_default().map(f64::from);
                let [light_r, light_g, light_b, a] = setup.light.map(f64::from);
                set_tint(now, &[light_r, light_g, light_b, a, r, g, b][..N.min(7)], blend.alpha);
            }
            Mix::Replace | Mix::Add | Mix::Fade => {}
        },
    }
}

/// Mixes the values of a constraint.
fn replace_values<const N: usize>(now: &mut [f64], setup: &[f64], keys: &Keys<N>, moment: Moment<'_>) {
    let Moment { beziers, time, blend, .. } = moment;
    let value = match keys.locate(beziers, time) {
        Spot::Before => None,
        Spot::At(at, share) => Some(keys.value(at, share)),
    };
    for (index, (now, setup)) in now.iter_mut().zip(setup).enumerate().take(N) {
        *now = replaced(*now, *setup, value.map(|value| value[index]), blend);
    }
}

impl DeformKeys {
    /// Deforms the slot if it shows the keyed attachment.
    fn apply(&self, slot: usize, moment: Moment<'_>, posing: &mut Posing<'_>) {
        let Moment { beziers, time, blend, .. } = moment;
        let Posing { rig, scratch, pose, .. } = posing;
        if !scratch.is_active[rig.slots[slot].bone] {
            return;
        }
        let room = DeformSpan { first: rig.slots[slot].deform, count: self.len };
        let Pose { slots, deform, .. } = &mut **pose;
        let state = &mut slots[slot];
        let is_shown = self.deform_shown(state, rig);
        let Some(all) = deform.get_mut(room.range()).filter(|_| is_shown) else { return };
        let is_deformed = state.deform.count > 0;
        let all: &mut [f32] = bytemuck::cast_slice_mut::<Vec2, f32>(all);
        let (at, share) = match locate(&self.times, &self.curves, beziers, time) {
            Spot::At(at, share) => (at, share),
            Spot::Before => {
                match blend.mix {
                    Mix::First if !blend.is_whole() && is_deformed => {
                        all.iter_mut().for_each(|now| *now -= *now * blend.alpha as f32);
                    }
                    Mix::Setup | Mix::First => state.deform = DeformSpan::NONE,
                    Mix::Replace | Mix::Add | Mix::Fade => {}
                }
                return;
            }
        };
        // Start from the rest pose if nothing has deformed it yet.
        if !is_deformed || blend.mix == Mix::Setup {
            all.fill(0.0);
        }
        let alpha = blend.alpha as f32;
        if blend.mix != Mix::Add && (is_deformed && blend.mix != Mix::Setup) {
            all.iter_mut().for_each(|now| *now -= *now * alpha);
        }
        let share = share as f32;
        self.add(at, if share == 0.0 { alpha } else { alpha * (1.0 - share) }, all);
        if share != 0.0 && at + 1 < self.times.len() {
            self.add(at + 1, alpha * share, all);
        }
        state.deform = room;
    }

    /// Returns true if the slot shows the keyed attachment.
    fn deform_shown(&self, slot: &SlotPose, rig: &Rig) -> bool {
        slot.attachment.is_some_and(|shown| rig.deformed_as[shown.index()] == self.attachment)
    }

    /// Adds a share of a key.
    fn add(&self, at: usize, share: f32, all: &mut [f32]) {
        let (first, range) = &self.parts[at];
        let numbers = self.numbers.get(range.start as usize..range.end as usize).unwrap_or_default();
        let room = all.get_mut(*first as usize..).unwrap_or_default();
        room.iter_mut().zip(numbers).for_each(|(now, number)| *now += number * share);
    }
}
