//! Animations on tracks: each replaces the previous one, and is replaced by the next.
//!
//! Values that a track below has changed are mixed with those, all others with the rest pose. For that, every
//! value that animations can change has a number; the values of one timeline follow each other.

use std::ops::Range;
use std::slice;

use super::changed::{Fade, Loose};
use super::keys::Time;
use super::{Animation, Axis, Blend, Posing, Rig, Spine, Timeline, timeline};
use crate::model::AnimationId;
use crate::motion::{Cover, Direction, Layer, Mix};

/// The values that an animation changes.
#[derive(Debug, Clone)]
pub(super) struct Changes {
    /// By timeline.
    of_timeline: Vec<Range<u32>>,
    /// All of them and of restarted physics, sorted.
    sorted: Vec<u32>,
    /// Values that may be held, sorted.
    held: Vec<u32>,
}

/// The current track during evaluation.
#[derive(Debug, Default)]
pub(super) struct Fading {
    track: Option<u32>,
}

impl Changes {
    pub(super) fn of(animation: &Animation, rig: &Rig) -> Self {
        let of_timeline: Vec<_> = animation.timelines.iter().map(|timeline| timeline.changes(rig)).collect();
        let mut sorted: Vec<u32> = of_timeline.iter().cloned().flatten().collect();
        // Restarted physics is held like a value, as the goldens show; its numbers are counted from the end.
        let restarted = |constraint: Option<u32>| u32::MAX - constraint.map_or(0, |it| it + 1);
        sorted.extend(animation.resets.iter().map(|(constraint, _)| restarted(*constraint)));
        sorted.sort_unstable();
        let held = match rig.rules.holds_steps {
            true => sorted.clone(),
            false => {
                let smooth =
                    animation.timelines.iter().zip(&of_timeline).filter(|(timeline, _)| !timeline.is_stepped());
                let mut held: Vec<u32> = smooth.flat_map(|(_, numbers)| numbers.clone()).collect();
                held.sort_unstable();
                held
            }
        };
        Self { of_timeline, sorted, held }
    }

    /// Returns true if they contain any of `numbers`.
    fn contain(&self, mut numbers: Range<u32>) -> bool {
        numbers.any(|number| self.sorted.binary_search(&number).is_ok())
    }
}

impl Fading {
    /// Notes what the tracks below have changed when a layer of another track begins.
    fn enter(&mut self, track: u32, fade: &mut Fade) {
        if self.track != Some(track) {
            fade.below.set(&fade.changed);
            self.track = Some(track);
        }
    }
}

impl Spine {
    /// See [`holds_values`](crate::motion::holds_values).
    pub(in crate::motion) fn holds_values(
        &self,
        [covered, by]: [AnimationId; 2],
        earlier: impl Iterator<Item = AnimationId> + Clone,
        later: impl Iterator<Item = (Option<AnimationId>, bool)> + Clone,
    ) -> bool {
        let change = |id: AnimationId, number: u32| self.changes[id.index()].contain(number..number + 1);
        let is_held = |number: u32| {
            let release = later.clone().find(|(id, _)| !id.is_some_and(|id| change(id, number)));
            let is_first = || !earlier.clone().any(|id| change(id, number));
            change(by, number) && is_first() && release.is_none_or(|(_, is_whole)| !is_whole)
        };
        self.changes[covered.index()].held.iter().any(|&number| is_held(number))
    }

    /// Returns the progress of the first of `later`, the layers after `layer`, that stops holding values of `layer`:
    /// it is the first that does not change them.
    fn release(&self, layer: &Layer, later: &[Layer], numbers: &Range<u32>) -> Option<f64> {
        let is_released = |cover: Cover| !cover.has_ended && cover.is_released || self.rig.rules.always_releases;
        if !layer.cover.is_some_and(is_released) {
            return None;
        }
        // The next layer holds them; the cover of each layer is what replaces it.
        let mut on_track = later.iter().take_while(|later| later.track == layer.track);
        on_track.find_map(|later| {
            let cover = later.cover?;
            let holds = cover.by.is_some_and(|by| self.changes[by.index()].contain(numbers.clone()));
            (!holds).then(|| cover.finite_share())
        })
    }

    /// Applies a layer with [`Mix::Fade`], which `later` layers follow.
    pub(super) fn fade(
        &self,
        layer: &Layer,
        later: &[Layer],
        id: Option<u64>,
        fading: &mut Fading,
        posing: &mut Posing<'_>,
    ) {
        fading.enter(layer.track, &mut posing.scratch.fade);
        let animation = &self.animations[layer.animation.index()];
        let blend = Blend { alpha: layer.finite_alpha(), mix: layer.mix, direction: layer.direction };
        let mut moment = self.moment(layer.played(), blend, posing.model);
        let cover = layer.cover.map(|cover| (cover.by.map(|id| &self.changes[id.index()]), cover.finite_share()));
        let numbers = &self.changes[layer.animation.index()].of_timeline;
        let is_whole = layer.cover.is_none() && blend.alpha == 1.0;
        // On the first track, rotations with the whole weight continue from the previous frame.
        let continues = id.is_some() && is_whole && layer.track == 0;
        let has_ended = layer.cover.is_some_and(|cover| cover.has_ended);
        for (at, (timeline, numbers)) in animation.timelines.iter().zip(numbers).enumerate() {
            let is_over =
                |(by, _): (Option<&Changes>, f64)| has_ended && !by.is_some_and(|by| by.contain(numbers.clone()));
            if cover.is_some_and(is_over) {
                continue;
            }
            let fade = &mut posing.scratch.fade;
            let is_new = !fade.changed.contains_any(numbers.clone());
            let is_first = fade.changed.insert_all(numbers.clone()) && (is_new || !posing.rig.rules.keeps_parts);
            let continues = continues && matches!(timeline, Timeline::Rotate(..));
            if is_first && id.is_some() && !continues {
                timeline.reset(posing);
            }
            moment.from_rest = is_first && !continues;
            let fade = &mut posing.scratch.fade;
            let is_below = match posing.rig.rules.keeps_parts {
                true => fade.below.contains_any(numbers.clone()),
                false => numbers.clone().all(|number| fade.below.contains(number)),
            };
            let resets = posing.rig.rules.resets_above && layer.direction == Direction::In;
            let mix = match (is_below, timeline) {
                (true, Timeline::DrawOrder(_)) if resets => Mix::Setup,
                (true, _) if !resets => Mix::Replace,
                _ => Mix::First,
            };
            let mut blend = Blend { mix, ..blend };
            if let Some((by, share)) = cover {
                // Values that will be covered are not faded out: otherwise the rest pose would show through.
                let can_hold = is_first || posing.rig.rules.continues_fades;
                let is_held = can_hold && by.is_some_and(|by| by.contain(numbers.clone()));
                if !is_held {
                    blend.alpha *= 1.0 - share;
                } else if let Some(share) = self.release(layer, later, numbers) {
                    blend.alpha *= 1.0 - share;
                }
            }
            let is_exchanged = matches!(timeline, Timeline::Attachment(..) | Timeline::DrawOrder(_));
            if is_exchanged && layer.direction == Direction::Out && posing.rig.rules.keys_on_way_out {
                // It is reset at once, unless an earlier animation has set it.
                if !is_first {
                    continue;
                }
                blend.mix = Mix::Setup;
            } else if let Timeline::Attachment(slot, _) = timeline {
                if has_ended {
                    continue;
                }
                let number = numbers.start;
                // An animation that is being replaced shows its attachments until it ends, and only those are
                // deformed.
                match layer.direction {
                    Direction::In => _ = fade.kept.insert(number),
                    Direction::Out => fade.loose.push(Loose { slot: *slot, number }),
                }
                if layer.direction == Direction::Out && posing.rig.rules.hides_replaced {
                    let current = later.iter().take_while(|later| later.track == layer.track).last();
                    let current = current.filter(|current| current.direction == Direction::In);
                    let sets = |it: &Layer| self.changes[it.animation.index()].contain(numbers.clone());
                    if !current.is_some_and(sets) {
                        continue;
                    }
                }
                blend.direction = Direction::In;
            }
            let shows_until_end = !posing.rig.rules.keys_on_way_out;
            if has_ended && shows_until_end && animation.hides_deformed(timeline, moment.time, posing) {
                continue;
            }
            moment.blend = blend;
            moment.kept = id.map(|id| (id, at));
            timeline::apply(slice::from_ref(timeline), &moment, posing);
        }
    }
}

impl Spine {
    /// Applies a layer with [`Mix::Add`]. If the pose `continues` from the previous one, values that no layer below
    /// has changed are added to the rest pose, not to the values of the previous frame.
    pub(super) fn add(&self, layer: &Layer, continues: bool, fading: &mut Fading, posing: &mut Posing<'_>) {
        fading.enter(layer.track, &mut posing.scratch.fade);
        let animation = &self.animations[layer.animation.index()];
        let blend = Blend { alpha: layer.finite_alpha(), mix: layer.mix, direction: layer.direction };
        let moment = self.moment(layer.played(), blend, posing.model);
        let numbers = &self.changes[layer.animation.index()].of_timeline;
        for (timeline, numbers) in animation.timelines.iter().zip(numbers) {
            let is_first = posing.scratch.fade.changed.insert_all(numbers.clone());
            if is_first && continues {
                timeline.reset(posing);
            }
            if let Timeline::Attachment(slot, _) = timeline {
                if is_first && continues {
                    let slot = *slot as usize;
                    posing.show(slot, posing.scratch.rest_attachments[slot]);
                }
                if layer.direction == Direction::In {
                    _ = posing.scratch.fade.kept.insert(numbers.start);
                }
            }
            timeline::apply(slice::from_ref(timeline), &moment, posing);
        }
    }
}

impl Animation {
    /// Returns true if `timeline` deforms a slot that shows something else at a time, according to the animation.
    fn hides_deformed(&self, timeline: &Timeline, time: Time, posing: &Posing<'_>) -> bool {
        let Timeline::Deform(slot, _) = timeline else { return false };
        let shown = self.timelines.iter().find_map(|timeline| match timeline {
            Timeline::Attachment(of, keys) if of == slot => keys.at(time),
            _ => None,
        });
        let attachment = |key: u32| posing.scratch.attachments[key as usize];
        shown.is_some_and(|key| key.and_then(attachment) != posing.pose.slots[*slot as usize].attachment)
    }
}

impl Posing<'_> {
    /// Resets the attachments of slots that only replaced animations have set.
    pub(super) fn reset_loose_slots(&mut self) {
        for at in 0..self.scratch.fade.loose.len() {
            let Loose { slot, number } = self.scratch.fade.loose[at];
            if !self.scratch.fade.kept.contains(number) {
                let slot = slot as usize;
                self.show(slot, self.scratch.rest_attachments[slot]);
            }
        }
    }
}

impl Timeline {
    /// Returns true if its values only change at keys, apart from switches beside other values.
    fn is_stepped(&self) -> bool {
        matches!(
            self,
            Self::Attachment(..) | Self::Inherit(..) | Self::Sequence(..) | Self::DrawOrder(_) | Self::Folder(..)
        )
    }

    /// Returns the numbers of the values that the timeline changes; equal for timelines of the same values.
    fn changes(&self, rig: &Rig) -> Range<u32> {
        /// The number of values of a bone, a slot and a constraint.
        const VALUES: [usize; 3] = [8, 4, 7];
        let slots = VALUES[0] * rig.bones.len();
        let constraints = slots + VALUES[1] * rig.slots.len();
        let all_constraints = constraints + VALUES[2] * rig.constraints.len();
        let draw_order = all_constraints + VALUES[2];
        let deforms = draw_order + 2;
        let sequences = deforms + rig.timed_as.len();
        let of_bone = |bone: u32, first: usize, count| (VALUES[0] * bone as usize + first, count);
        let of_slot = |slot: u32, first: usize, count| (slots + VALUES[1] * slot as usize + first, count);
        let of_constraint = |it: u32, first: usize| (constraints + VALUES[2] * it as usize + first, 1);
        let (first, count) = match self {
            Self::Rotate(bone, _) => of_bone(*bone, 0, 1),
            Self::Translate(bone, _) => of_bone(*bone, 1, 2),
            Self::Scale(bone, _) => of_bone(*bone, 3, 2),
            Self::Shear(bone, _) => of_bone(*bone, 5, 2),
            Self::Axis(bone, Axis::TranslateX, _) => of_bone(*bone, 1, 1),
            Self::Axis(bone, Axis::TranslateY, _) => of_bone(*bone, 2, 1),
            Self::Axis(bone, Axis::ScaleX, _) => of_bone(*bone, 3, 1),
            Self::Axis(bone, Axis::ScaleY, _) => of_bone(*bone, 4, 1),
            Self::Axis(bone, Axis::ShearX, _) => of_bone(*bone, 5, 1),
            Self::Axis(bone, Axis::ShearY, _) => of_bone(*bone, 6, 1),
            Self::Inherit(bone, _) => of_bone(*bone, 7, 1),
            // Attachment, alpha, light and dark.
            Self::Attachment(slot, _) => of_slot(*slot, 0, 1),
            Self::Alpha(slot, _) => of_slot(*slot, 1, 1),
            Self::Color(slot, _) => of_slot(*slot, 1, 2),
            Self::TwoColor(slot, _) => of_slot(*slot, 1, 3),
            Self::Rgb(slot, _) => of_slot(*slot, 2, 1),
            Self::Rgb2(slot, _) => of_slot(*slot, 2, 2),
            // Each constraint has one kind only.
            Self::Ik(it, ..) | Self::Transform(it, _) | Self::PathPosition(it, _) => of_constraint(*it, 0),
            Self::SliderTime(it, _) => of_constraint(*it, 0),
            Self::PathSpacing(it, _) | Self::SliderMix(it, _) => of_constraint(*it, 1),
            Self::PathMix(it, _) => of_constraint(*it, 2),
            Self::Physics(Some(it), value, _) => of_constraint(*it, *value as usize),
            Self::Physics(None, value, _) => (all_constraints + *value as usize, 1),
            Self::DrawOrder(_) => (draw_order, 1),
            Self::Folder(..) => (draw_order + 1, 1),
            Self::Deform(_, keys) => (deforms + keys.attachment.index(), 1),
            Self::Sequence(_, keys) => (sequences + keys.attachment.index(), 1),
        };
        first as u32..(first + count) as u32
    }
}
