//! The overlay of bounds: world-aligned rectangles around the character and around each slot.

use super::Shown;
use super::marker::{PURPLE, WHITE};
use super::pen::rimmed;
use crate::draw::OverlayVertex;
use crate::math::{Rect, vec2};
use crate::pose;

/// Widths in picture pixels.
const OF_SLOT: f32 = 0.75;
const OF_CHARACTER: f32 = 1.5;

/// Appends the rectangles; that of the character is on top.
pub fn append(shown: &Shown<'_>, out: &mut Vec<OverlayVertex>) {
    let Shown { model, pose, palette, .. } = *shown;
    let mut whole = Rect::NOTHING;
    for mesh in shown.meshes() {
        let bounds = pose::slot_bounds(model, pose, mesh.slot, palette);
        whole = whole.union(bounds);
        append_rect(shown, bounds, PURPLE, OF_SLOT, out);
    }
    append_rect(shown, whole, WHITE, OF_CHARACTER, out);
}

fn append_rect(shown: &Shown<'_>, rect: Rect, color: [u8; 4], width: f32, out: &mut Vec<OverlayVertex>) {
    let Rect { min, max } = rect;
    if min.cmple(max).all() {
        let corners = [min, vec2(max.x, min.y), max, vec2(min.x, max.y)];
        rimmed(shown, color, out, |pen| pen.lines(&corners, true, width));
    }
}
