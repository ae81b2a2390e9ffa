//! The overlay of bounding boxes: polygons for hit tests.

use super::Shown;
use super::marker::SKY;
use super::pen::rimmed;
use super::scratch::MarkScratch;
use crate::draw::OverlayVertex;
use crate::model::Attachment;

/// Width and radius in picture pixels.
const WIDTH: f32 = 1.5;
const CORNER: f32 = 2.0;

/// Appends the outline and the corners of each bounding box.
pub fn append(shown: &Shown<'_>, scratch: &mut MarkScratch, out: &mut Vec<OverlayVertex>) {
    let corners = &mut scratch.points;
    for (_, attachment, deform) in shown.attachments() {
        let Attachment::Bounds(polygon) = attachment else { continue };
        shown.listed_positions(&polygon.vertices, deform, corners);
        rimmed(shown, SKY, out, |pen| {
            pen.lines(corners, true, WIDTH);
            corners.iter().for_each(|corner| pen.dot(*corner, CORNER));
        });
    }
}
