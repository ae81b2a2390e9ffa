//! What a pose is worked out from, at one instant.

use crate::math::DVec2;

/// A bone relative to its parent. Pixels and degrees counter-clockwise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct BoneLocal {
    pub translation: DVec2,
    pub rotation: f64,
    pub scale: DVec2,
    pub shear: DVec2,
}

/// A constraint at one instant.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct ConstraintPose {
    /// In the order of its timelines: of inverse kinematics mix and softness; of a transform its four mixes; of a
    /// path position, spacing and the two mixes.
    pub values: [f64; 4],
    pub bends_positive: bool,
    pub compresses: bool,
    pub stretches: bool,
}

/// One thing to work out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// A bone's matrix.
    Bone(u32),
    /// What a constraint does.
    Constraint(u32),
}

/// A place on a path.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PathPlace {
    pub position: DVec2,
    /// The direction in which the path runs there, in degrees; 0 where nobody asked for it.
    pub degrees: f64,
}
