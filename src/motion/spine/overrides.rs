//! Bones that the caller puts somewhere: their local poses, before constraints act on them.

use super::{ConstraintKind, Rig, Scratch};
use crate::motion::BoneOverride;

/// Everything but places in the world, for which the parent's matrix must be known.
pub(super) fn put_locally(overrides: &[BoneOverride], scratch: &mut Scratch) {
    for put in overrides {
        let Some(local) = scratch.local.get_mut(put.bone.index()) else { continue };
        if let Some(position) = put.local_position() {
            local.translation = position.as_dvec2();
        }
        if let Some(degrees) = put.rotation_degrees() {
            local.rotation = degrees.into();
        }
        if let Some(scale) = put.finite_scale() {
            local.scale = scale.as_dvec2();
        }
    }
}

impl Rig {
    /// The local place that leads to the place in the world, once the parent is worked out.
    pub(super) fn put_in_world(&self, bone: usize, overrides: &[BoneOverride], scratch: &mut Scratch) {
        let mut puts = overrides.iter().filter(|put| put.bone.index() == bone);
        // The last one that says a place says which.
        let last = puts.rfind(|put| put.local_position().or(put.world_position()).is_some());
        let Some(position) = last.and_then(BoneOverride::world_position) else { return };
        let parent = self.world_from_parent(bone, scratch);
        if parent.matrix2.determinant() != 0.0 {
            let local = parent.inverse().transform_point2(position.as_dvec2());
            scratch.local[bone].translation = local;
            scratch.applied[bone].translation = local;
        }
    }

    /// The same for the bones of a constraint that are worked out by the constraint itself.
    pub(super) fn put_what_is_constrained(
        &self,
        constraint: usize,
        overrides: &[BoneOverride],
        scratch: &mut Scratch,
    ) {
        match &self.constraints[constraint].kind {
            ConstraintKind::Ik(ik) => {
                if let Some(child) = ik.child {
                    self.put_in_world(child, overrides, scratch);
                }
            }
            ConstraintKind::Transform(transform) if transform.is_local => {
                transform.bones.iter().for_each(|&bone| self.put_in_world(bone as usize, overrides, scratch));
            }
            ConstraintKind::Transform(_) | ConstraintKind::Path(_) => {}
        }
    }
}
