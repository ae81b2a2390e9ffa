//! Banner above the canvas: the reason why the shown character is out of date, incomplete, or not drawn.

use std::path::Path;

use egui::{Align, Frame, Label, Layout, Margin, Rect, RichText, Ui, UiBuilder};

use crate::base::name;
use crate::files::Files;
use crate::files::document::Document;
use crate::files::panel::problems::{findings_button, left_out};
use crate::widgets::actions::{Action, Actions, Dialog, Request};
use crate::widgets::command::Command;
use crate::widgets::theme::Palette;
use pchr::diagnostics::Severity;
use pchr::error::escaped;

/// Shows the banner if the file can no longer be read and an older version of it is shown, if it is not certain which
/// atlas belongs to it, if parts of animations with errors are left out, or if drawing the frame would take too long.
pub fn show(ui: &mut Ui, rect: Rect, files: &Files, is_too_heavy: bool, actions: &mut Actions) {
    let Some(document) = files.current() else { return };
    match (document.loaded(), document.error()) {
        (Some(_), Some(error)) => {
            let title = "The file cannot be read; its last readable version is shown.";
            banner(ui, rect, title, RichText::new(error), |ui| {
                actions.on_click(ui.button("Try again"), Command::Reload);
                findings_button(ui, files, actions);
                atlases(ui, document, actions);
            });
        }
        (Some(_), None) if document.lacks_atlas() => {
            let text = match document.atlases.is_empty() {
                true => "Its pictures are missing. Choose the atlas that belongs to it:",
                false => "It is not certain which of these belongs to it. Choose one:",
            };
            let title = "The atlas of this character was not found.";
            banner(ui, rect, title, RichText::new(text), |ui| {
                atlases(ui, document, actions);
                findings_button(ui, files, actions);
            });
        }
        // The list of findings says the same.
        (Some(loaded), None) if document.errors_left_out() > 0 && !files.check.is_shown => {
            let first =
                loaded.diagnostics.with_severity(Severity::Error).next().map(|fault| escaped(&fault.to_string()));
            let (title, text) = (left_out(document.errors_left_out()), first.unwrap_or_default());
            banner(ui, rect, &title, RichText::new(text), |ui| findings_button(ui, files, actions));
        }
        (Some(_), None) if is_too_heavy => {
            let title = "Drawing this frame would take too long.";
            let text = "Zoom out, or start pchr-view with --limit work=VALUE to raise the limit.";
            // The proportional font joins two hyphens.
            banner(ui, rect, title, RichText::new(text).monospace(), |_| {});
        }
        (Some(_) | None, _) => {}
    }
}

/// Shows a title, a text, and below them buttons.
fn banner(ui: &mut Ui, rect: Rect, title: &str, text: RichText, buttons: impl FnOnce(&mut Ui)) {
    let palette = Palette::of(ui.visuals());
    let area = rect.shrink(10.0);
    let mut ui = ui.new_child(UiBuilder::new().max_rect(area).layout(Layout::top_down(Align::Min)));
    let frame = Frame::new().fill(palette.error_faint).corner_radius(8).inner_margin(Margin::symmetric(12, 8));
    frame.show(&mut ui, |ui| {
        ui.set_width((area.width() - 24.0).max(1.0));
        ui.add(Label::new(RichText::new(title).strong().color(palette.error)).selectable(true));
        ui.add(Label::new(text.small()).wrap().selectable(true));
        ui.horizontal_wrapped(buttons);
    });
}

/// Shows the atlases that may belong to a character as buttons, if the user has to choose.
pub fn atlases(ui: &mut Ui, document: &Document, actions: &mut Actions) {
    if !document.lacks_atlas() && document.reading.atlas.is_none() {
        return;
    }
    let folder = document.path().parent().unwrap_or(Path::new(""));
    for atlas in &document.atlases {
        let name = name::path(atlas.strip_prefix(folder).unwrap_or(atlas));
        if ui.button(name).on_hover_text("Read the character with this atlas").clicked() {
            actions.push(Action::UseAtlas(atlas.clone()));
        }
    }
    if ui.button("Another atlas…").on_hover_text("Choose the atlas in a dialog").clicked() {
        actions.push(Request::Dialog(Dialog::Atlas));
    }
}
