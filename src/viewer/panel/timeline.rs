//! The timeline: a ruler of frames. Clicking or dragging seeks.
//!
//! All frames have cells of equal width, so the last frame of a loop is as long as the first. If cells become too
//! narrow, only every 2nd, 5th, 10th … frame has a tick, and fewer have a number.

use egui::accesskit::{Action, ActionData, Role};
use egui::{Align2, CornerRadius, FontId, Rect, Response, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};

use crate::player::Animator;
use crate::viewer::focus;
use crate::viewer::marks::Mark;
use crate::viewer::playhead;
use crate::viewer::theme::Palette;

/// Minimum distance between two ticks in points.
const MIN_TICK_DISTANCE: f32 = 6.0;
const HEIGHT: f32 = 52.0;
/// Height of the row of numbers above the cells, in points.
const NUMBERS: f32 = 22.0;

/// Shows the timeline. Returns true while the user drags the playhead, which must not advance meanwhile.
pub fn show(ui: &mut Ui, animator: &mut Animator, marks: &[Mark]) -> bool {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::click_and_drag());
    let track = rect.shrink2(vec2(10.0, 2.0));
    let ruler = Ruler { track, frames: animator.playback(0).frame_count(), length: animator.playback(0).length() };
    let is_held = follow_pointer(&response, &ruler, animator);
    follow_keys(ui, &response, animator);
    follow_screen_reader(ui, &response, animator);
    describe(ui, &response, animator);
    if ui.is_rect_visible(rect) {
        ruler.paint(ui, animator, &response);
        ruler.paint_marks(ui, animator, marks, &response);
    }
    let pointed =
        response.hover_pos().map(|pointer| ruler.marks_at(pointer.x, animator, marks)).unwrap_or_default();
    if !pointed.is_empty() {
        response.on_hover_text_at_pointer(pointed.join("\n"));
    }
    is_held
}

fn follow_pointer(response: &Response, ruler: &Ruler, animator: &mut Animator) -> bool {
    let is_held = response.is_pointer_button_down_on() && animator.playback(0).frame_count() > 0;
    if (is_held || response.clicked())
        && let Some(pointer) = response.interact_pointer_pos()
    {
        // Positions between frames only make a difference if frames are blended.
        let position = if animator.interpolates() || animator.playback(0).is_keyed() {
            ruler.position_at(pointer.x)
        } else {
            f64::from(ruler.frame_at(pointer.x))
        };
        animator.seek(position);
    }
    is_held
}

/// With the keyboard focus, arrow keys step, and Space and Enter play or pause.
fn follow_keys(ui: &Ui, response: &Response, animator: &mut Animator) {
    let steps = focus::arrows(ui, response).x;
    if steps != 0.0 {
        playhead::step(animator, steps as i64);
    }
    if response.has_focus() && response.clicked() && response.interact_pointer_pos().is_none() {
        playhead::toggle(animator);
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

/// Frames laid out along a line.
struct Ruler {
    track: Rect,
    frames: u32,
    /// Length in frames, possibly fractional.
    length: f64,
}

/// Maximum number of events with a label for screen readers.
const MAX_NAMED: usize = 64;
/// Maximum distance in points at which an event is under the pointer.
const NEAR: f32 = 5.0;
/// Maximum number of events in the tooltip.
const MAX_POINTED: usize = 6;

impl Ruler {
    /// Returns the length, or 1 if it is 0, as a divisor.
    fn whole(&self) -> f64 {
        if self.length > 0.0 { self.length } else { 1.0 }
    }

    fn cell(&self) -> f32 {
        self.track.width().max(0.0) / self.whole() as f32
    }

    fn x_of(&self, position: f64) -> f32 {
        let share = (position / self.whole()).min(1.0);
        self.track.left() + (f64::from(self.track.width()) * share) as f32
    }

    fn position_at(&self, x: f32) -> f64 {
        let share = f64::from((x - self.track.left()) / self.track.width().max(1.0)).clamp(0.0, 1.0);
        share * self.length
    }

    /// Returns the descriptions of the events under the pointer.
    fn marks_at(&self, x: f32, animator: &Animator, marks: &[Mark]) -> Vec<String> {
        let is_near = |mark: &&Mark| (self.x_of(animator.playback(0).position_at(mark.secs)) - x).abs() <= NEAR;
        let texts = marks.iter().filter(is_near).map(|mark| format!("{:.3} s: {}", mark.secs, mark.text));
        texts.take(MAX_POINTED).collect()
    }

    /// Paints a flag for each event.
    fn paint_marks(&self, ui: &Ui, animator: &Animator, marks: &[Mark], response: &Response) {
        let palette = Palette::of(ui.visuals());
        let top = self.track.top() + NUMBERS;
        for (number, mark) in marks.iter().enumerate() {
            let x = self.x_of(animator.playback(0).position_at(mark.secs));
            let points = vec![pos2(x - 4.0, top), pos2(x + 4.0, top), pos2(x, top + 7.0)];
            ui.painter().add(egui::Shape::convex_polygon(points, palette.accent, Stroke::NONE));
            ui.painter().vline(x, top..=self.track.bottom(), Stroke::new(1.0, palette.accent.gamma_multiply(0.6)));
            // A label for screen readers.
            if number < MAX_NAMED {
                let place = Rect::from_center_size(pos2(x, top + 4.0), vec2(8.0, 8.0));
                let label = ui.interact(place, response.id.with(("event", number)), Sense::hover());
                let text = format!("Event at {:.2} s: {}", mark.secs, mark.text);
                label.widget_info(|| WidgetInfo::labeled(Role::Label, true, &text));
            }
        }
    }

    fn frame_at(&self, x: f32) -> u32 {
        (self.position_at(x) as u32).min(self.frames.saturating_sub(1))
    }

    fn paint(&self, ui: &Ui, animator: &Animator, response: &Response) {
        let palette = Palette::of(ui.visuals());
        let painter = ui.painter();
        let groove = Rect::from_min_max(pos2(self.track.left(), self.track.top() + NUMBERS), self.track.max);
        let round = CornerRadius::same(4);
        painter.rect(groove, round, palette.sunken, Stroke::new(1.0, palette.line), StrokeKind::Inside);
        if self.frames == 0 {
            let font = FontId::proportional(12.0);
            painter.text(groove.center(), Align2::CENTER_CENTER, "no frames", font, palette.text_weak);
            return;
        }
        let now = self.x_of(animator.playback(0).position());
        painter.rect_filled(groove.with_max_x(now).shrink(1.0), round, palette.accent_faint);
        if self.cell() >= 3.0 {
            let frame = f64::from(animator.playback(0).frame());
            let cell = Rect::from_x_y_ranges(self.x_of(frame)..=self.x_of(frame + 1.0), groove.y_range());
            painter.rect_filled(cell.shrink2(vec2(0.0, 1.0)), 2.0, palette.accent.gamma_multiply(0.35));
        }
        self.paint_ticks(ui, groove, palette);
        if response.hovered()
            && let Some(pointer) = response.hover_pos()
        {
            let frame = self.frame_at(pointer.x);
            let x = self.x_of(frame.into());
            painter.vline(x, groove.y_range(), Stroke::new(1.0, palette.text_weak));
            self.paint_pointed(ui, frame, x, palette);
        }
        painter.vline(
            now,
            self.track.top() + NUMBERS - 4.0..=self.track.bottom(),
            Stroke::new(2.0, palette.accent),
        );
        let handle = Rect::from_center_size(pos2(now, self.track.top() + NUMBERS - 3.0), vec2(11.0, 9.0));
        painter.rect_filled(handle, 3.0, palette.accent);
    }

    /// Paints the number of the frame under the pointer, over those of the ruler.
    fn paint_pointed(&self, ui: &Ui, frame: u32, x: f32, palette: &Palette) {
        let font = FontId::proportional(11.0);
        let text = ui.painter().layout_no_wrap(frame.to_string(), font, palette.text);
        let half = text.size().x * 0.5 + 6.0;
        // `max` comes last: the window may be narrower than the number.
        let x = x.min(self.track.right() - half + 8.0).max(self.track.left() + half - 8.0);
        let plate = Rect::from_x_y_ranges(x - half..=x + half, self.track.top() - 2.0..=self.track.top() + 15.0);
        ui.painter().rect(plate, 4.0, palette.panel, Stroke::new(1.0, palette.accent), StrokeKind::Inside);
        ui.painter().galley(plate.center() - text.size() * 0.5, text, palette.text);
    }

    fn paint_ticks(&self, ui: &Ui, groove: Rect, palette: &Palette) {
        let painter = ui.painter();
        let font = FontId::proportional(11.0);
        let widest = painter.layout_no_wrap(self.frames.to_string(), font.clone(), palette.text_weak).size().x;
        let step = nice_step(f64::from(MIN_TICK_DISTANCE / self.cell()));
        let label_step = nice_step(f64::from((widest + 18.0) / self.cell())).max(step);
        for frame in (0..self.frames).step_by(step as usize) {
            let x = self.x_of(frame.into());
            let is_labelled = u64::from(frame).is_multiple_of(label_step);
            let length = if is_labelled { 10.0 } else { 5.0 };
            let color = if is_labelled { palette.text_weak } else { palette.line };
            painter.vline(x, groove.bottom() - length..=groove.bottom() - 1.0, Stroke::new(1.0, color));
            if is_labelled {
                // Above the centre of its cell, or above the tick if cells are too narrow.
                let x = x + if self.cell() > 14.0 { self.cell() * 0.5 } else { 0.0 };
                let at = pos2(x, self.track.top());
                let align =
                    if x - self.track.left() < widest * 0.5 { Align2::LEFT_TOP } else { Align2::CENTER_TOP };
                painter.text(at, align, frame, font.clone(), palette.text_weak);
            }
        }
    }
}

/// Returns the smallest of 1, 2, 5, 10, 20, 50 … that is at least `least`.
fn nice_step(least: f64) -> u64 {
    let mut unit = 1u64;
    while unit < 1_000_000_000 {
        for step in [unit, 2 * unit, 5 * unit] {
            if step as f64 >= least {
                return step;
            }
        }
        unit *= 10;
    }
    unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_thinned_out_in_round_numbers() {
        assert_eq!([0.1, 1.0, 1.1, 2.5, 7.0, 11.0, 430.0].map(nice_step), [1, 1, 2, 5, 10, 20, 500]);
        assert!(nice_step(f64::INFINITY) > 0);
    }

    #[test]
    fn every_pixel_of_the_ruler_is_a_frame_that_exists() {
        for frames in [1, 2, 24, 65_535] {
            let ruler = Ruler {
                track: Rect::from_min_size(pos2(10.0, 0.0), vec2(700.0, 40.0)),
                frames,
                length: frames.into(),
            };
            assert_eq!((ruler.frame_at(-50.0), ruler.frame_at(900.0)), (0, frames - 1));
            for frame in [0, frames / 2, frames - 1] {
                assert_eq!(ruler.frame_at(ruler.x_of(f64::from(frame) + 0.5)), frame, "{frames}");
            }
        }
    }
}
