//! The overlay of paths: smooth curves with their knots.

use super::Shown;
use super::marker::GREEN;
use super::pen::rimmed;
use super::scratch::MarkScratch;
use crate::draw::OverlayVertex;
use crate::math::Vec2;
use crate::model::Attachment;

/// In picture pixels.
const WIDTH: f32 = 1.5;
const KNOT: f32 = 2.5;

/// Lines per curve.
const LINES: usize = 24;

/// Appends each path.
pub fn append(shown: &Shown<'_>, scratch: &mut MarkScratch, out: &mut Vec<OverlayVertex>) {
    let MarkScratch { points: corners, curve: points, .. } = scratch;
    for (_, attachment, deform) in shown.attachments() {
        let Attachment::Path(path) = attachment else { continue };
        shown.listed_positions(&path.vertices, deform, corners);
        // Each knot with the handles before and after it.
        let knots = corners.as_chunks::<3>().0;
        points.clear();
        for index in 0..path.curve_count() {
            let ([_, from, leaving], [arriving, to, _]) = (knots[index], knots[(index + 1) % knots.len()]);
            points
                .extend((0..LINES).map(|step| bezier([from, leaving, arriving, to], step as f32 / LINES as f32)));
        }
        if !path.closed {
            points.extend(knots.last().map(|[_, knot, _]| *knot));
        }
        rimmed(shown, GREEN, out, |pen| {
            pen.lines(points, path.closed, WIDTH);
            knots.iter().for_each(|[_, knot, _]| pen.dot(*knot, KNOT));
        });
    }
}

fn bezier([a, b, c, d]: [Vec2; 4], t: f32) -> Vec2 {
    let s = 1.0 - t;
    a * (s * s * s) + b * (3.0 * s * s * t) + c * (3.0 * s * t * t) + d * (t * t * t)
}
