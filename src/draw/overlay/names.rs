//! The overlay of bone names, to the right of their joints.

use super::scratch::LabelScratch;
use super::{OverlayLabel, Shown};
use crate::math::vec2;
use crate::model::BoneId;

/// Distance of a name from its joint, in dots.
const OFFSET: f32 = 6.0;

/// Calls `visit` with the name of each active authored bone.
pub fn label(shown: &Shown<'_>, _: &mut LabelScratch, visit: &mut dyn FnMut(OverlayLabel<'_>)) {
    let Shown { model, pose, view, .. } = *shown;
    let size = vec2(view.width() as f32, view.height() as f32);
    let offset = vec2(OFFSET * (shown.dot() as f32).max(shown.overlays.scale), 0.0);
    for (index, (bone, world_from_bone)) in
        model.skeleton().authored_bones().iter().zip(&pose.world_from_bone).enumerate()
    {
        let joint = view.pixel_from_world(world_from_bone.translation);
        let is_inside = joint.cmpge(vec2(0.0, 0.0)).all() && joint.cmple(size).all();
        if is_inside && pose.inactive_bones.binary_search(&BoneId::new(index)).is_err() {
            visit(OverlayLabel { text: &bone.name, at: (joint + offset).min(size), anchor: vec2(0.0, 0.5) });
        }
    }
}
