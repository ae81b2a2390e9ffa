//! The ruler of frames, with the keys of the whole animation below. Clicking or dragging seeks.
//!
//! Each frame has a line, with its number above and its keys below, and all frames are equally wide: the last frame of a
//! loop is as long as the first. If frames become too narrow, only every 2nd, 5th, 10th … has a line, and fewer have a
//! number.

use egui::accesskit::{Action, ActionData, Role};
use egui::{
    Align2, CornerRadius, CursorIcon, FontId, Rect, Response, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2,
    vec2,
};

use super::axis::{self, Axis};
use super::{TimelinePanel, frame_label, range, seam};
use crate::base::ticks;
use crate::playback::{Playback, playhead};
use crate::scene::events::Mark;
use crate::widgets::focus;
use crate::widgets::read_aloud;
use crate::widgets::theme::Palette;
use pchr::Animator;

/// Minimum distance between two ticks in points.
const MIN_TICK_DISTANCE: f32 = 6.0;
/// Heights in points.
#[derive(Debug, Clone, Copy)]
pub struct Heights {
    /// The row of numbers above the cells.
    numbers: f32,
    /// The cells.
    cells: f32,
    /// The keys below.
    keys: f32,
}

/// The heights of the whole ruler.
pub const WHOLE: Heights = Heights { numbers: 22.0, cells: 26.0, keys: 13.0 };
/// The heights of a ruler without numbers and keys, for low windows.
pub const LOW: Heights = Heights { numbers: 12.0, cells: 22.0, keys: 0.0 };
/// Vertical margin in points.
const MARGIN: f32 = 2.0;
/// Maximum number of events with a label for screen readers.
const MAX_NAMED: usize = 64;
/// Maximum distance in points at which an event is under the pointer.
const NEAR: f32 = 5.0;
/// Maximum number of events in the tooltip.
const MAX_POINTED: usize = 6;

/// Shows the ruler along `axis`. Returns true while the user drags the playhead, which must not advance meanwhile.
pub fn show(ui: &mut Ui, state: &mut TimelinePanel<'_>, axis: Axis, heights: Heights) -> bool {
    let Heights { numbers, cells, keys } = heights;
    let height = numbers + cells + keys + 2.0 * MARGIN;
    let (rect, place) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    // The names of rows are beside the axis: a click there is no click on a frame.
    let response = ui.interact(axis.part_of(rect), place.id.with("axis"), Sense::click_and_drag());
    let top = rect.top() + MARGIN;
    let cells = Rect::from_x_y_ranges(axis.track, top + numbers..=top + numbers + cells);
    let ruler = Ruler { axis, top, cells, keys };
    let numbers = Rect::from_x_y_ranges(rect.x_range(), rect.top()..=cells.top());
    let drags_range = range::follow_pointer(state, &axis, numbers, &response);
    if response.contains_pointer() {
        axis::follow_wheel(ui, &axis, &mut state.timeline.zoom, false);
    }
    let is_over_handle = range::is_over(state, &axis, numbers, &response);
    let is_held =
        !drags_range && !is_over_handle && follow_pointer(ui, &response, &axis, &mut state.playback.animator);
    follow_keys(ui, &response, state.playback);
    follow_screen_reader(ui, &response, &mut state.playback.animator);
    describe(ui, &response, &state.playback.animator);
    if ui.is_rect_visible(rect) {
        ruler.paint(ui, state, &response);
        if let Some(keyed) = state.timeline.keys.shown().filter(|_| keys > 0.0) {
            let palette = Palette::of(ui.visuals());
            let y = cells.bottom() + 0.5 * keys + 1.0;
            let painter = ui.painter_at(Rect::from_x_y_ranges(axis.track.expand(5.0), rect.y_range()));
            super::keys::paint(&painter, &axis, &keyed.all, y, 4.0, palette.text_weak);
        }
        range::paint(ui, state, &axis, numbers, cells, &response);
        if keys > 0.0 {
            seam::show(ui, state, cells, &response);
        }
        ruler.paint_marks(ui, &state.playback.animator, &state.playback.marks, &response);
        ruler.paint_playhead(ui, &state.playback.animator);
        if let Some(position) = ruler.pointed(ui, &state.playback.animator, &response) {
            frame_label::paint(ui, &axis, position, rect.top(), &state.playback.animator);
        }
    }
    if is_over_handle {
        response.on_hover_cursor(CursorIcon::ResizeHorizontal).on_hover_text("Drag to move the in or out point");
    } else {
        let pointed = response
            .hover_pos()
            .map(|pointer| ruler.marks_at(pointer.x, &state.playback.animator, &state.playback.marks));
        let pointed = pointed.unwrap_or_default();
        if !pointed.is_empty() {
            response.on_hover_text_at_pointer(pointed.join("\n"));
        }
    }
    is_held
}

/// Moves the playhead to the pointer. Returns true while it is held.
pub fn follow_pointer(ui: &Ui, response: &Response, axis: &Axis, animator: &mut Animator) -> bool {
    let is_held = response.is_pointer_button_down_on() && axis.frames > 0;
    if (is_held || response.clicked())
        && let Some(pointer) = response.interact_pointer_pos()
    {
        animator.seek(axis.seek_position_at(pointer.x, animator, axis::is_free(ui)));
    }
    is_held
}

/// With the keyboard focus, arrow keys step, and Space and Enter play or pause.
fn follow_keys(ui: &Ui, response: &Response, playback: &mut Playback) {
    let steps = focus::arrows(ui, response).x;
    if steps != 0.0 {
        playhead::step(&mut playback.animator, steps as i64);
    }
    if response.has_focus() && response.clicked() && response.interact_pointer_pos().is_none() {
        playhead::toggle(playback);
    }
}

fn follow_screen_reader(ui: &Ui, response: &Response, animator: &mut Animator) {
    let (steps, target) = ui.input(|input| {
        let count = |action| input.num_accesskit_action_requests(response.id, action) as i64;
        let mut values = input.accesskit_action_requests(response.id, Action::SetValue);
        let target = values.find_map(|request| match request.data {
            Some(ActionData::NumericValue(value)) => Some(value),
            _ => None,
        });
        (count(Action::Increment) - count(Action::Decrement), target)
    });
    if steps != 0 {
        playhead::step(animator, steps);
    }
    if let Some(target) = target {
        animator.seek(target);
    }
}

fn describe(ui: &Ui, response: &Response, animator: &Animator) {
    let enabled = ui.is_enabled() && animator.playback(0).frame_count() > 1;
    response.widget_info(|| WidgetInfo::slider(enabled, animator.playback(0).frame().into(), "Time"));
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_role(Role::Slider);
        node.set_min_numeric_value(0.0);
        node.set_max_numeric_value(animator.playback(0).frame_count().saturating_sub(1).into());
        node.set_numeric_value_step(1.0);
        node.add_action(Action::Increment);
        node.add_action(Action::Decrement);
        node.add_action(Action::SetValue);
    });
}

/// The ruler, laid out.
struct Ruler {
    axis: Axis,
    /// Top of the numbers.
    top: f32,
    /// The cells of the frames.
    cells: Rect,
    /// Height of the keys.
    keys: f32,
}

impl Ruler {
    /// Returns the position that a click would go to, in frames, while the pointer is over the ruler.
    fn pointed(&self, ui: &Ui, animator: &Animator, response: &Response) -> Option<f64> {
        let pointer = response.hover_pos().filter(|_| response.hovered() && self.axis.frames > 0)?;
        Some(self.axis.seek_position_at(pointer.x, animator, axis::is_free(ui)))
    }

    /// Returns the descriptions of the events under the pointer.
    fn marks_at(&self, x: f32, animator: &Animator, marks: &[Mark]) -> Vec<String> {
        let x_of = |mark: &Mark| self.axis.x_of(animator.playback(0).position_at(mark.secs));
        let near = marks.iter().filter(|mark| (x_of(mark) - x).abs() <= NEAR);
        near.map(|mark| format!("{:.3} s: {}", mark.secs, mark.text)).take(MAX_POINTED).collect()
    }

    /// Paints a flag for each event.
    fn paint_marks(&self, ui: &Ui, animator: &Animator, marks: &[Mark], response: &Response) {
        let palette = Palette::of(ui.visuals());
        let painter = ui.painter_at(response.rect);
        let top = self.cells.top();
        let reach = self.axis.track.expand(4.0);
        let (mut named, mut last) = (0, f32::NEG_INFINITY);
        for (number, mark) in marks.iter().enumerate() {
            let x = self.axis.x_of(animator.playback(0).position_at(mark.secs));
            if !reach.contains(x) {
                continue;
            }
            // Flags that cover each other are painted once.
            if (x - last).abs() >= 0.5 {
                last = x;
                let points = vec![pos2(x - 4.0, top), pos2(x + 4.0, top), pos2(x, top + 7.0)];
                painter.add(egui::Shape::convex_polygon(points, palette.accent, Stroke::NONE));
                let line = Stroke::new(1.0, palette.accent.gamma_multiply(0.6));
                painter.vline(x, top..=self.cells.bottom(), line);
            }
            // A label for screen readers.
            if named < MAX_NAMED {
                named += 1;
                let place = Rect::from_center_size(pos2(x, top + 4.0), vec2(8.0, 8.0));
                let text = format!("{} at {:.2} s: {}", mark.kind, mark.secs, mark.text);
                read_aloud(ui, place, response.id.with(("event", number)), &text);
            }
        }
    }

    fn paint(&self, ui: &Ui, state: &TimelinePanel<'_>, response: &Response) {
        let palette = Palette::of(ui.visuals());
        let painter = ui.painter();
        let (axis, groove) = (&self.axis, self.cells);
        let round = CornerRadius::same(4);
        painter.rect(groove, round, palette.sunken, Stroke::new(1.0, palette.line), StrokeKind::Inside);
        if axis.frames <= 1 {
            let text = if axis.frames == 0 { "no frames" } else { "one frame" };
            let font = FontId::proportional(12.0);
            painter.text(groove.center(), Align2::CENTER_CENTER, text, font, palette.text_weak);
            return;
        }
        let painter = ui.painter_at(groove);
        let playback = state.playback.animator.playback(0);
        let now = axis.x_of(playback.position());
        painter.rect_filled(groove.with_max_x(now).shrink(1.0), round, palette.accent_faint);
        self.paint_ticks(ui, palette);
        if let Some(position) = self.pointed(ui, &state.playback.animator, response) {
            painter.vline(axis.x_of(position), groove.y_range(), Stroke::new(1.0, palette.text_weak));
        }
        if !state.timeline.zoom.is_whole() {
            self.paint_visible_part(ui, palette);
        }
    }

    /// Paints a bar that shows which part of the animation is visible.
    fn paint_visible_part(&self, ui: &Ui, palette: &Palette) {
        let (start, end) = self.axis.visible();
        let track = self.axis.track;
        let at = |position: f64| track.min + track.span() * (position / self.axis.length) as f32;
        let y = self.cells.bottom() + self.keys;
        ui.painter().hline(track, y, Stroke::new(2.0, palette.line));
        ui.painter().hline(at(start)..=at(end).max(at(start) + 3.0), y, Stroke::new(2.0, palette.text_weak));
    }

    fn paint_playhead(&self, ui: &Ui, animator: &Animator) {
        let now = self.axis.x_of(animator.playback(0).position());
        if self.axis.frames <= 1 || !self.axis.track.expand(1.0).contains(now) {
            return;
        }
        let palette = Palette::of(ui.visuals());
        let line = self.cells.top() - 4.0..=self.cells.bottom() + self.keys;
        ui.painter().vline(now, line, Stroke::new(2.0, palette.accent));
        let handle = Rect::from_center_size(pos2(now, self.cells.top() - 3.0), vec2(11.0, 9.0));
        ui.painter().rect_filled(handle, 3.0, palette.accent);
    }

    fn paint_ticks(&self, ui: &Ui, palette: &Palette) {
        let (axis, groove) = (&self.axis, self.cells);
        let painter = ui
            .painter_at(Rect::from_x_y_ranges(axis.track.expand(axis::MARGIN + 4.0), self.top..=groove.bottom()));
        let font = FontId::proportional(11.0);
        let widest = painter.layout_no_wrap(axis.frames.to_string(), font.clone(), palette.text_weak).size().x;
        let frames = |points: f32| whole_step((points / axis.frame_width()).into());
        let step = frames(MIN_TICK_DISTANCE);
        let label_step = frames(widest + 18.0).max(step);
        let (start, end) = axis.visible();
        let first = (start.max(0.0) as u64 / label_step * label_step) as u32;
        let end = (end.ceil() as u32).saturating_add(1).min(axis.frames);
        for frame in (first..end).step_by(step as usize) {
            let x = axis.x_of(frame.into());
            if x < axis.track.min - axis.frame_width() {
                continue;
            }
            let is_labelled = self.keys > 0.0 && u64::from(frame).is_multiple_of(label_step);
            let length = if is_labelled { 10.0 } else { 5.0 };
            let color = if is_labelled { palette.text_weak } else { palette.line };
            if axis.track.contains(x) {
                painter.vline(x, groove.bottom() - length..=groove.bottom() - 1.0, Stroke::new(1.0, color));
            }
            if is_labelled && axis.track.contains(x) {
                painter.text(pos2(x, self.top), Align2::CENTER_TOP, frame, font.clone(), palette.text_weak);
            }
        }
    }
}

/// Returns the smallest of 1, 2, 5, 10, 20, 50 … that is at least `least`.
fn whole_step(least: f64) -> u64 {
    ticks::step(least.max(1.0)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_thinned_out_in_round_numbers_of_frames() {
        assert_eq!([0.1, 1.0, 1.1, 2.5, 7.0, 11.0, 430.0].map(whole_step), [1, 1, 2, 5, 10, 20, 500]);
        // The frames of an axis without width.
        assert!([f64::INFINITY, f64::NAN].map(whole_step).iter().all(|step| *step > 0));
    }
}
