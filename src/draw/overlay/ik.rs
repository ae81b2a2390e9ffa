//! The overlay of IK constraints: the chain of bones, and a ring at the target that they reach for.

use super::Shown;
use super::marker::PURPLE;
use super::pen::rimmed;
use super::scratch::MarkScratch;
use crate::draw::OverlayVertex;
use crate::model::{BoneId, Constraint, ConstraintKind, ConstraintTarget};

/// In picture pixels.
const CHAIN: f32 = 3.0;
const REACH: f32 = 1.0;
const JOINT: f32 = 3.0;
const TARGET: f32 = 6.0;

/// Appends each constraint whose bones and target are active.
pub fn append(shown: &Shown<'_>, scratch: &mut MarkScratch, out: &mut Vec<OverlayVertex>) {
    let Shown { model, pose, .. } = *shown;
    let joint = |bone: BoneId| {
        let is_active = pose.inactive_bones.binary_search(&bone).is_err();
        pose.world_from_bone.get(bone.index()).filter(|_| is_active).map(|world| world.translation)
    };
    let chain = &mut scratch.points;
    let is_ik = |constraint: &&Constraint| constraint.kind == ConstraintKind::Ik;
    for constraint in model.constraints().iter().filter(is_ik) {
        let Some(ConstraintTarget::Bone(target)) = constraint.target else { continue };
        let Some(target) = joint(target) else { continue };
        chain.clear();
        chain.extend(constraint.bones.iter().filter_map(|bone| joint(*bone)));
        if chain.len() < constraint.bones.len() {
            continue;
        }
        rimmed(shown, PURPLE, out, |pen| {
            pen.lines(chain, false, CHAIN);
            if let Some(last) = chain.last() {
                pen.line(*last, target, REACH);
            }
            chain.iter().for_each(|at| pen.diamond(*at, JOINT));
            pen.ring(target, TARGET, 2.0);
            pen.dot(target, 1.5);
        });
    }
}
