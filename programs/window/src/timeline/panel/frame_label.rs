//! The plate with frame and time under the pointer.

use egui::{FontId, Rect, Stroke, StrokeKind, Ui, pos2, vec2};

use super::axis::Axis;
use crate::widgets::theme::Palette;
use pchr::Animator;

/// Distance to the edges of the window in points.
const MARGIN: f32 = 2.0;

/// Returns the text for a position in frames.
fn text(position: f64, animator: &Animator) -> String {
    let (playback, frame) = (animator.playback(0), position.floor());
    let secs = playback.animation().map(|id| animator.model().animation(id).seconds_at(position));
    match secs {
        Some(secs) if secs.is_finite() => format!("{frame} · {secs:.2} s"),
        _ => frame.to_string(),
    }
}

/// Paints the plate for `position`, in frames, centred above its line, but within the window.
pub fn paint(ui: &Ui, axis: &Axis, position: f64, top: f32, animator: &Animator) {
    let palette = Palette::of(ui.visuals());
    let text = text(position, animator);
    let galley = ui.painter().layout_no_wrap(text, FontId::proportional(11.0), palette.text);
    let size = galley.size() + vec2(12.0, 4.0);
    let plate = Rect::from_center_size(pos2(axis.x_of(position), top + 0.5 * size.y), size);
    let plate = within(plate, ui.clip_rect());
    let painter = ui.painter();
    painter.rect(plate, 4.0, palette.panel, Stroke::new(1.0, palette.accent), StrokeKind::Inside);
    painter.galley(plate.center() - galley.size() * 0.5, galley, palette.text);
}

/// Moves `plate` horizontally into the window. If it is too wide, its beginning is visible.
fn within(plate: Rect, window: Rect) -> Rect {
    let right = window.right() - MARGIN - plate.width();
    let left = plate.left().min(right).max(window.left() + MARGIN);
    Rect::from_min_size(pos2(left, plate.top()), plate.size())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plate_is_never_cut_off() {
        let window = Rect::from_min_size(pos2(0.0, 0.0), vec2(240.0, 200.0));
        let at = |x: f32| within(Rect::from_center_size(pos2(x, 100.0), vec2(60.0, 16.0)), window);
        assert_eq!((at(120.0).left(), at(120.0).right()), (90.0, 150.0));
        assert_eq!((at(0.0).left(), at(238.0).right()), (2.0, 238.0));
        let wide = within(Rect::from_center_size(pos2(50.0, 0.0), vec2(400.0, 16.0)), window);
        assert_eq!(wide.left(), 2.0);
    }
}
