//! Working memory of the evaluation.

use super::fade::Fade;
use super::parts::{BoneLocal, ConstraintPose, PathPlace, Step};
use super::turning::Turning;
use crate::math::{DAffine2, DVec2};
use crate::model::AttachmentId;
use crate::motion::made_for::MadeFor;

/// Working memory, reused from pose to pose. No result depends on what it held before.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scratch {
    /// Which motion and which skins what follows was made for.
    pub made_for: MadeFor,
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
    /// What animations that fade have changed.
    pub fade: Fade,
    /// How bones turned in the frame before.
    pub turning: Turning,
    /// Corners of a path in the world.
    pub path_points: Vec<DVec2>,
    /// How long a path is up to the end of each curve.
    pub path_lengths: Vec<f64>,
    /// How far apart bones on a path are.
    pub path_spaces: Vec<f64>,
    /// How long bones on a path are.
    pub path_bones: Vec<f64>,
    /// Where bones on a path go.
    pub path_places: Vec<PathPlace>,
}
