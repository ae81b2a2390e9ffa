//! Paints keys as diamonds. Keys that are too close to be told apart become a bar.

use egui::{Color32, Painter, Rect, Shape, Stroke, pos2};

use super::axis::Axis;
use pchr::motion::KeyTimes;

/// Keys closer than this, in points, are merged.
const MERGED: f32 = 4.0;
/// The pointer is on a key within this distance in points.
const NEAR: f32 = 6.0;

/// Paints the visible keys around the height `y`. `half` is half the size of a diamond.
pub fn paint(painter: &Painter, axis: &Axis, times: &KeyTimes, y: f32, half: f32, color: Color32) {
    // Diamonds whose centres are outside may still reach into the visible part.
    let margin = f64::from((half + axis.frame_width()) / axis.frame_width().max(f32::MIN_POSITIVE));
    let (start, end) = axis.visible();
    let (start, end) = (start - margin, end + margin);
    let reach = f64::from(MERGED / axis.frame_width().max(f32::MIN_POSITIVE));
    let mut next = times.next_after(start);
    while let Some(first) = next.filter(|first| *first <= end) {
        // The last key that can be reached from the first in steps that are too small to see.
        let mut last = first;
        let mut after = None;
        while last <= end {
            let within = times.last_before(last + reach).filter(|key| *key > last);
            match within {
                Some(key) => last = key,
                None => {
                    after = times.next_after(last);
                    break;
                }
            }
        }
        let [left, right] = [first, last].map(|key| axis.x_of(key));
        if right - left < 1.0 {
            diamond(painter, left, y, half, color);
        } else {
            let bar =
                Rect::from_x_y_ranges(left - half * 0.5..=right + half * 0.5, y - half * 0.6..=y + half * 0.6);
            painter.rect_filled(bar, half * 0.6, color);
        }
        next = after;
    }
}

/// Paints one key.
fn diamond(painter: &Painter, x: f32, y: f32, half: f32, color: Color32) {
    let points = vec![pos2(x, y - half), pos2(x + half, y), pos2(x, y + half), pos2(x - half, y)];
    painter.add(Shape::convex_polygon(points, color, Stroke::NONE));
}

/// Returns the key under the pointer.
pub fn key_at(axis: &Axis, times: &KeyTimes, x: f32) -> Option<f64> {
    let nearest = times.nearest(axis.unclamped_position_at(x))?;
    ((axis.x_of(nearest) - x).abs() <= NEAR).then_some(nearest)
}
