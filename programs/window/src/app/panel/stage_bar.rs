//! The bar above the canvas with fields for the shown character of the stage.

use egui::{Color32, DragValue, Frame, Label, Margin, Panel, RichText, TextStyle, Ui, vec2};

use crate::app::state::State;
use crate::app::state::stage::SCALES;
use crate::overlays::panel::color;
use crate::widgets::actions::Actions;
use crate::widgets::command::Command;
use crate::widgets::in_percent;
use crate::widgets::theme::Palette;
use pchr::math::Vec2;

/// Farthest position in units.
const FAR: f32 = 1e6;
/// Width of most fields, in points.
const FIELD: f32 = 60.0;

/// Shows the bar if several characters are on the stage.
pub fn show(ui: &mut Ui, state: &mut State, actions: &mut Actions) {
    if !state.has_companions() {
        return;
    }
    let frame = Frame::new().fill(Palette::of(ui.visuals()).panel).inner_margin(Margin::symmetric(8, 4));
    let bar = Panel::top("stage").resizable(false).show_separator_line(false).frame(frame);
    bar.show(ui, |ui| ui.horizontal_wrapped(|ui| fields(ui, state, actions)));
}

fn fields(ui: &mut Ui, state: &mut State, actions: &mut Actions) {
    ui.spacing_mut().item_spacing = vec2(6.0, 4.0);
    if let Some(document) = state.current() {
        ui.add(Label::new(RichText::new(document.name()).strong()).selectable(false));
    }
    let before = state.staged_spec();
    let mut spec = before.clone();
    let Vec2 { x, y } = spec.position.get_or_insert_default();
    let far = |value| DragValue::new(value).range(-FAR..=FAR).max_decimals(1);
    field(ui, "X", far(x));
    field(ui, "Y", far(y));
    let mut percent = in_percent(spec.scale);
    field(ui, "Scale", DragValue::new(&mut percent).range(SCALES.0..=SCALES.1).max_decimals(1).suffix(" %"));
    if percent != in_percent(before.scale) {
        spec.scale = percent / 100.0;
    }
    for (label, command, is_on) in
        [("Mirror", Command::Mirror, spec.flip_x), ("Upend", Command::Upend, spec.flip_y)]
    {
        actions.on_click(ui.selectable_label(is_on, label), command);
    }
    field(ui, "Order", DragValue::new(&mut spec.order).speed(0.1));
    let [r, g, b, a] = spec.tint;
    let mut light = [r, g, b];
    keep_together(ui, "Tint");
    let label = ui.label("Tint");
    color::button(ui, &mut light).labelled_by(label.id);
    let mut opacity = a;
    field(ui, "Opacity", DragValue::new(&mut opacity).range(0..=u8::MAX));
    spec.tint = [light[0], light[1], light[2], opacity];
    actions.on_click(ui.button("Reset"), Command::ResetStaged);
    if spec != before {
        state.restage(|it| *it = spec);
    }
}

fn field(ui: &mut Ui, name: &str, value: DragValue<'_>) {
    keep_together(ui, name);
    let label = ui.label(name);
    ui.add(value).labelled_by(label.id);
}

/// Starts a row unless this label and its field fit into the current one.
fn keep_together(ui: &mut Ui, label: &str) {
    let font = TextStyle::Body.resolve(ui.style());
    let text = ui.painter().layout_no_wrap(label.to_owned(), font, Color32::WHITE);
    if ui.available_size_before_wrap().x < text.size().x + ui.spacing().item_spacing.x + FIELD {
        ui.end_row();
        ui.set_row_height(ui.spacing().interact_size.y);
    }
}
