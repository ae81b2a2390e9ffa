//! The overlay of draw order: the number of each slot at the middle of what it shows, 1 at the back.

use super::{OverlayLabel, Shown};
use crate::math::{Rect, vec2};
use crate::pose;

/// Calls `visit` with each number, from the front, whose slots are easier to see.
pub fn label(shown: &Shown<'_>, visit: &mut dyn FnMut(OverlayLabel<'_>)) {
    let Shown { model, pose, palette, view, .. } = *shown;
    let mut meshes: Vec<_> = shown.meshes().collect();
    meshes.reverse();
    for mesh in meshes {
        let Rect { min, max } = pose::slot_bounds(model, pose, mesh.slot, palette);
        if min.cmple(max).all() {
            let at = view.pixel_from_world((min + max) * 0.5);
            visit(OverlayLabel { text: &(mesh.place + 1).to_string(), at, anchor: vec2(0.5, 0.5) });
        }
    }
}
