//! The warnings about the file, and the defaults chosen while reading it.

use egui::{CollapsingHeader, Label, Response, RichText, Ui};

use crate::error::escaped;
use crate::viewer::lists::Warning;
use crate::viewer::state::State;
use crate::viewer::theme::Palette;

/// Shows choices and warnings, if any.
pub fn show(ui: &mut Ui, state: &mut State) {
    let facts = state.facts();
    let Some(loaded) = state.loaded() else { return };
    let diagnostics = &loaded.diagnostics;
    for choice in diagnostics.choices() {
        ui.add_space(4.0);
        text(ui, RichText::new(escaped(&choice.message)).weak()).on_hover_text(choice.code);
    }
    let count = facts.warnings.len() + diagnostics.suppressed();
    // Notes alone need no list.
    if count == 0 {
        return;
    }
    ui.add_space(8.0);
    let color = Palette::of(ui.visuals()).warning;
    let title = RichText::new(format!("Warnings ({count})")).color(color).strong();
    CollapsingHeader::new(title).id_salt("warnings").default_open(count <= 3).show_unindented(ui, |ui| {
        for Warning { place, message, code } in &facts.warnings {
            if !place.is_empty() {
                text(ui, RichText::new(place).monospace().weak());
            }
            text(ui, RichText::new(message)).on_hover_text(*code);
            ui.add_space(4.0);
        }
        if diagnostics.suppressed() > 0 {
            ui.label(RichText::new(format!("and {} more", diagnostics.suppressed())).small().weak());
        }
    });
}

/// Adds small text that can be selected and copied.
fn text(ui: &mut Ui, text: RichText) -> Response {
    ui.add(Label::new(text.small()).selectable(true))
}
