//! Working memory for every kind of motion.

use super::stage::ActorScratch;
use super::{Cue, overrides, skelform, slot_overrides, spine};
use crate::math::Affine2;
use crate::model::{ConstraintId, Model};
use crate::pose::Pose;

/// Working memory, reused from pose to pose. Results do not depend on its previous content.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scratch {
    /// Sort keys of the last draw order of stored frames.
    pub order_keys: Vec<u64>,
    /// Slots that the last pose shows otherwise than its animations.
    pub slots_before: slot_overrides::Before,
    pub spine: spine::Scratch,
    pub skelform: skelform::Scratch,
    /// Of each character on a stage.
    pub cast: Vec<ActorScratch>,
    /// The matrices of bones before some were placed in the world.
    placed_before: Vec<Affine2>,
}

impl Scratch {
    /// Returns the animated mix of an IK constraint in the last pose; `None` if the format has no mixes.
    pub fn ik_mix(&self, constraint: ConstraintId) -> Option<f64> {
        self.spine.constraints.get(constraint.index()).map(|now| now.values[0])
    }

    /// Applies what follows evaluation in every format.
    #[inline]
    pub fn finish(&mut self, cue: &Cue, model: &Model, pose: &mut Pose) {
        if !cue.bones.is_empty() {
            overrides::place(&cue.bones, model, pose, &mut self.placed_before);
        }
        if !cue.slots.is_empty() {
            slot_overrides::apply(&cue.slots, model, pose, &mut self.slots_before);
        }
    }
}
