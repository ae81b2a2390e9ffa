//! The overlay of points: a dot at each, and an arrow in its direction.

use super::Shown;
use super::marker::YELLOW;
use super::pen::rimmed;
use super::scratch::MarkScratch;
use crate::draw::OverlayVertex;
use crate::math::angle::sin_cos_radians;
use crate::math::vec2;
use crate::pose;

/// In picture pixels.
const RADIUS: f32 = 3.0;
const LENGTH: f32 = 18.0;
const HEAD: f32 = 6.0;
const WIDTH: f32 = 1.5;

/// Appends the points.
pub fn append(shown: &Shown<'_>, _: &mut MarkScratch, out: &mut Vec<OverlayVertex>) {
    let Shown { model, pose, palette, .. } = *shown;
    let pixel = shown.pixel();
    for point in pose.draw_order.iter().filter_map(|slot| pose::point(model, pose, *slot, palette)) {
        let (sin, cos) = sin_cos_radians(point.rotation_radians.into());
        let along = vec2(cos as f32, sin as f32);
        let across = vec2(-along.y, along.x);
        let tip = point.position + along * (LENGTH * pixel);
        let barb = |side: f32| tip - (along - across * side) * (HEAD * pixel);
        rimmed(shown, YELLOW, out, |pen| {
            pen.line(point.position, tip, WIDTH);
            pen.line(barb(0.6), tip, WIDTH);
            pen.line(barb(-0.6), tip, WIDTH);
            pen.dot(point.position, RADIUS);
        });
    }
}
