//! Timelines of animations, and what they change of the pose.

use std::slice;

use super::keys::{Share, Spot, Time, last_before};
use super::mix::{Blend, added, exchanged, mixed, mixed_scale, mixed_towards, switched};
use super::turning::Turning;
use super::{
    BoneLocal, ConstraintPose, Inherit, Keys, Moment, PhysicsValue, Posing, Rig, Rules, Scratch, SequenceKeys,
    Slider, Stored, Turns, set_order,
};
use crate::math::angle::wrap_turn;
use crate::math::{DVec2, Vec2, dvec2};
use crate::model::{AttachmentId, BoneId, SlotId, Tint};
use crate::motion::Mix;
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
    /// One component of the above.
    Axis(u32, Axis, Keys<1>),
    /// What the bone inherits.
    Inherit(u32, StepKeys<Inherit>),
    /// Names of attachments.
    Attachment(u32, StepKeys<Option<u32>>),
    /// Light colour.
    Color(u32, Keys<4>),
    /// Light and dark colour.
    TwoColor(u32, Keys<7>),
    /// Light colour without alpha.
    Rgb(u32, Keys<3>),
    /// Alpha.
    Alpha(u32, Keys<1>),
    /// Light and dark colour without alpha.
    Rgb2(u32, Keys<6>),
    /// Mix and softness, and switches.
    Ik(u32, Keys<2>, Vec<Switches>),
    /// Six mixes.
    Transform(u32, Keys<6>),
    /// Position on the path.
    PathPosition(u32, Keys<1>),
    /// Spacing of the bones.
    PathSpacing(u32, Keys<1>),
    /// Three mixes.
    PathMix(u32, Keys<3>),
    /// Time of a slider.
    SliderTime(u32, Keys<1>),
    /// Mix of a slider.
    SliderMix(u32, Keys<1>),
    /// One value of a physics constraint; `None`: of all that take part.
    Physics(Option<u32>, PhysicsValue, Keys<1>),
    /// Shapes of one attachment, and of attachments that use its deformation.
    Deform(u32, DeformKeys),
    /// Pictures of one attachment.
    Sequence(u32, SequenceKeys),
    /// Slots back to front; `None`: as at rest.
    DrawOrder(StepKeys<Option<Box<[u32]>>>),
    /// Some slots, and their order among each other; `None`: as at rest.
    Folder(Box<[u32]>, StepKeys<Option<Box<[u32]>>>),
}

/// One component of a bone's local pose, in the order of their numbers among the values of a bone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Axis {
    TranslateX,
    TranslateY,
    ScaleX,
    ScaleY,
    ShearX,
    ShearY,
}

impl Axis {
    /// The component of a pose.
    fn of(self, local: &mut BoneLocal) -> &mut f64 {
        match self {
            Self::TranslateX => &mut local.translation.x,
            Self::TranslateY => &mut local.translation.y,
            Self::ScaleX => &mut local.scale.x,
            Self::ScaleY => &mut local.scale.y,
            Self::ShearX => &mut local.shear.x,
            Self::ShearY => &mut local.shear.y,
        }
    }

    fn is_scale(self) -> bool {
        matches!(self, Self::ScaleX | Self::ScaleY)
    }
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
    /// Their times and curves.
    pub keys: Keys<0>,
    /// For each key, the first number that it changes, and its range in `numbers`.
    pub parts: Vec<(u32, std::ops::Range<u32>)>,
    /// x and y of one influence after the other.
    pub numbers: Vec<f32>,
}

/// Applies timelines at a time, one after the other. `first` is the index of the first one in its animation.
pub(super) fn apply(first: usize, timelines: &[Timeline], moment: &Moment<'_>, posing: &mut Posing<'_>) {
    for (index, timeline) in (first..).zip(timelines) {
        timeline.apply(index, moment, posing);
    }
}

impl Timeline {
    #[inline(always)]
    fn apply(&self, index: usize, moment: &Moment<'_>, posing: &mut Posing<'_>) {
        let &Moment { stored, time, blend, .. } = moment;
        let Posing { rig, scratch, pose, .. } = posing;
        match self {
            Self::Rotate(bone, keys) => keys.rotate(*bone as usize, index, moment, rig, scratch),
            Self::Translate(bone, keys) => {
                keys.change(*bone as usize, moment, rig, scratch, |local, rest, value| {
                    local.translation = mixed(
                        local.translation,
                        rest.translation,
                        value.map(|value| value + rest.translation),
                        blend,
                    );
                });
            }
            Self::Shear(bone, keys) => {
                keys.change(*bone as usize, moment, rig, scratch, |local, rest, value| {
                    local.shear = mixed(local.shear, rest.shear, value.map(|value| value + rest.shear), blend);
                });
            }
            Self::Scale(bone, keys) => {
                keys.change(*bone as usize, moment, rig, scratch, |local, rest, value| {
                    let (now, setup, value) = (local.scale, rest.scale, value.map(|value| value * rest.scale));
                    let part = |at: usize| {
                        mixed_scale(now[at], setup[at], value.map(|value| value[at]), blend, &rig.rules)
                    };
                    local.scale =
                        if blend.is_whole() { mixed(now, setup, value, blend) } else { dvec2(part(0), part(1)) };
                });
            }
            Self::Axis(bone, axis, keys) => {
                let bone = *bone as usize;
                if scratch.is_active[bone] {
                    let mut setup = rig.rest[bone];
                    let (setup, now) = (*axis.of(&mut setup), axis.of(&mut scratch.local[bone]));
                    let value = keys.at(stored, time).map(|[value]| value);
                    *now = if axis.is_scale() {
                        mixed_scale(*now, setup, value.map(|value| value * setup), blend, &rig.rules)
                    } else {
                        mixed(*now, setup, value.map(|value| value + setup), blend)
                    };
                }
            }
            Self::Inherit(bone, keys) => {
                let bone = *bone as usize;
                if scratch.is_active[bone] {
                    let now = &mut scratch.local[bone].inherit;
                    *now = switched(keys.at(time), rig.rest[bone].inherit, blend).unwrap_or(*now);
                }
            }
            Self::Attachment(slot, keys) => {
                let slot = *slot as usize;
                if scratch.is_active[rig.slots[slot].bone] {
                    let keyed = keys.at(time).map(|key| key.and_then(|key| scratch.attachments[key as usize]));
                    if let Some(shown) = exchanged(keyed, scratch.rest_attachments[slot], blend, &rig.rules) {
                        posing.show(slot, shown);
                    }
                }
            }
            Self::Color(slot, keys) => posing.tint(*slot, keys, [0, 1, 2, 3], moment),
            Self::TwoColor(slot, keys) => posing.tint(*slot, keys, [0, 1, 2, 3, 4, 5, 6], moment),
            Self::Rgb(slot, keys) => posing.tint(*slot, keys, [0, 1, 2], moment),
            Self::Alpha(slot, keys) => posing.tint(*slot, keys, [3], moment),
            Self::Rgb2(slot, keys) => posing.tint(*slot, keys, [0, 1, 2, 4, 5, 6], moment),
            Self::Ik(constraint, keys, switches) => {
                let constraint = *constraint as usize;
                let moment = &Moment { blend: blend.not_adding(), ..*moment };
                replace_values(scratch, rig, [constraint, 0], keys, moment);
                let ConstraintPose { bends_positive, compresses, stretches, .. } =
                    rig.constraints[constraint].setup;
                let rest = Switches { bends_positive, compresses, stretches };
                let key = last_before(keys.times(stored), time).map(|at| switches[at]);
                let changed = match (key, blend.mix) {
                    // Before the first key, numbers change towards the rest pose, and switches are reset to it.
                    (None, Mix::First) => Some(rest),
                    _ => switched(key, rest, blend),
                };
                let (Some(switches), now) = (changed, &mut scratch.constraints[constraint]) else { return };
                now.bends_positive = switches.bends_positive;
                now.compresses = switches.compresses;
                now.stretches = switches.stretches;
            }
            Self::Transform(at, keys) => replace_values(scratch, rig, [*at as usize, 0], keys, moment),
            Self::SliderTime(at, keys) => replace_values(scratch, rig, [*at as usize, Slider::TIME], keys, moment),
            Self::SliderMix(at, keys) => replace_values(scratch, rig, [*at as usize, Slider::MIX], keys, moment),
            Self::PathPosition(at, keys) => replace_values(scratch, rig, [*at as usize, 0], keys, moment),
            Self::PathSpacing(at, keys) => {
                let moment = &Moment { blend: blend.not_adding(), ..*moment };
                replace_values(scratch, rig, [*at as usize, 1], keys, moment);
            }
            Self::PathMix(at, keys) => replace_values(scratch, rig, [*at as usize, 2], keys, moment),
            Self::Physics(constraint, value, keys) => {
                let those = constraint.as_ref().map_or(&*rig.global_physics[*value as usize], slice::from_ref);
                let keyed = keys.at(stored, time);
                // A mass is replaced even by animations that are added.
                let blend = if *value == PhysicsValue::Mass { blend.not_adding() } else { blend };
                for &constraint in those {
                    replace(scratch, rig, [constraint as usize, *value as usize], keyed, blend);
                }
            }
            Self::Deform(slot, keys) => {
                let rig = posing.rig;
                rig.deformed_slots(*slot, keys.attachment).for_each(|slot| keys.apply(slot, moment, posing));
            }
            Self::Sequence(slot, keys) => posing.show_picture(*slot as usize, keys, moment),
            Self::DrawOrder(keys) => {
                keys.reorder(moment, &rig.rules, |order| set_order(pose, order, rig.slots.len()));
            }
            Self::Folder(slots, keys) => keys.reorder(moment, &rig.rules, |order| set_folder(pose, slots, order)),
        }
    }
}

/// Puts some slots into an order among each other; they share their places in the draw order.
fn set_folder(pose: &mut Pose, slots: &[u32], order: Option<&[u32]>) {
    let mut at = 0;
    for place in &mut pose.draw_order {
        if slots.contains(&(place.index() as u32)) {
            let next = order.map_or(Some(at), |order| order.get(at).map(|&next| next as usize));
            *place = next.and_then(|next| slots.get(next)).map_or(*place, |&slot| SlotId::new(slot as usize));
            at += 1;
        }
    }
}

impl<T: Copy> StepKeys<T> {
    pub(super) fn at(&self, time: Time) -> Option<T> {
        last_before(&self.times, time).map(|at| self.values[at])
    }
}

impl StepKeys<Option<Box<[u32]>>> {
    /// Calls `set` with the order of slots to change to, if any; `None`: as at rest.
    fn reorder(&self, moment: &Moment<'_>, rules: &Rules, set: impl FnOnce(Option<&[u32]>)) {
        let &Moment { time, blend, .. } = moment;
        let keyed = last_before(&self.times, time).map(|at| self.values[at].as_deref());
        let stays = keyed.is_none() && blend.mix == Mix::First && rules.leaves_early_order;
        if let Some(order) = exchanged(keyed, None, blend, rules).filter(|_| !stays) {
            set(order);
        }
    }
}

impl Timeline {
    /// Returns true if it may change something on the way out even with a strength of 0, unless it starts from the rest pose.
    pub(super) fn acts_without_strength(&self, scratch: &Scratch) -> bool {
        match self {
            // The result may be wrapped.
            Self::Rotate(bone, _) => !(-180.0..180.0).contains(&scratch.local[*bone as usize].rotation),
            Self::Translate(..) | Self::Scale(..) | Self::Shear(..) | Self::Axis(..) => false,
            Self::Color(..) | Self::TwoColor(..) | Self::Rgb(..) | Self::Alpha(..) | Self::Rgb2(..) => false,
            Self::Transform(..) | Self::PathPosition(..) | Self::PathSpacing(..) | Self::PathMix(..) => false,
            Self::SliderTime(..) | Self::SliderMix(..) | Self::Physics(..) => false,
            Self::Ik(..) | Self::Inherit(..) | Self::Attachment(..) | Self::Deform(..) => true,
            Self::Sequence(..) | Self::DrawOrder(_) | Self::Folder(..) => true,
        }
    }

    /// Returns by how much it moves a bone at a time, from rest; `None` if it does not.
    pub(super) fn translation_of(&self, bone: BoneId, stored: &Stored, time: Time) -> Option<DVec2> {
        let is_of = |at: u32| at as usize == bone.index();
        if let Self::Translate(at, keys) = self
            && is_of(*at)
        {
            return Some(keys.at(stored, time).map_or(DVec2::ZERO, DVec2::from_array));
        }
        let Self::Axis(at, axis @ (Axis::TranslateX | Axis::TranslateY), keys) = self else { return None };
        let along = if *axis == Axis::TranslateX { DVec2::X } else { DVec2::Y };
        is_of(*at).then(|| keys.at(stored, time).map_or(DVec2::ZERO, |[value]| along * value))
    }
}

impl Keys<2> {
    /// Changes a pair of values of a bone.
    #[inline(always)]
    fn change(
        &self,
        bone: usize,
        moment: &Moment<'_>,
        rig: &Rig,
        scratch: &mut Scratch,
        change: impl FnOnce(&mut BoneLocal, &BoneLocal, Option<DVec2>),
    ) {
        if scratch.is_active[bone] {
            let value = self.at(moment.stored, moment.time).map(DVec2::from_array);
            change(&mut scratch.local[bone], &rig.rest[bone], value);
        }
    }
}

impl Keys<1> {
    /// Changes the rotation of a bone.
    #[inline(always)]
    fn rotate(&self, bone: usize, index: usize, moment: &Moment<'_>, rig: &Rig, scratch: &mut Scratch) {
        if scratch.is_active[bone] {
            let value = rotation_of(self, moment, &rig.rules);
            let local = &mut scratch.local[bone];
            local.rotation =
                rotated(local.rotation, rig.rest[bone].rotation, value, index, moment, rig, &mut scratch.turning);
        }
    }
}

/// Returns a rotation. If it is interpolated the short way round, the last key is not wrapped.
#[inline]
fn rotation_of(keys: &Keys<1>, moment: &Moment<'_>, rules: &Rules) -> Option<f64> {
    let Spot::At(at, share) = keys.locate(moment.stored, moment.time) else { return None };
    let share = match share {
        Share::Of(share) if rules.turns_short_way => share,
        _ => return Some(keys.value(moment.stored, at, share)[0]),
    };
    let (&[from], rest) = keys.stated(moment.stored, at);
    let from = f64::from(from);
    let Some(next) = rest.first().filter(|_| at + 1 < keys.len as usize) else { return Some(from) };
    Some(wrap_turn(from + wrap_turn(f64::from(*next) - from) * share))
}

/// Mixes a rotation. `value` is relative to the rest pose, and of the timeline at `index`.
#[inline]
fn rotated(
    now: f64,
    setup: f64,
    value: Option<f64>,
    index: usize,
    moment: &Moment<'_>,
    rig: &Rig,
    turning: &mut Turning,
) -> f64 {
    let rules = &rig.rules;
    let &Moment { blend, turns, .. } = moment;
    if let Some(turns) = turns.filter(|_| !blend.is_whole()) {
        let from = if blend.mix == Mix::Setup { setup } else { now };
        let target = match (value, blend.mix) {
            (Some(value), _) => setup + value,
            (None, Mix::Setup) => return setup,
            (None, Mix::First) if !rules.waits_for_rotation => setup,
            (None, Mix::First | Mix::Replace | Mix::Add | Mix::Fade) => return now,
        };
        let short = short_way(target - from, rules);
        let total = match turns {
            Turns::Kept(playback) => turning.way((playback, index), short, rig),
            Turns::Shortest => short,
        };
        let mixed = from + total * blend.alpha;
        return if rules.turns_short_way { wrap_turn(mixed) } else { mixed };
    }
    if !rules.turns_short_way {
        // Rounded as there: whether two rotations are equal decides in which direction others turn.
        return match (value, blend.mix) {
            (Some(value), Mix::First | Mix::Replace | Mix::Fade) => now + (value + setup - now) * blend.alpha,
            (None, Mix::First) => now + (setup - now) * blend.alpha,
            (Some(_) | None, _) => mixed(now, setup, value.map(|value| value + setup), blend),
        };
    }
    let target = match (value, blend.mix) {
        (Some(value), Mix::Setup) => return setup + value * blend.alpha,
        (Some(value), Mix::Add) => return now + value * blend.alpha,
        (Some(value), Mix::First | Mix::Replace | Mix::Fade) => setup + value,
        (None, Mix::Setup) => return setup,
        (None, Mix::First) => setup,
        (None, Mix::Replace | Mix::Add | Mix::Fade) => return now,
    };
    match blend.is_whole() {
        true => now + wrap_turn(target - now),
        false => now + short_way(target - now, rules) * blend.alpha,
    }
}

/// Returns a difference of rotations as the short way.
fn short_way(degrees: f64, rules: &Rules) -> f64 {
    match wrap_turn(degrees) {
        -180.0 if rules.turns_left_by_half => 180.0,
        short => short,
    }
}

/// A component of a tint: red, green, blue and alpha of light, and red, green and blue of dark.
fn component(tint: &mut Tint, at: usize) -> Option<&mut f32> {
    match at.checked_sub(tint.light.len()) {
        None => tint.light.get_mut(at),
        Some(at) => tint.dark.as_mut()?.get_mut(at),
    }
}

impl Posing<'_> {
    /// Mixes the components `parts` of a tint.
    fn tint<const N: usize>(&mut self, slot: u32, keys: &Keys<N>, parts: [usize; N], moment: &Moment<'_>) {
        let slot = slot as usize;
        if !self.scratch.is_active[self.rig.slots[slot].bone] {
            return;
        }
        let &Moment { stored, time, blend, .. } = moment;
        let mut rest = self.model.slots()[slot].tint;
        let rest: [f64; N] =
            std::array::from_fn(|at| component(&mut rest, parts[at]).map_or(0.0, |part| f64::from(*part)));
        let Some((from_rest, to)) = mixed_towards(keys.at(stored, time), rest, blend) else { return };
        let tint = &mut self.pose.slots[slot].tint;
        // A loop of constant length, which the compiler unrolls.
        (0..N).for_each(|at| {
            let Some(now) = component(tint, parts[at]) else { return };
            let from = if from_rest { rest[at] } else { f64::from(*now) };
            // Curves may exceed the colours of their keys.
            *now = (from + (to[at] - from) * blend.alpha).clamp(0.0, 1.0) as f32;
        });
    }
}

/// Mixes the values of a constraint, from the one at `first` on.
fn replace_values<const N: usize>(
    scratch: &mut Scratch,
    rig: &Rig,
    [constraint, first]: [usize; 2],
    keys: &Keys<N>,
    moment: &Moment<'_>,
) {
    replace(scratch, rig, [constraint, first], keys.at(moment.stored, moment.time), moment.blend);
}

/// Likewise, with the values at the time.
fn replace<const N: usize>(
    scratch: &mut Scratch,
    rig: &Rig,
    [constraint, first]: [usize; 2],
    value: Option<[f64; N]>,
    blend: Blend,
) {
    let blend = if rig.rules.adds_constraint_values { blend } else { blend.not_adding() };
    let now = &mut scratch.constraints[constraint].values[first..];
    let setup = &rig.constraints[constraint].setup.values[first..];
    for (index, (now, setup)) in now.iter_mut().zip(setup).enumerate().take(N) {
        *now = added(*now, *setup, value.map(|value| value[index]), blend);
    }
}

impl DeformKeys {
    /// Deforms the slot if it shows the keyed attachment.
    fn apply(&self, slot: usize, moment: &Moment<'_>, posing: &mut Posing<'_>) {
        let &Moment { stored, time, blend, .. } = moment;
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
        let (at, share) = match self.keys.locate(stored, time) {
            Spot::At(at, Share::Of(share) | Share::ByValue { time: share, .. }) => (at, share),
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
        if blend.alpha == 0.0 && is_deformed && blend.mix != Mix::Setup {
            state.deform = room;
            return;
        }
        let alpha = if !is_deformed && rig.rules.deforms_in_full { 1.0 } else { blend.alpha as f32 };
        let share = share as f32;
        let own = if share == 0.0 { alpha } else { alpha * (1.0 - share) };
        // It starts from the rest pose if nothing has deformed it yet, or nothing of that is left.
        if !is_deformed || blend.mix == Mix::Setup || blend.mix != Mix::Add && alpha == 1.0 {
            self.set(at, own, all);
        } else {
            if blend.mix != Mix::Add {
                all.iter_mut().for_each(|now| *now -= *now * alpha);
            }
            self.add(at, own, all);
        }
        if share != 0.0 && at + 1 < self.keys.len as usize {
            self.add(at + 1, alpha * share, all);
        }
        let is_mixed = is_deformed && !blend.is_whole() && matches!(blend.mix, Mix::First | Mix::Replace);
        if is_mixed && rig.rules.deforms_twice_at_end && at + 1 == self.keys.len as usize {
            self.add(at, alpha, all);
        }
        state.deform = room;
    }

    /// Returns true if the slot shows the keyed attachment.
    fn deform_shown(&self, slot: &SlotPose, rig: &Rig) -> bool {
        rig.is_timed_as(slot.attachment, self.attachment)
    }

    /// Adds a share of a key.
    fn add(&self, at: usize, share: f32, all: &mut [f32]) {
        let (first, numbers) = self.key(at);
        let room = all.get_mut(first..).unwrap_or_default();
        let count = room.len().min(numbers.len());
        let (room, numbers) = (&mut room[..count], &numbers[..count]);
        (0..count).for_each(|at| room[at] += numbers[at] * share);
    }

    /// Sets everything to a share of a key.
    fn set(&self, at: usize, share: f32, all: &mut [f32]) {
        let (first, numbers) = self.key(at);
        let (before, room) = all.split_at_mut(first.min(all.len()));
        let (room, after) = room.split_at_mut(numbers.len().min(room.len()));
        before.fill(0.0);
        after.fill(0.0);
        let numbers = &numbers[..room.len()];
        // Added to 0, so that no number becomes -0.
        (0..room.len()).for_each(|at| room[at] = 0.0 + numbers[at] * share);
    }

    /// Returns the first number that a key changes, and its numbers.
    fn key(&self, at: usize) -> (usize, &[f32]) {
        let (first, range) = &self.parts[at];
        (*first as usize, self.numbers.get(range.start as usize..range.end as usize).unwrap_or_default())
    }
}
