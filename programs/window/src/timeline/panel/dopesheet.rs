//! The dopesheet: a row for each target with its keys, and on demand one for each of its channels.

use egui::accesskit::Role;
use egui::{
    Button, Color32, EventFilter, FontId, Id, Key, Modifiers, Painter, Rect, Response, Sense, Shape, Stroke,
    StrokeKind, Ui, WidgetInfo, pos2, vec2,
};

use super::TimelinePanel;
use super::axis::{self, Axis};
use super::keys;
use crate::base::name::many;
use crate::parts::inspection::states_keys;
use crate::timeline::{Keyed, Line, TimelineView, selected_of, target_of};
use crate::widgets::actions::{Action, KeyAt};
use crate::widgets::one_line;
use crate::widgets::rows::Rows;
use crate::widgets::theme::Palette;
use pchr::Animator;
use pchr::motion::{KeyTarget, KeyTimes};

/// Row height in points.
const ROW: f32 = 22.0;
/// Minimum height of the list in points: two rows.
const MIN_HEIGHT: f32 = 46.0;
/// Width in points of the button that expands a row, and of the sign of a target.
const EXPANDER: f32 = 18.0;
const SIGN: f32 = 18.0;

/// What the user did to a row.
#[derive(Debug, Clone, Copy)]
enum RowInput {
    Expand(KeyTarget),
    Select(KeyTarget),
    GoTo(f64),
    /// Open the menu, on a key or beside it.
    Point(Option<KeyAt>),
    CopyPointer(KeyAt),
}

/// Shows the rows along `axis`. Returns the height of all rows, and true while the user drags the playhead.
pub fn show(ui: &mut Ui, state: &mut TimelinePanel<'_>, axis: Axis) -> (f32, bool) {
    let area = ui.available_rect_before_wrap();
    if ui.rect_contains_pointer(area) {
        axis::follow_wheel(ui, &axis, &mut state.timeline.zoom, true);
    }
    let lines = state.timeline.lines();
    let palette = Palette::of(ui.visuals());
    let Some(keyed) = state.timeline.keys.shown().filter(|_| !lines.is_empty()) else {
        let text = match state.timeline.keys.shown() {
            Some(keyed) if keyed.targets.is_empty() => "This animation has no keys",
            Some(_) => "No row matches the filter",
            None if state.playback.animator.playback(0).animation().is_none() => axis::NOTHING_PLAYS,
            None => "Listing keys…",
        };
        ui.centered_and_justified(|ui| ui.weak(text));
        return (MIN_HEIGHT, false);
    };
    let selected = state.parts.selected.and_then(target_of);
    let now = state.playback.animator.playback(0).position();
    let animator = &state.playback.animator;
    let (mut inputs, mut is_held) = (Vec::new(), false);
    let has_menu = state.playback.character().is_some_and(|character| states_keys(character));
    let rows = Rows { count: lines.len(), height: ROW };
    // Scroll to the row of what is selected elsewhere.
    let reveal = selected
        .and_then(|selected| Some((Id::unique(("dopesheet row", selected)), keyed.place(&lines, selected)?)));
    rows.show(ui, "dopesheet", area.height(), reveal, |ui, place| {
        let row = Row { keyed, line: *lines.get(place)?, axis: &axis, animator, now, palette };
        let is_selected = selected == Some(row.target());
        let response = row.show(ui, state.timeline, is_selected, &mut inputs);
        if has_menu {
            row.menu(&response, state.timeline.pointed, &mut inputs);
        }
        is_held |= response.is_pointer_button_down_on() && axis.track.contains(row.pointer_x(&response)?);
        Some(response)
    });
    let x = axis.x_of(now);
    if axis.track.contains(x) {
        ui.painter_at(area).vline(x, area.y_range(), Stroke::new(1.5, palette.accent));
    }
    for input in inputs {
        match input {
            RowInput::Expand(target) => state.timeline.toggle_expanded(target),
            RowInput::Select(target) => state.parts.selected = selected_of(target).or(state.parts.selected),
            RowInput::Point(key) => state.timeline.pointed = key,
            RowInput::CopyPointer(key) => state.actions.push(Action::CopyPointer(key)),
            RowInput::GoTo(position) => {
                if is_held {
                    state.playback.animator.seek(position);
                } else {
                    state.timeline.go_to(state.playback, position);
                }
            }
        }
    }
    (rows.total().max(MIN_HEIGHT), is_held)
}

/// A row that is being shown.
struct Row<'a> {
    keyed: &'a Keyed,
    line: Line,
    axis: &'a Axis,
    animator: &'a Animator,
    now: f64,
    palette: &'a Palette,
}

impl Row<'_> {
    fn target(&self) -> KeyTarget {
        self.keyed.targets[self.line.target].target
    }

    fn pointer_x(&self, response: &Response) -> Option<f32> {
        response.interact_pointer_pos().map(|pointer| pointer.x)
    }

    fn show(&self, ui: &mut Ui, view: &TimelineView, is_selected: bool, inputs: &mut Vec<RowInput>) -> Response {
        let target = &self.keyed.targets[self.line.target];
        let all = ui.max_rect();
        let all = Rect::from_min_size(all.min, vec2(all.width(), ROW));
        let is_whole = self.line.channel.is_none();
        let id = ui.scope_id().with(("row", target.target, self.line.channel));
        let response = ui.interact(all, id, Sense::click_and_drag());
        let name = match self.line.channel.and_then(|at| target.channels.get(at)) {
            Some((_, name, _)) => name,
            None => &target.name,
        };
        let Some(times) = self.keyed.times(self.line) else { return response };
        let count = many(times.len(), "key");
        let described = match is_whole {
            true => format!("{} {name}, {count}", kind(target.target)),
            false => format!("{} {}: {name}, {count}", kind(target.target), target.name),
        };
        response.widget_info(|| WidgetInfo::selected(Role::Row, true, is_selected, described.trim_start()));
        self.follow_pointer(ui, &response, times, inputs);
        self.follow_keys(ui, &response, times, inputs);
        if ui.is_rect_visible(all) {
            self.paint(ui, all, name, times, is_selected, &response);
        }
        if is_whole {
            // Above the row, which it is part of.
            self.show_expander(ui, all, view.expanded.contains(&target.target), inputs);
        }
        if response.hover_pos().is_some_and(|pointer| pointer.x < self.axis.track.min) {
            return response.on_hover_text(described.trim_start());
        }
        response
    }

    fn show_expander(&self, ui: &mut Ui, all: Rect, is_open: bool, inputs: &mut Vec<RowInput>) {
        let target = &self.keyed.targets[self.line.target];
        let rect = all.with_max_x(all.left() + EXPANDER);
        let button = ui.interact(rect.shrink(1.0), ui.scope_id().with(("expand", target.target)), Sense::click());
        let verb = if is_open { "Fold" } else { "Unfold" };
        let text = format!("{verb} {}", target.name);
        button.widget_info(|| WidgetInfo::labeled(Role::Button, true, &text));
        egui::collapsing_header::paint_default_icon(
            &mut ui.new_child(egui::UiBuilder::new().max_rect(rect)),
            if is_open { 1.0 } else { 0.0 },
            &button.clone().with_new_rect(Rect::from_center_size(rect.center(), vec2(9.0, 9.0))),
        );
        if button.clicked() {
            inputs.push(RowInput::Expand(target.target));
        }
    }

    fn follow_pointer(&self, ui: &Ui, response: &Response, times: &KeyTimes, inputs: &mut Vec<RowInput>) {
        if response.clicked() {
            response.request_focus();
            inputs.push(RowInput::Select(self.target()));
        }
        let Some(x) = self.pointer_x(response).filter(|x| self.axis.track.contains(*x)) else { return };
        if response.clicked() || response.is_pointer_button_down_on() {
            let key = if response.dragged() { None } else { keys::key_at(self.axis, times, x) };
            inputs.push(RowInput::GoTo(
                key.unwrap_or_else(|| self.axis.seek_position_at(x, self.animator, axis::is_free(ui))),
            ));
        }
    }

    /// Shows the menu of the key on which it was opened.
    fn menu(&self, response: &Response, pointed: Option<KeyAt>, inputs: &mut Vec<RowInput>) {
        if response.secondary_clicked() {
            let x = self.pointer_x(response).filter(|x| self.axis.track.contains(*x));
            let key = x.zip(self.keyed.times(self.line)).and_then(|(x, times)| keys::key_at(self.axis, times, x));
            let channels = &self.keyed.targets[self.line.target].channels;
            let channel = self.line.channel.and_then(|at| channels.get(at)).map(|(channel, ..)| *channel);
            let at = |position| KeyAt { target: self.target(), channel, position };
            inputs.push(RowInput::Point(key.map(at)));
        }
        response.context_menu(|ui| {
            let button = ui.add_enabled(pointed.is_some(), Button::new("Copy pointer"));
            let button = button.on_hover_text("Copy where the file states this key");
            if button.on_disabled_hover_text("Right-click a key").clicked() {
                inputs.extend(pointed.map(RowInput::CopyPointer));
                ui.close();
            }
        });
    }

    /// With the keyboard focus, the left and right arrow keys go to the previous and the next key of the row.
    fn follow_keys(&self, ui: &Ui, response: &Response, times: &KeyTimes, inputs: &mut Vec<RowInput>) {
        if !response.has_focus() {
            return;
        }
        let filter = EventFilter { horizontal_arrows: true, ..EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
        let pressed = |key| ui.input_mut(|input| input.count_and_consume_key(Modifiers::NONE, key)) > 0;
        let (back, forth) = (pressed(Key::ArrowLeft), pressed(Key::ArrowRight));
        let found = match (back, forth) {
            (true, _) => times.last_before(self.now),
            (_, true) => times.next_after(self.now),
            (false, false) => None,
        };
        inputs.extend(found.map(RowInput::GoTo));
    }

    fn paint(&self, ui: &Ui, all: Rect, name: &str, times: &KeyTimes, is_selected: bool, response: &Response) {
        let (palette, axis) = (self.palette, self.axis);
        let painter = ui.painter();
        if is_selected {
            painter.rect_filled(all, 4.0, palette.accent_faint);
        } else if response.hovered() {
            painter.rect_filled(all, 4.0, ui.visuals().widgets.noninteractive.weak_bg_fill.gamma_multiply(0.6));
            painter.rect_stroke(all, 4.0, Stroke::new(1.0, palette.line), StrokeKind::Inside);
        }
        let is_whole = self.line.channel.is_none();
        let color = if is_whole { palette.text } else { palette.text_weak };
        let mut left = all.left() + EXPANDER;
        if is_whole {
            sign(painter, self.target(), pos2(left + 0.5 * SIGN - 3.0, all.center().y), palette.text_weak);
        }
        left += SIGN;
        let font = FontId::proportional(if is_whole { 12.5 } else { 11.5 });
        let galley = one_line(ui, name, font, color, (axis.track.min - 8.0 - left).max(8.0));
        painter.galley(pos2(left, all.center().y - 0.5 * galley.size().y), galley, color);
        let lane = Rect::from_x_y_ranges(axis.track.expand(5.0), all.y_range());
        let painter = ui.painter_at(lane);
        painter.hline(axis.track, all.center().y, Stroke::new(1.0, palette.line.gamma_multiply(0.7)));
        let (half, color) = if is_whole { (5.0, palette.accent) } else { (4.0, palette.text_weak) };
        keys::paint(&painter, axis, times, all.center().y, half, color);
    }
}

/// Returns the kind of a target; empty if its name says so.
fn kind(target: KeyTarget) -> &'static str {
    match target {
        KeyTarget::Bone(_) => "Bone",
        KeyTarget::Slot(_) => "Slot",
        KeyTarget::Constraint(_) => "Constraint",
        KeyTarget::AllPhysics | KeyTarget::DrawOrder | KeyTarget::Events => "",
    }
}

/// Paints the sign of a kind of target: bones and slots often have the same names.
pub fn sign(painter: &Painter, target: KeyTarget, center: egui::Pos2, color: Color32) {
    let at = |x: f32, y: f32| center + vec2(x, y);
    let stroke = Stroke::new(1.2, color);
    match target {
        KeyTarget::Bone(_) => {
            let points = vec![at(-6.0, 0.0), at(-3.0, -3.5), at(6.0, 0.0), at(-3.0, 3.5)];
            painter.add(Shape::convex_polygon(points, color, Stroke::NONE));
        }
        KeyTarget::Slot(_) => {
            let square = Rect::from_center_size(center, vec2(8.0, 8.0));
            painter.rect_stroke(square, 1.0, stroke, StrokeKind::Inside);
        }
        KeyTarget::Constraint(_) | KeyTarget::AllPhysics => {
            painter.circle_stroke(at(-2.0, 0.0), 2.6, stroke);
            painter.circle_stroke(at(2.4, 0.0), 2.6, stroke);
        }
        KeyTarget::DrawOrder => {
            for y in [-3.0, 0.0, 3.0] {
                painter.line_segment([at(-4.0, y), at(4.0, y)], stroke);
            }
        }
        KeyTarget::Events => {
            painter.line_segment([at(-3.0, -4.5), at(-3.0, 4.5)], stroke);
            let flag = vec![at(-3.0, -4.5), at(4.0, -2.2), at(-3.0, 0.2)];
            painter.add(Shape::convex_polygon(flag, color, Stroke::NONE));
        }
    }
}
