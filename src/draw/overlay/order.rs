//! The overlay of draw order: the number of each slot in the middle of its attachment, 1 at the back.

use std::fmt::Write;

use super::scratch::LabelScratch;
use super::{OverlayLabel, Shown};
use crate::math::{Rect, vec2};
use crate::pose;

/// Calls `visit` with each number, from the front, whose slots are easier to see.
pub fn label(shown: &Shown<'_>, scratch: &mut LabelScratch, visit: &mut dyn FnMut(OverlayLabel<'_>)) {
    let Shown { model, pose, palette, view, .. } = *shown;
    for mesh in shown.meshes().rev() {
        let Rect { min, max } = pose::slot_bounds(model, pose, mesh.slot, palette);
        if min.cmple(max).all() {
            let at = view.pixel_from_world((min + max) * 0.5);
            scratch.text.clear();
            // Writing to a string never fails.
            _ = write!(scratch.text, "{}", mesh.place + 1);
            visit(OverlayLabel { text: &scratch.text, at, anchor: vec2(0.5, 0.5) });
        }
    }
}
