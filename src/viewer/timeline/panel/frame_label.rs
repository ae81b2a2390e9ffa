//! The plate with frame and time under the pointer.

use egui::{FontId, Rect, Stroke, StrokeKind, Ui, pos2, vec2};

use super::axis::Axis;
use crate::Animator;
use crate::viewer::widgets::theme::Palette;

/// Distance to the edges of the window in points.
const MARGIN: f32 = 2.0;

/// Returns the text for a frame.
fn text(frame: u32, animator: &Animator) -> String {
    let playback = animator.playback(0);
    let secs = playback.animation().map(|id| animator.model().animation(id).seconds_at(frame.into()));
    match secs {
        Some(secs) if secs.is_finite() => format!("{frame} · {secs:.2} s"),
        _ => frame.to_string(),
    }
}

/// Paints the plate above the cell of `frame`, centred on it, but within the window.
pub fn paint(ui: &Ui, axis: &Axis, frame: u32, top: f32, animator: &Animator) {
    let palette = Palette::of(ui.visuals());
    let text = text(frame, animator);
    let galley = ui.painter().layout_no_wrap(text, FontId::proportional(11.0), palette.text);
    let size = galley.size() + vec2(12.0, 4.0);
    let [left, right] = [frame, frame + 1].map(|frame| axis.x_of(frame.into()));
    let visible = |x: f32| x.clamp(axis.track.min, axis.track.max.max(axis.track.min));
    let middle = 0.5 * (visible(left) + visible(right));
    let plate = within(Rect::from_center_size(pos2(middle, top + 0.5 * size.y), size), ui.clip_rect());
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
