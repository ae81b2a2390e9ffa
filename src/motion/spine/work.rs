//! The cost of a pose, estimated from the plan and the keys before it is evaluated.

use super::parts::Step;
use super::{Rig, Scratch, Spine, Timeline};
use crate::model::{AnimationId, Attachment, Model, SkinId};

/// Units of work for an update of a Spine bone, counted from the order of updates, which repeats a bone after
/// each constraint that moves it.
const BONE: u64 = 40;
/// Units of work for a timeline, counted from timelines of the animation.
const TIMELINE: u64 = 40;
/// Units of work for a deformed influence, counted from deform timelines.
const DEFORMED: u64 = 8;
/// Units of work for an influence on a vertex of a path, counted from the longest path of the file, for each
/// path constraint.
const PATH_INFLUENCE: u64 = 10;
/// Units of work for a curve of a path, counted from the longest path of the file, for each path constraint.
const CURVE: u64 = 48;

impl Spine {
    /// Returns the units of work of a pose without any animation.
    pub(in crate::motion) fn rest_work(&self, model: &Model, skins: &[SkinId]) -> u64 {
        let rig = &self.rig;
        let mut scratch = Scratch::default();
        rig.plan(skins, &mut scratch);
        let path = path_work(model);
        let step = |step: &Step| match *step {
            Step::Bone { .. } | Step::Again(_) => BONE,
            Step::Constraint { index, .. } => {
                rig.constraints[index as usize].kind.work(path, |animation| self.timelines_work(animation))
            }
        };
        rig.reset_work() + scratch.plan.iter().map(step).sum::<u64>()
    }

    /// Returns the units of work that an animation adds to a pose.
    pub(in crate::motion) fn keys_work(&self, id: AnimationId) -> u64 {
        self.timelines_work(id.index())
    }

    fn timelines_work(&self, animation: usize) -> u64 {
        let work = |timeline: &Timeline| match timeline {
            Timeline::Deform(_, keys) => TIMELINE + u64::from(keys.len) * DEFORMED,
            Timeline::DrawOrder(_) | Timeline::Folder(..) => TIMELINE + self.rig.slots.len() as u64,
            Timeline::Rotate(..)
            | Timeline::Translate(..)
            | Timeline::Scale(..)
            | Timeline::Shear(..)
            | Timeline::Attachment(..)
            | Timeline::Color(..)
            | Timeline::TwoColor(..)
            | Timeline::Ik(..)
            | Timeline::Transform(..)
            | Timeline::PathPosition(..)
            | Timeline::PathSpacing(..)
            | Timeline::PathMix(..)
            | Timeline::SliderTime(..)
            | Timeline::SliderMix(..)
            | Timeline::Axis(..)
            | Timeline::Inherit(..)
            | Timeline::Rgb(..)
            | Timeline::Alpha(..)
            | Timeline::Rgb2(..)
            | Timeline::Physics(Some(_), ..)
            | Timeline::Sequence(..) => TIMELINE,
            Timeline::Physics(None, ..) => TIMELINE + self.rig.constraints.len() as u64,
        };
        self.animations.get(animation).map_or(0, |animation| animation.timelines.iter().map(work).sum())
    }
}

impl Rig {
    /// Returns the work of resetting bones and constraints before each pose.
    fn reset_work(&self) -> u64 {
        (self.bones.len() + self.constraints.len()) as u64
    }
}

/// Returns the work of the longest path that any slot can show.
fn path_work(model: &Model) -> u64 {
    let work = |attachment: &Attachment| match attachment {
        Attachment::Path(path) => {
            path.vertices.influences().len() as u64 * PATH_INFLUENCE + path.curve_count() as u64 * CURVE
        }
        Attachment::Region(_)
        | Attachment::Mesh(_)
        | Attachment::ClipMask(_)
        | Attachment::Bounds(_)
        | Attachment::Point(_) => 0,
    };
    model.attachments().iter().map(work).max().unwrap_or(0)
}
