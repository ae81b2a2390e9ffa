//! A list beside the canvas, or below it in a narrow window, with a title and a button that hides it.

use egui::{Frame, Id, Label, Margin, Panel, RichText, Ui};

use super::theme::{MIN_WIDTH_FOR_LISTS, Palette};
use super::{closable, heading};

/// Shows the panel with the contents that `add` adds. `name` says what it lists, such as `differences`. Returns false
/// once the user hides it.
pub fn show(ui: &mut Ui, name: &'static str, title: String, add: impl FnOnce(&mut Ui)) -> bool {
    let frame = Frame::new().fill(Palette::of(ui.visuals()).panel).inner_margin(Margin::same(10));
    let panel = if ui.ctx().content_rect().width() >= MIN_WIDTH_FOR_LISTS {
        Panel::right(name).default_size(320.0).size_range(160.0..=520.0)
    } else {
        Panel::bottom(Id::unique((name, "narrow"))).resizable(false).exact_size(140.0)
    };
    let mut is_shown = true;
    panel.frame(frame).show(ui, |ui| {
        let tooltip = format!("Hide the list of {name}");
        is_shown = !closable(ui, |ui| heading(ui, title), &tooltip, &tooltip, 22.0);
        add(ui);
    });
    is_shown
}

/// Adds a text in the place of the list, or above it.
pub fn message(ui: &mut Ui, text: RichText) {
    ui.add(Label::new(text).wrap().selectable(true));
}
