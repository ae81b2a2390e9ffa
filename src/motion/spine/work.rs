//! The cost of a pose, estimated from the plan and the keys before it is evaluated.

use super::parts::Step;
use super::{Inherit, Rig, Scratch, Spine, Timeline};
use crate::model::{AnimationId, Attachment, Model, SkinId};
use crate::motion::KeyTarget;

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
        // Bones and constraints are reset before each pose.
        let reset = rig.bones.len() + rig.constraints.len();
        let steps: u64 = scratch.plan.iter().map(step).sum();
        // A bone that inherits as before 3.5 is computed from all of its ancestors.
        (reset as u64).saturating_add(steps.saturating_mul(1 + rig.most_ancestors()))
    }

    /// Returns the units of work that an animation adds to a pose.
    pub(in crate::motion) fn keys_work(&self, id: AnimationId) -> u64 {
        self.timelines_work(id.index())
    }

    fn timelines_work(&self, animation: usize) -> u64 {
        let work = |timeline: &Timeline| {
            let deformed = if let Timeline::Deform(_, keys) = timeline { keys.len } else { 0 };
            let (target, _) = timeline.subject();
            let visited = match target {
                KeyTarget::DrawOrder => self.rig.slots.len(),
                KeyTarget::AllPhysics => self.rig.constraints.len(),
                KeyTarget::Bone(_) | KeyTarget::Slot(_) | KeyTarget::Constraint(_) | KeyTarget::Events => 0,
            };
            TIMELINE + u64::from(deformed) * DEFORMED + visited as u64
        };
        self.animations.get(animation).map_or(0, |animation| animation.timelines.iter().map(work).sum())
    }
}

impl Rig {
    /// Returns the largest number of ancestors of a bone that inherits as before 3.5.
    fn most_ancestors(&self) -> u64 {
        let (mut counts, mut most) = (Vec::with_capacity(self.bones.len()), 0);
        for (bone, rest) in self.bones.iter().zip(&self.rest) {
            let count: u64 = bone.parent.map_or(0, |parent| counts[parent as usize] + 1);
            counts.push(count);
            if let Inherit::Old(_) = rest.inherit {
                most = most.max(count);
            }
        }
        most
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
