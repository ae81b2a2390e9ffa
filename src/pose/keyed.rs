//! Memory for motion that has keys and constraints.

use crate::math::{DAffine2, DVec2};
use crate::model::{AttachmentId, SkinId};

/// Memory that is used again from pose to pose.
#[derive(Debug, Clone, Default)]
pub(crate) struct Keyed {
    /// Which motion and which skins what follows was made for; 0 is none.
    pub made_for: (u64, Vec<SkinId>),
    /// What is worked out, in this order.
    pub plan: Vec<Step>,
    /// By bone: it is there.
    pub is_active: Vec<bool>,
    /// By constraint: it does something.
    pub is_constraining: Vec<bool>,
    /// By name that animations use: what it is in these skins.
    pub attachments: Vec<Option<AttachmentId>>,
    /// By bone: while planning, it is worked out already.
    pub is_done: Vec<bool>,
    /// By bone: while planning, it is to be worked out again.
    pub is_stale: Vec<bool>,
    /// By bone: as animations left it.
    pub local: Vec<BoneLocal>,
    /// By bone: with what constraints did to it.
    pub applied: Vec<BoneLocal>,
    /// By bone: `applied` belongs to `world`.
    pub is_applied_valid: Vec<bool>,
    /// By bone: world from bone.
    pub world: Vec<DAffine2>,
    /// By constraint: as animations left it.
    pub constraints: Vec<ConstraintPose>,
    /// Corners of a path in the world.
    pub path_points: Vec<DVec2>,
    /// How long a path is up to the end of each curve.
    pub path_lengths: Vec<f64>,
    /// How far apart bones on a path are.
    pub path_spaces: Vec<f64>,
    /// How long bones on a path are.
    pub path_bones: Vec<f64>,
    /// Where bones on a path go, and in which direction the path runs there.
    pub path_places: Vec<(DVec2, f64)>,
}

/// One thing to work out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// A bone's matrix.
    Bone(u32),
    /// What a constraint does.
    Constraint(u32),
}

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
