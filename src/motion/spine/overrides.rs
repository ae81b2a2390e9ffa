//! Bones moved and constraints changed by the caller, before constraints are applied.

use super::{ConstraintKind, ConstraintPose, Rig, Scratch};
use crate::motion::{BoneOverride, ConstraintOverride};

/// Returns the changed targets: constraints and bones.
pub(super) fn targets(overrides: &[ConstraintOverride]) -> impl Iterator<Item = (u32, u32)> {
    let target = |put: &ConstraintOverride| {
        Some((u32::try_from(put.constraint).ok()?, u32::try_from(put.target?.index()).ok()?))
    };
    overrides.iter().filter_map(target)
}

/// Sets the changed values of a constraint.
pub(super) fn set(overrides: &[ConstraintOverride], constraint: usize, now: &mut ConstraintPose) {
    for put in overrides.iter().filter(|put| put.constraint == constraint) {
        for (value, set) in now.values.iter_mut().zip(put.settings) {
            *value = set.filter(|set| set.is_finite()).map_or(*value, f64::from);
        }
    }
}

impl Scratch {
    /// Returns the target of a constraint, which is `own` unless the caller has changed it.
    pub(super) fn target(&self, constraint: usize, own: usize) -> usize {
        let changed = self.targets.iter().rev().find(|(at, _)| *at as usize == constraint);
        changed.map(|(_, bone)| *bone as usize).filter(|bone| *bone < self.is_active.len()).unwrap_or(own)
    }
}

/// Applies all overrides except for world positions, which require the parent's matrix.
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
    /// Applies a world position once the parent's matrix is known.
    pub(super) fn put_in_world(&self, bone: usize, overrides: &[BoneOverride], scratch: &mut Scratch) {
        let mut puts = overrides.iter().filter(|put| put.bone.index() == bone);
        // The last override with a position applies.
        let last = puts.rfind(|put| put.local_position().or(put.world_position()).is_some());
        let Some(position) = last.and_then(BoneOverride::world_position) else { return };
        let parent = self.world_from_parent(bone, scratch);
        if parent.matrix2.determinant() != 0.0 {
            let local = parent.inverse().transform_point2(position.as_dvec2());
            scratch.local[bone].translation = local;
            scratch.applied[bone].translation = local;
        }
    }

    /// Does the same for the bones that a constraint computes itself.
    pub(super) fn put_constrained_in_world(
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
            ConstraintKind::Transform(transform) if transform.changes_locally() => {
                transform.bones.iter().for_each(|&bone| self.put_in_world(bone as usize, overrides, scratch));
            }
            ConstraintKind::Transform(_)
            | ConstraintKind::Path(_)
            | ConstraintKind::Physics(_)
            | ConstraintKind::Slider(_) => {}
        }
    }
}
