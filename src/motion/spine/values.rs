//! The values that animations change. Each has a number; those of one timeline follow each other.

use std::ops::Range;

use super::{Animation, Axis, Rig, Timeline};

/// The values that an animation changes.
#[derive(Debug, Clone)]
pub(super) struct Changes {
    /// Of each timeline, and of each list of restarts of physics after those.
    pub timelines: Vec<Changed>,
    /// All numbers, sorted.
    sorted: Vec<u32>,
}

/// The values that one timeline changes.
#[derive(Debug, Clone)]
pub(super) struct Changed {
    pub numbers: Range<u32>,
    /// They can keep their strength while the animation is being replaced.
    pub can_hold: bool,
    /// An additive animation adds them. Other values are mixed.
    pub is_added: bool,
}

impl Changes {
    pub fn of(animation: &Animation, rig: &Rig) -> Self {
        let of_timeline = |timeline: &Timeline| Changed {
            numbers: timeline.numbers(rig),
            can_hold: timeline.can_hold(rig),
            is_added: timeline.is_added(rig),
        };
        // Restarted physics is held like a value, as the goldens show.
        let restarted = |constraint: Option<u32>| {
            let number = Numbers::of(rig).restarts + constraint.map_or(0, |it| it as usize + 1);
            Changed { numbers: number as u32..number as u32 + 1, can_hold: true, is_added: false }
        };
        let timelines = animation.timelines.iter().map(of_timeline);
        let timelines: Vec<_> =
            timelines.chain(animation.resets.iter().map(|(constraint, _)| restarted(*constraint))).collect();
        let mut sorted: Vec<u32> = timelines.iter().flat_map(|changed| changed.numbers.clone()).collect();
        sorted.sort_unstable();
        Self { timelines, sorted }
    }

    /// Returns true if they contain any of `numbers`.
    pub fn contain(&self, mut numbers: Range<u32>) -> bool {
        numbers.any(|number| self.sorted.binary_search(&number).is_ok())
    }
}

/// The first numbers of slots, constraints and so on. Bones come first.
struct Numbers {
    slots: usize,
    constraints: usize,
    all_constraints: usize,
    draw_order: usize,
    deforms: usize,
    sequences: usize,
    restarts: usize,
}

impl Numbers {
    /// The number of values of a bone, a slot and a constraint.
    const VALUES: [usize; 3] = [8, 4, 7];

    fn of(rig: &Rig) -> Self {
        let slots = Self::VALUES[0] * rig.bones.len();
        let constraints = slots + Self::VALUES[1] * rig.slots.len();
        let all_constraints = constraints + Self::VALUES[2] * rig.constraints.len();
        let draw_order = all_constraints + Self::VALUES[2];
        let deforms = draw_order + 2;
        let sequences = deforms + rig.timed_as.len();
        let restarts = sequences + rig.timed_as.len();
        Self { slots, constraints, all_constraints, draw_order, deforms, sequences, restarts }
    }
}

impl Timeline {
    /// Returns true if its values can keep their strength while their animation is being replaced.
    fn can_hold(&self, rig: &Rig) -> bool {
        match self {
            Self::Attachment(..) | Self::DrawOrder(_) | Self::Folder(..) => rig.rules.keys_on_way_out,
            Self::Inherit(..) | Self::Sequence(..) => rig.rules.holds_steps,
            Self::Rotate(..)
            | Self::Translate(..)
            | Self::Scale(..)
            | Self::Shear(..)
            | Self::Axis(..)
            | Self::Color(..)
            | Self::TwoColor(..)
            | Self::Rgb(..)
            | Self::Alpha(..)
            | Self::Rgb2(..)
            | Self::Ik(..)
            | Self::Transform(..)
            | Self::PathPosition(..)
            | Self::PathSpacing(..)
            | Self::PathMix(..)
            | Self::SliderTime(..)
            | Self::SliderMix(..)
            | Self::Physics(..)
            | Self::Deform(..) => true,
        }
    }

    /// Returns true if an additive animation adds its values.
    fn is_added(&self, rig: &Rig) -> bool {
        match self {
            Self::Rotate(..)
            | Self::Translate(..)
            | Self::Scale(..)
            | Self::Shear(..)
            | Self::Axis(..)
            | Self::Deform(..) => true,
            Self::Transform(..)
            | Self::PathPosition(..)
            | Self::PathMix(..)
            | Self::SliderTime(..)
            | Self::SliderMix(..)
            | Self::Physics(..) => rig.rules.adds_constraint_values,
            Self::Attachment(..)
            | Self::DrawOrder(_)
            | Self::Folder(..)
            | Self::Inherit(..)
            | Self::Sequence(..)
            | Self::Color(..)
            | Self::TwoColor(..)
            | Self::Rgb(..)
            | Self::Alpha(..)
            | Self::Rgb2(..)
            | Self::Ik(..)
            | Self::PathSpacing(..) => false,
        }
    }

    /// Returns the numbers of the values that the timeline changes; equal for timelines of the same values.
    fn numbers(&self, rig: &Rig) -> Range<u32> {
        let [bones, slots, constraints] = Numbers::VALUES;
        let firsts = Numbers::of(rig);
        let of_bone = |bone: u32, first: usize, count| (bones * bone as usize + first, count);
        let of_slot = |slot: u32, first: usize, count| (firsts.slots + slots * slot as usize + first, count);
        let of_constraint = |it: u32, first: usize| (firsts.constraints + constraints * it as usize + first, 1);
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
            Self::Physics(None, value, _) => (firsts.all_constraints + *value as usize, 1),
            Self::DrawOrder(_) => (firsts.draw_order, 1),
            Self::Folder(..) => (firsts.draw_order + 1, 1),
            Self::Deform(_, keys) => (firsts.deforms + keys.attachment.index(), 1),
            Self::Sequence(_, keys) => (firsts.sequences + keys.attachment.index(), 1),
        };
        first as u32..(first + count) as u32
    }
}
