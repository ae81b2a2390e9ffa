//! Controls, colours and fonts of the window that no feature owns, and the [`Command`](command::Command)s that they show.

pub mod actions;
pub mod check_box;
pub mod checkerboard;
pub mod command;
pub mod command_row;
pub mod dragged;
pub mod drop_down;
pub mod entry;
pub mod focus;
pub mod fonts;
pub mod icon;
pub mod interface;
pub mod kept;
pub mod keycap;
pub mod list_panel;
pub mod modal;
pub mod page_image;
pub mod row;
pub mod rows;
pub mod search_field;
pub mod switch;
pub mod theme;
pub mod tooltips;

use std::ops::RangeInclusive;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::emath::Numeric;
use egui::text::{LayoutJob, TextWrapping};
use egui::{
    Align, Atom, Button, Color32, DragValue, FontId, Galley, Id, IdSalt, Layout, Pos2, Rect, Response, RichText,
    Sense, Ui, WidgetInfo, collapsing_header, pos2, vec2,
};
use icon::Icon;

/// All of a texture, in texture coordinates.
pub const WHOLE: Rect = Rect { min: Pos2::ZERO, max: pos2(1.0, 1.0) };

/// Returns the factor by which a wheel magnifies that was turned by `points`. A notch is 40 to 50 points, about a fifth.
pub fn wheel_factor(points: f32) -> f32 {
    (points / 180.0).exp2()
}

/// Lays out a text on one line, truncated at `width` points.
pub fn one_line(ui: &Ui, text: &str, font: FontId, color: Color32, width: f32) -> Arc<Galley> {
    let mut job = LayoutJob::simple_singleline(text.to_owned(), font, color);
    job.wrap = TextWrapping::truncate_at_width(width);
    ui.painter().layout_job(job)
}

/// Names a widget for screen readers.
pub fn name(ui: &Ui, widget: &Response, name: &str) {
    ui.ctx().accesskit_node_builder(widget.id, |node| node.set_label(name));
}

/// Lets screen readers read a text that is painted at `place`.
pub fn read_aloud(ui: &Ui, place: Rect, id: Id, text: &str) {
    ui.interact(place, id, Sense::hover()).widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
}

/// Returns a field for a whole number of percent.
pub fn percent<'a, T: Numeric>(value: &'a mut T, range: RangeInclusive<T>, prefix: &'a str) -> DragValue<'a> {
    DragValue::new(value).range(range).speed(1.0).max_decimals(0).prefix(prefix).suffix(" %")
}

/// Returns a factor in percent with two decimals. A field drops the text that is being typed if its number comes back
/// as another one, as 15 does from 0.15.
pub fn in_percent(factor: f32) -> f32 {
    (factor * 10_000.0).round() / 100.0
}

/// Adds the heading of a list.
pub fn heading(ui: &mut Ui, text: impl Into<String>) {
    ui.add_space(2.0);
    ui.label(RichText::new(text.into().to_uppercase()).small().weak().strong());
}

/// Adds a title, and at the right a button `side` points wide that closes what it is about. Returns true if the button
/// was clicked.
pub fn closable(ui: &mut Ui, title: impl FnOnce(&mut Ui), name: &str, tooltip: &str, side: f32) -> bool {
    ui.horizontal(|ui| {
        title(ui);
        let close = |ui: &mut Ui| icon::button(ui, Icon::Close, name, tooltip, vec2(side, side)).clicked();
        ui.with_layout(Layout::right_to_left(Align::Center), close).inner
    })
    .inner
}

/// Adds the heading of a collapsible list.
pub fn section(ui: &mut Ui, text: &str, is_open: bool) -> Response {
    let text = RichText::new(text.to_uppercase()).small().weak().strong();
    ui.scope(|ui| {
        ui.spacing_mut().interact_size.y = 20.0;
        ui.spacing_mut().button_padding = vec2(2.0, 2.0);
        ui.spacing_mut().icon_spacing = 4.0;
        let triangle = IdSalt::new("triangle");
        let contents = (Atom::custom(triangle, vec2(12.0, 12.0)), text);
        let button = Button::new(contents).frame_when_inactive(false).atom_ui(ui);
        if let Some(rect) = button.rect(triangle) {
            let openness = if is_open { 1.0 } else { 0.0 };
            collapsing_header::paint_default_icon(ui, openness, &button.response.clone().with_new_rect(rect));
        }
        button.response
    })
    .inner
}

#[cfg(test)]
pub mod tests;
