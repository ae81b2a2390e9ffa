//! The parts of a pose before matrices are computed.

use crate::math::DVec2;

/// The transform of a bone relative to its parent, in pixels and degrees counter-clockwise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct BoneLocal {
    pub translation: DVec2,
    pub rotation: f64,
    pub scale: DVec2,
    pub shear: DVec2,
}

/// The state of a constraint at one instant.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct ConstraintPose {
    /// Values in the order of its timelines. Inverse kinematics: mix and softness. Transform: four mixes. Path:
    /// position, spacing and two mixes.
    pub values: [f64; 4],
    pub bends_positive: bool,
    pub compresses: bool,
    pub stretches: bool,
}

/// One step of the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// Compute a bone's matrix.
    Bone(u32),
    /// Apply a constraint.
    Constraint(u32),
}

/// A point on a path.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PathPlace {
    pub position: DVec2,
    /// Direction of the path in degrees; 0 if not requested.
    pub degrees: f64,
}
