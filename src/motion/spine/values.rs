//! The values that animations change. Each has a number; those of one timeline follow each other.

use std::ops::Range;

use super::{Animation, Rig, Timeline};

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
    pub can_add: bool,
    /// They are attachments or draw orders.
    pub is_exchanged: bool,
}

impl Changes {
    pub fn of(animation: &Animation, rig: &Rig) -> Self {
        let restarted = |constraint: Option<u32>| {
            let number = Numbers::of(rig).restarts + constraint.map_or(0, |it| it as usize + 1);
            Changed {
                numbers: number as u32..number as u32 + 1,
                can_hold: true,
                can_add: false,
                is_exchanged: false,
            }
        };
        let timelines = animation.timelines.iter().map(|timeline| timeline.changed(rig));
        let timelines: Vec<_> =
            timelines.chain(animation.resets.iter().map(|(constraint, _)| restarted(*constraint))).collect();
        let mut sorted = Vec::with_capacity(timelines.iter().map(|changed| changed.numbers.len()).sum());
        timelines.iter().for_each(|changed| sorted.extend(changed.numbers.clone()));
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

/// What happens to values while animations are mixed.
#[derive(Clone, Copy)]
enum Nature {
    /// They can keep their strength while their animation is being replaced. An additive animation adds them.
    Added,
    /// The same, if the rules add values of constraints.
    Constrained,
    /// They can keep their strength, and are never added.
    Mixed,
    /// They change at their keys only, as [`Rules::holds_steps`](super::Rules) says.
    Stepped,
    /// Attachments and draw orders.
    Exchanged,
}

impl Timeline {
    /// Returns the values that the timeline changes.
    fn changed(&self, rig: &Rig) -> Changed {
        let (first, count, nature) = self.numbers(rig);
        let rules = &rig.rules;
        let (can_hold, can_add) = match nature {
            Nature::Added => (true, true),
            Nature::Constrained => (true, rules.adds_constraint_values),
            Nature::Mixed => (true, false),
            Nature::Stepped => (rules.holds_steps, false),
            Nature::Exchanged => (rules.keys_on_way_out, false),
        };
        let is_exchanged = matches!(nature, Nature::Exchanged);
        Changed { numbers: first as u32..(first + count) as u32, can_hold, can_add, is_exchanged }
    }

    /// Returns the first number of its values, equal for timelines of the same values, how many there are, and their
    /// nature.
    fn numbers(&self, rig: &Rig) -> (usize, usize, Nature) {
        use Nature::{Added, Constrained, Exchanged, Mixed, Stepped};
        let [bones, slots, constraints] = Numbers::VALUES;
        let firsts = Numbers::of(rig);
        let of_bone = |bone: u32, first: usize| bones * bone as usize + first;
        let of_slot = |slot: u32, first: usize| firsts.slots + slots * slot as usize + first;
        let of_constraint = |it: u32, first: usize| firsts.constraints + constraints * it as usize + first;
        match self {
            Self::Rotate(bone, _) => (of_bone(*bone, 0), 1, Added),
            Self::Translate(bone, _) => (of_bone(*bone, 1), 2, Added),
            Self::Scale(bone, _) => (of_bone(*bone, 3), 2, Added),
            Self::Shear(bone, _) => (of_bone(*bone, 5), 2, Added),
            Self::Axis(bone, axis, _) => (of_bone(*bone, 1 + *axis as usize), 1, Added),
            Self::Inherit(bone, _) => (of_bone(*bone, 7), 1, Stepped),
            // Attachment, alpha, light and dark.
            Self::Attachment(slot, _) => (of_slot(*slot, 0), 1, Exchanged),
            Self::Alpha(slot, _) => (of_slot(*slot, 1), 1, Mixed),
            Self::Color(slot, _) => (of_slot(*slot, 1), 2, Mixed),
            Self::TwoColor(slot, _) => (of_slot(*slot, 1), 3, Mixed),
            Self::Rgb(slot, _) => (of_slot(*slot, 2), 1, Mixed),
            Self::Rgb2(slot, _) => (of_slot(*slot, 2), 2, Mixed),
            // Each constraint has one kind only.
            Self::Ik(it, ..) => (of_constraint(*it, 0), 1, Mixed),
            Self::Transform(it, _) => (of_constraint(*it, 0), 1, Constrained),
            Self::PathPosition(it, _) | Self::SliderTime(it, _) => (of_constraint(*it, 0), 1, Constrained),
            Self::PathSpacing(it, _) => (of_constraint(*it, 1), 1, Mixed),
            Self::SliderMix(it, _) => (of_constraint(*it, 1), 1, Constrained),
            Self::PathMix(it, _) => (of_constraint(*it, 2), 1, Constrained),
            Self::Physics(Some(it), value, _) => (of_constraint(*it, *value as usize), 1, Constrained),
            Self::Physics(None, value, _) => (firsts.all_constraints + *value as usize, 1, Constrained),
            Self::DrawOrder(_) => (firsts.draw_order, 1, Exchanged),
            Self::Folder(..) => (firsts.draw_order + 1, 1, Exchanged),
            Self::Deform(_, keys) => (firsts.deforms + keys.attachment.index(), 1, Added),
            Self::Sequence(_, keys) => (firsts.sequences + keys.attachment.index(), 1, Stepped),
        }
    }
}
