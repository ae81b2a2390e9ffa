//! The overlay of bounds: world-aligned rectangles around the character and around each slot.

use super::Shown;
use super::marker::{PURPLE, WHITE};
use super::pen::rimmed;
use super::scratch::MarkScratch;
use crate::draw::OverlayVertex;
use crate::math::{Rect, Vec2, vec2};
use crate::pose;

/// Widths in picture pixels.
const OF_SLOT: f32 = 1.0;
const OF_CHARACTER: f32 = 1.5;

/// Appends the rectangles, the character's on top.
pub fn append(shown: &Shown<'_>, scratch: &mut MarkScratch, out: &mut Vec<OverlayVertex>) {
    let Shown { model, pose, palette, .. } = *shown;
    let corners = &mut scratch.points;
    corners.clear();
    let mut whole = Rect::NOTHING;
    for mesh in shown.meshes() {
        let bounds = pose::slot_bounds(model, pose, mesh.slot, palette);
        whole = whole.union(bounds);
        corners.extend(corners_of(bounds).into_iter().flatten());
    }
    // All rims go below all marks, as rectangles cross each other often.
    rimmed(shown, PURPLE, out, |pen| {
        corners.as_chunks::<4>().0.iter().for_each(|corners| pen.lines(corners, true, OF_SLOT));
    });
    rimmed(shown, WHITE, out, |pen| {
        corners_of(whole).iter().for_each(|corners| pen.lines(corners, true, OF_CHARACTER));
    });
}

/// Returns the corners; `None` if there is nothing in the rectangle.
fn corners_of(Rect { min, max }: Rect) -> Option<[Vec2; 4]> {
    min.cmple(max).all().then(|| [min, vec2(max.x, min.y), max, vec2(min.x, max.y)])
}
