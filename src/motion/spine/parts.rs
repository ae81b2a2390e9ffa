//! The parts of a pose before matrices are computed.

use super::old::OldInherit;
use crate::math::{DAffine2, DVec2};

/// The parts of its parent's transform that a bone inherits, in addition to the translation.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Inherit {
    /// Everything.
    #[default]
    Normal,
    /// Nothing.
    OnlyTranslation,
    /// Scale and shear.
    NoRotationOrReflection,
    /// Rotation and reflection.
    NoScale,
    /// Rotation.
    NoScaleOrReflection,
    /// By the rules of a version before 3.5 that no later mode has.
    Old(OldInherit),
}

/// The transform of a bone relative to its parent, in pixels and degrees counter-clockwise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct BoneLocal {
    pub translation: DVec2,
    pub rotation: f64,
    pub scale: DVec2,
    pub shear: DVec2,
    pub inherit: Inherit,
}

/// The local pose of a bone after constraints.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) enum Applied {
    /// As animations have set it.
    #[default]
    AsAnimated,
    /// As a constraint has set it.
    To(BoneLocal),
    /// A constraint has changed only the matrix.
    OnlyMatrix,
    /// Likewise, while this was the matrix of the parent.
    OnlyMatrixWithin(DAffine2),
}

/// What a change of a bone's x scale does to its y scale.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum ScaleY {
    #[default]
    Stays,
    /// The same.
    Uniform,
    /// The opposite: the area stays.
    Volume,
}

impl ScaleY {
    /// Returns a name, unless it stays.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::Stays => None,
            Self::Uniform => Some("uniform"),
            Self::Volume => Some("volume"),
        }
    }

    /// Below this factor, the area of a bone is not kept.
    const COMPRESSED: f64 = 0.7;
    /// The factor of the y scale of a bone that has lost all its length.
    const WIDEST: f64 = 4.0;

    /// Returns the factor of the y scale for a factor of the x scale, in physics. If the bone is compressed a lot, the
    /// factor continues in a line.
    pub fn factor(self, of_x: f64) -> f64 {
        match self {
            Self::Stays => 1.0,
            Self::Uniform => of_x,
            Self::Volume if of_x < Self::COMPRESSED => {
                Self::WIDEST + (1.0 / Self::COMPRESSED - Self::WIDEST) / Self::COMPRESSED * of_x
            }
            Self::Volume => 1.0 / of_x,
        }
    }

    /// Like [`factor`](Self::factor), in inverse kinematics: if the bone is compressed a lot, the divisor continues in a
    /// line.
    pub fn factor_in_reach(self, of_x: f64) -> f64 {
        let narrowest = 1.0 / Self::WIDEST;
        match self == Self::Volume && of_x < Self::COMPRESSED {
            true => 1.0 / (narrowest + (Self::COMPRESSED - narrowest) / Self::COMPRESSED * of_x),
            false => self.factor(of_x),
        }
    }
}

/// The state of a constraint at one instant.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct ConstraintPose {
    /// Values in the order of its timelines. Inverse kinematics: mix and softness. Transform: mixes of rotation, x,
    /// y, scale x, scale y and shear y. Path: position, spacing, and mixes of rotation, x and y. Physics: as in
    /// [`PhysicsValue`](super::PhysicsValue). Slider: time and mix.
    pub values: [f64; ConstraintPose::VALUES],
    pub bends_positive: bool,
    pub compresses: bool,
    pub stretches: bool,
}

impl ConstraintPose {
    /// Maximum number of values.
    pub const VALUES: usize = 7;
}

/// One step of the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// Compute a bone's matrix.
    Bone { bone: u32, parent: u32 },
    /// Compute it again, after a constraint.
    Again(u32),
    /// Apply a constraint with this target.
    Constraint { index: u32, target: u32 },
}

impl Step {
    /// The parent of a bone that has none.
    pub const NO_PARENT: u32 = u32::MAX;
}

/// A point on a path.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PathPlace {
    pub position: DVec2,
    /// Direction of the path in degrees; 0 if not requested.
    pub degrees: f64,
}
