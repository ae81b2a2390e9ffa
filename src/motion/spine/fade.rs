//! Animations on tracks: each replaces the previous one, and is replaced by the next.
//!
//! Values that a track below has changed are mixed with those, all others with the rest pose. For that, every
//! value that animations can change has a number.

use super::{Animation, Blend, Posing, Rig, Spine, Timeline, show};
use crate::model::AnimationId;
use crate::motion::{Direction, Layer, Mix};

/// The values that an animation changes.
#[derive(Debug, Clone)]
pub(super) struct Changes {
    /// By timeline.
    of_timeline: Vec<u32>,
    /// The same, sorted.
    sorted: Vec<u32>,
}

/// The values that fading animations have changed so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fade {
    /// By any animation.
    pub changed: Bits,
    /// By tracks below the current one.
    pub below: Bits,
    /// By animations that are not being replaced.
    pub kept: Bits,
    /// Slots whose attachment was set by an animation that is being replaced.
    pub loose: Vec<Loose>,
}

/// A slot whose attachment was set by an animation that is being replaced, and the number of that value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Loose {
    slot: u32,
    number: u32,
}

impl Fade {
    pub fn clear(&mut self) {
        self.changed.0.clear();
        self.below.0.clear();
        self.kept.0.clear();
        self.loose.clear();
    }
}

/// A set of numbers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    /// Returns false if the set already contains `number`.
    pub fn insert(&mut self, number: u32) -> bool {
        let (word, bit) = (number as usize / 64, 1 << (number % 64));
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        let is_new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        is_new
    }

    /// Copies `others` into this set, reusing its memory.
    pub fn set(&mut self, others: &Self) {
        self.0.clone_from(&others.0);
    }

    pub fn contains(&self, number: u32) -> bool {
        self.0.get(number as usize / 64).is_some_and(|word| word & (1 << (number % 64)) != 0)
    }
}

/// The current track during evaluation.
#[derive(Debug, Default)]
pub(super) struct Fading {
    track: Option<u32>,
}

impl Changes {
    pub(super) fn of(animation: &Animation, rig: &Rig) -> Self {
        let of_timeline: Vec<u32> = animation.timelines.iter().map(|timeline| timeline.changes(rig)).collect();
        let mut sorted = of_timeline.clone();
        sorted.sort_unstable();
        Self { of_timeline, sorted }
    }

    fn contain(&self, number: u32) -> bool {
        self.sorted.binary_search(&number).is_ok()
    }
}

impl Spine {
    /// Returns true if both animations change a common value.
    pub(in crate::motion) fn change_common_values(&self, a: AnimationId, b: AnimationId) -> bool {
        let [a, b] = [a, b].map(|id| &self.changes[id.index()]);
        a.sorted.iter().any(|&number| b.contain(number))
    }

    /// Applies a layer with [`Mix::Fade`].
    pub(super) fn fade(&self, layer: &Layer, id: Option<u64>, fading: &mut Fading, posing: &mut Posing<'_>) {
        if fading.track != Some(layer.track) {
            let Fade { changed, below, .. } = &mut posing.scratch.fade;
            below.set(changed);
            fading.track = Some(layer.track);
        }
        let animation = &self.animations[layer.animation.index()];
        let blend = Blend { alpha: layer.finite_alpha(), mix: layer.mix, direction: layer.direction };
        let mut moment = self.moment(layer.played(), blend, posing.model);
        let cover = layer.cover.map(|cover| (cover.by.map(|id| &self.changes[id.index()]), cover.finite_share()));
        let numbers = &self.changes[layer.animation.index()].of_timeline;
        let is_whole = layer.cover.is_none() && blend.alpha == 1.0;
        // On the first track, rotations with the whole weight continue from the previous frame.
        let continues = id.is_some() && is_whole && layer.track == 0;
        for (at, (timeline, &number)) in animation.timelines.iter().zip(numbers).enumerate() {
            let fade = &mut posing.scratch.fade;
            let is_first = fade.changed.insert(number);
            let continues = continues && matches!(timeline, Timeline::Rotate(..));
            if is_first && id.is_some() && !continues {
                timeline.reset(posing);
            }
            moment.from_rest = is_first && !continues;
            let fade = &mut posing.scratch.fade;
            let mix = if fade.below.contains(number) { Mix::Replace } else { Mix::First };
            let mut blend = Blend { mix, ..blend };
            if let Some((by, share)) = cover {
                // Values that will be covered are not faded out: otherwise the rest pose would show through.
                let is_held = is_first && by.is_some_and(|by| by.contain(number));
                if !is_held {
                    blend.alpha *= 1.0 - share;
                }
            }
            if let Timeline::Attachment(slot, _) = timeline {
                if layer.cover.is_some_and(|cover| cover.has_ended) {
                    continue;
                }
                // An animation that is being replaced shows its attachments until it ends, and only those are
                // deformed.
                match layer.direction {
                    Direction::In => _ = fade.kept.insert(number),
                    Direction::Out => fade.loose.push(Loose { slot: *slot, number }),
                }
                blend.direction = Direction::In;
            }
            moment.blend = blend;
            moment.kept = id.map(|id| (id, at));
            timeline.apply(moment, posing);
        }
    }
}

impl Posing<'_> {
    /// Resets the attachments of slots that only replaced animations have set.
    pub(super) fn reset_loose_slots(&mut self) {
        for &Loose { slot, number } in &self.scratch.fade.loose {
            if !self.scratch.fade.kept.contains(number) {
                let slot = slot as usize;
                show(&mut self.pose.slots[slot], self.rig.setup_attachment(slot, self.scratch));
            }
        }
    }
}

impl Timeline {
    /// Returns the number of the value that the timeline changes; equal for timelines of the same value.
    fn changes(&self, rig: &Rig) -> u32 {
        /// The number of kinds of timelines of bones, slots and constraints.
        const KINDS: [usize; 3] = [4, 3, 3];
        let slots = KINDS[0] * rig.bones.len();
        let constraints = slots + KINDS[1] * rig.slots.len();
        let draw_order = constraints + KINDS[2] * rig.constraints.len();
        let number = match self {
            Self::Rotate(bone, _) => KINDS[0] * *bone as usize,
            Self::Translate(bone, _) => KINDS[0] * *bone as usize + 1,
            Self::Scale(bone, _) => KINDS[0] * *bone as usize + 2,
            Self::Shear(bone, _) => KINDS[0] * *bone as usize + 3,
            Self::Attachment(slot, _) => slots + KINDS[1] * *slot as usize,
            Self::Color(slot, _) => slots + KINDS[1] * *slot as usize + 1,
            Self::TwoColor(slot, _) => slots + KINDS[1] * *slot as usize + 2,
            // Each constraint has one kind only.
            Self::Ik(it, ..) | Self::Transform(it, _) | Self::PathPosition(it, _) => {
                constraints + KINDS[2] * *it as usize
            }
            Self::PathSpacing(it, _) => constraints + KINDS[2] * *it as usize + 1,
            Self::PathMix(it, _) => constraints + KINDS[2] * *it as usize + 2,
            Self::DrawOrder(_) => draw_order,
            Self::Deform(_, keys) => draw_order + 1 + keys.attachment.index(),
        };
        number as u32
    }
}
