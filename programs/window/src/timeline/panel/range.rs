//! The in and out points: the shaded part outside of them, and handles that can be dragged.

use egui::{Rect, Response, Stroke, Ui, pos2, vec2};

use super::TimelinePanel;
use super::axis::Axis;
use crate::playback::range::RangeEnd;
use crate::widgets::read_aloud;
use crate::widgets::theme::Palette;

/// The pointer is on a handle within this distance in points.
const NEAR: f32 = 7.0;

/// Returns where the range starts and ends.
fn ends(state: &TimelinePanel<'_>, axis: &Axis) -> Option<[f32; 2]> {
    let range = state.playback.range()?;
    Some([axis.x_of((*range.start()).into()), axis.x_of(f64::from(*range.end()) + 1.0)])
}

/// Lets the pointer drag the handles, which are in `strip`. Returns true while it does.
pub fn follow_pointer(state: &mut TimelinePanel<'_>, axis: &Axis, strip: Rect, response: &Response) -> bool {
    if !response.is_pointer_button_down_on() {
        state.timeline.held = None;
        return false;
    }
    let Some(pointer) = response.interact_pointer_pos() else { return false };
    if response.ctx.input(|input| input.pointer.any_pressed())
        && strip.y_range().contains(pointer.y)
        && let Some([left, right]) = ends(state, axis)
    {
        let [to_left, to_right] = [left, right].map(|x| (pointer.x - x).abs());
        state.timeline.held = match () {
            () if to_left.min(to_right) > NEAR => None,
            // If the handles touch, the side of the pointer decides.
            () if to_left < to_right || (to_left == to_right && pointer.x < left) => Some(RangeEnd::In),
            () => Some(RangeEnd::Out),
        };
    }
    let Some(end) = state.timeline.held else { return false };
    let last = axis.frames.saturating_sub(1);
    let Some(range) = state.playback.range() else { return true };
    // A handle stops at the other one. At both ends of the animation the range stays, until the handle is released.
    let frame = match end {
        RangeEnd::In => (axis.position_at(pointer.x).round() as u32).min(*range.end()),
        RangeEnd::Out => {
            let after = axis.position_at(pointer.x).round() as u32;
            after.saturating_sub(1).clamp(*range.start(), last)
        }
    };
    let would_vanish = match end {
        RangeEnd::In => frame == 0 && *range.end() == last,
        RangeEnd::Out => frame == last && *range.start() == 0,
    };
    if !would_vanish {
        state.playback.set_range_end(end, frame);
    }
    true
}

/// Shades what is outside the range and paints the handles.
pub fn paint(ui: &Ui, state: &TimelinePanel<'_>, axis: &Axis, strip: Rect, groove: Rect, response: &Response) {
    let Some([left, right]) = ends(state, axis) else { return };
    let palette = Palette::of(ui.visuals());
    let painter = ui.painter_at(Rect::from_x_y_ranges(
        axis.track.min - 8.0..=axis.track.max + 8.0,
        strip.top()..=groove.bottom(),
    ));
    let shade = palette.panel.gamma_multiply(0.72);
    painter.rect_filled(groove.with_max_x(left).shrink(1.0), 0.0, shade);
    painter.rect_filled(groove.with_min_x(right).shrink(1.0), 0.0, shade);
    let bar = Rect::from_x_y_ranges(left..=right, strip.bottom() - 4.0..=strip.bottom() - 1.0);
    painter.rect_filled(bar, 1.0, palette.warning);
    for (x, inwards) in [(left, 1.0), (right, -1.0)] {
        painter.vline(x, strip.bottom() - 8.0..=groove.bottom(), Stroke::new(2.0, palette.warning));
        let flag = vec![
            pos2(x, strip.bottom() - 11.0),
            pos2(x + 7.0 * inwards, strip.bottom() - 7.0),
            pos2(x, strip.bottom() - 3.0),
        ];
        painter.add(egui::Shape::convex_polygon(flag, palette.warning, Stroke::NONE));
    }
    describe(ui, state, strip, [left, right], response);
}

/// Adds labels for screen readers.
fn describe(ui: &Ui, state: &TimelinePanel<'_>, strip: Rect, ends: [f32; 2], response: &Response) {
    let Some(range) = state.playback.range() else { return };
    for (name, frame, x) in [("In point", *range.start(), ends[0]), ("Out point", *range.end(), ends[1])] {
        let place = Rect::from_center_size(pos2(x, strip.bottom() - 6.0), vec2(2.0 * NEAR, 10.0));
        let text = format!("{name}: frame {frame}");
        read_aloud(ui, place.intersect(response.rect), response.id.with(name), &text);
    }
}

/// Returns true if the pointer is over a handle.
pub fn is_over(state: &TimelinePanel<'_>, axis: &Axis, strip: Rect, response: &Response) -> bool {
    let is_near = |pointer: egui::Pos2| {
        let ends = ends(state, axis).into_iter().flatten();
        strip.y_range().contains(pointer.y) && ends.into_iter().any(|x| (pointer.x - x).abs() <= NEAR)
    };
    state.timeline.held.is_some() || response.hover_pos().is_some_and(is_near)
}
