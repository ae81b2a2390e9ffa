//! Working memory of the evaluation.

use super::changed::Shown;
use super::classes::Chains;
use super::locals::Locals;
use super::old::Poses;
use super::overrides::Held;
use super::parts::{Applied, ConstraintPose, PathPlace, Step};
use super::turning::Turning;
use crate::math::{DAffine2, DVec2, Vec2};
use crate::model::{AttachmentId, BoneId, SlotId};
use crate::motion::prepared_for::PreparedFor;
use crate::pose::SlotPose;

/// Working memory, reused from pose to pose. Results do not depend on its previous content.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scratch {
    /// The motion and the skins for which the following fields were prepared.
    pub prepared_for: PreparedFor,
    /// Targets of constraints that the caller has changed: constraints and bones. The plan depends on them.
    pub targets: Vec<(u32, u32)>,
    /// The steps, in order.
    pub plan: Vec<Step>,
    /// The number of steps up to the last physics constraint.
    pub swinging_steps: usize,
    /// True for each active bone.
    pub is_active: Vec<bool>,
    /// The other bones.
    pub inactive: Vec<BoneId>,
    /// True for each constraint that is applied.
    pub is_constraining: Vec<bool>,
    /// The attachment of each name in these skins.
    pub attachments: Vec<Option<AttachmentId>>,
    /// The attachment of each slot at rest.
    pub rest_attachments: Vec<Option<AttachmentId>>,
    /// While planning: true for each bone that is up to date.
    pub is_done: Vec<bool>,
    /// While planning: true for each bone that has been computed, even if it is outdated.
    pub was_done: Vec<bool>,
    /// While planning: true for each bone that is outdated.
    pub is_stale: Vec<bool>,
    /// The chosen picture of each slot with a sequence; others may be missing.
    pub pictures: Vec<Option<u32>>,
    /// The slots whose attachments the caller has chosen.
    pub held: Vec<Held>,
    /// The local pose of each bone after animations.
    pub local: Locals,
    /// The local pose of each bone after constraints.
    pub applied: Vec<Applied>,
    /// World from bone, for each bone.
    pub world: Vec<DAffine2>,
    /// The state of each constraint after animations.
    pub constraints: Vec<ConstraintPose>,
    /// Sliders are among the steps.
    pub has_sliders: bool,
    /// What sliders may have changed in the last frame.
    pub before_sliders: Option<Box<BeforeSliders>>,
    /// What was decided about animations on tracks.
    pub chains: Chains,
    /// What slots show because of them.
    pub shown: Shown,
    /// The rotations of bones in the previous frame.
    pub turning: Turning,
    /// Points of a path in the world.
    pub path_points: Vec<DVec2>,
    /// Length of a path up to the end of each curve.
    pub path_lengths: Vec<f64>,
    /// Spacing of bones on a path.
    pub path_spaces: Vec<f64>,
    /// Lengths of bones on a path.
    pub path_bones: Vec<f64>,
    /// Positions of bones on a path.
    pub path_places: Vec<PathPlace>,
}

impl Scratch {
    /// The local poses of bones at this moment.
    pub(super) fn poses(&self) -> Poses<'_> {
        Poses { animated: &self.local, applied: &self.applied }
    }
}

/// The state after animations, which the next frame continues.
#[derive(Debug, Clone, Default)]
pub(crate) struct BeforeSliders {
    pub slots: Vec<SlotPose>,
    pub draw_order: Vec<SlotId>,
    pub deform: Vec<Vec2>,
    pub constraints: Vec<ConstraintPose>,
    pub pictures: Vec<Option<u32>>,
}
