//! The curves of the selected bone. Each unit has a plot of its own: degrees, pixels and factors do not share an axis.

use egui::accesskit::Role;
use egui::{Color32, FontId, Rect, Response, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};

use super::TimelinePanel;
use super::axis::{self, Axis};
use super::caption;
use super::plot::{Plot, color, paint_line};
use super::ruler;
use crate::timeline::{Curve, Zoom};
use crate::widgets::theme::Palette;
use crate::widgets::wheel_factor;

/// The curves that share a plot, and its name.
const PLOTS: [(&str, &[Curve]); 3] = [
    ("Rotation", &[Curve::Rotation]),
    ("Position", &[Curve::X, Curve::Y]),
    ("Scale", &[Curve::ScaleX, Curve::ScaleY]),
];
/// Gap between plots in points.
const GAP: f32 = 6.0;
/// Width in points of the legend's sample of a curve.
const SAMPLE: f32 = 16.0;
/// The length of a value axis for [`Zoom::magnify`], whose limit it sets: values are magnified up to 100 times.
const VALUES: f64 = 400.0;

/// Adds the button that shows or hides a curve, with a sample of it.
pub fn toggle(ui: &mut Ui, curve: Curve, is_shown: bool) -> Response {
    let verb = if is_shown { "Hide" } else { "Show" };
    switch(ui, curve.name(), Some(curve), is_shown).on_hover_text(format!("{verb} {}", curve.name()))
}

/// Adds a switch, with a sample of a curve if it shows one.
pub fn switch(ui: &mut Ui, name: &str, curve: Option<Curve>, is_shown: bool) -> Response {
    let palette = Palette::of(ui.visuals());
    let font = FontId::proportional(12.0);
    let text_color = if is_shown { palette.text } else { palette.text_weak };
    let galley = ui.painter().layout_no_wrap(name.to_owned(), font, text_color);
    let sample = if curve.is_some() { SAMPLE + 4.0 } else { 0.0 };
    let size = vec2(galley.size().x + sample + 14.0, 24.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, is_shown, name));
    ui.ctx().accesskit_node_builder(response.id, |node| node.set_toggled(is_shown.into()));
    if ui.is_rect_visible(rect) {
        let fill = match (is_shown, response.hovered()) {
            (true, _) => palette.accent_faint,
            (false, true) => ui.visuals().widgets.hovered.weak_bg_fill,
            (false, false) => Color32::TRANSPARENT,
        };
        let frame = Stroke::new(1.0, if is_shown { palette.accent } else { palette.line });
        ui.painter().rect(rect, 6.0, fill, frame, StrokeKind::Inside);
        let y = rect.center().y;
        if let Some(curve) = curve {
            let color = if is_shown { color(ui, curve) } else { palette.line };
            let line = vec![pos2(rect.left() + 7.0, y), pos2(rect.left() + 7.0 + SAMPLE, y)];
            paint_line(ui.painter(), line, curve, color);
        }
        let at = pos2(rect.left() + 7.0 + sample, y - 0.5 * galley.size().y);
        ui.painter().galley(at, galley, text_color);
    }
    response
}

/// Shows the curves along `axis`. Returns true while the user drags the playhead.
pub fn show(ui: &mut Ui, state: &mut TimelinePanel<'_>, axis: Axis) -> bool {
    let area = ui.available_rect_before_wrap();
    let bone =
        state.playback.model().and_then(|model| state.parts.selected.and_then(|selected| selected.bone(model)));
    let animation = state.playback.animator.playback(0).animation();
    match (bone, animation, state.timeline.keys.shown()) {
        (Some(bone), Some(animation), Some(keyed)) => {
            let waker = state.waker;
            state.timeline.curve.refresh(&state.playback.animator, animation, keyed, bone, waker);
        }
        _ => state.timeline.curve.forget(),
    }
    let points = state.timeline.curve.points();
    let Some(bone) = bone.filter(|_| points.is_some_and(|points| !points.is_empty())) else {
        let text = match (bone, animation, points) {
            (None, ..) => "Select a bone to see its curves",
            (Some(_), None, _) => axis::NOTHING_PLAYS,
            // Usually for a single frame, in which a text would only flicker.
            (Some(_), Some(_), None) => "",
            (Some(_), Some(_), Some(_)) => "The bone is not active",
        };
        ui.centered_and_justified(|ui| ui.weak(text));
        return false;
    };
    let place = ui.allocate_rect(area, Sense::hover());
    // The names of the plots are beside the axis.
    let response = ui.interact(axis.part_of(area), place.id.with("axis"), Sense::click_and_drag());
    if response.contains_pointer() {
        axis::follow_wheel(ui, &axis, &mut state.timeline.zoom, false);
    }
    let is_held = ruler::follow_pointer(ui, &response, &axis, &mut state.playback.animator);
    let note = caption::show(ui, state, bone, area, axis.track.min);
    let name = caption::name(state, bone);
    let text = format!("Curves of {name}{}{note}", if note.is_empty() { "" } else { ", " });
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &text));
    let shown = |curve: &Curve| !state.timeline.hidden_curves[*curve as usize];
    let plots = PLOTS.map(|(name, curves)| (name, curves.iter().copied().filter(shown).collect::<Vec<_>>()));
    let count = plots.iter().filter(|(_, curves)| !curves.is_empty()).count();
    let height = (area.height() - GAP * count.saturating_sub(1) as f32) / count.max(1) as f32;
    let mut top = area.top();
    let (is_normalized, mut values) = (state.timeline.normalizes, state.timeline.values);
    for (name, curves) in plots.iter().filter(|(_, curves)| !curves.is_empty()) {
        let rect = Rect::from_x_y_ranges(axis.track, top..=top + height.max(1.0));
        if response.contains_pointer() {
            follow_wheel(ui, rect, &mut values);
        }
        let points = state.timeline.curve.points().unwrap_or_default();
        let plot = Plot::new(rect, axis, curves, points, is_normalized, values);
        plot.paint(ui, state, bone);
        plot.paint_labels(ui, name, area.left());
        top += height + GAP;
    }
    state.timeline.values = values;
    let palette = Palette::of(ui.visuals());
    let now = axis.x_of(state.playback.animator.playback(0).position());
    if axis.track.contains(now) {
        // From the ruler on.
        let line = area.top() - ui.spacing().item_spacing.y..=area.bottom();
        ui.painter().vline(now, line, Stroke::new(1.5, palette.accent));
    }
    if let Some(pointer) = response.hover_pos().filter(|pointer| axis.track.contains(pointer.x)) {
        let target = axis.seek_position_at(pointer.x, &state.playback.animator, axis::is_free(ui));
        ui.painter_at(area).vline(axis.x_of(target), area.y_range(), Stroke::new(1.0, palette.text_weak));
        if let Some(text) = values_at(state, target, shown) {
            response.on_hover_text_at_pointer(text);
        }
    }
    is_held
}

/// Magnifies the values with the wheel and Alt while the pointer is over the plot at `rect`.
fn follow_wheel(ui: &Ui, rect: Rect, values: &mut Zoom) {
    let (pointer, turned, is_value) =
        ui.input(|input| (input.pointer.hover_pos(), input.smooth_scroll_delta().y, input.modifiers.alt));
    if let Some(pointer) = pointer.filter(|pointer| is_value && rect.contains(*pointer)) {
        let at = f64::from((rect.bottom() - pointer.y) / rect.height().max(1.0));
        values.magnify(wheel_factor(turned).into(), at, VALUES);
    }
}

/// Returns the values of the shown curves at a position, as text.
fn values_at(state: &TimelinePanel<'_>, position: f64, shown: impl Fn(&Curve) -> bool) -> Option<String> {
    let animation = state.playback.model()?.animation(state.playback.animator.playback(0).animation()?);
    let point = state.timeline.curve.point_at(position)?;
    let mut text = format!("{:.2} s, frame {}", animation.seconds_at(position), position.floor());
    for curve in Curve::ALL.into_iter().filter(|curve| shown(curve)) {
        text.push_str(&format!("\n{}: {:.2}{}", curve.name(), curve.of(point), curve.unit()));
    }
    Some(text)
}
