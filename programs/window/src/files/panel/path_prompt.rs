//! The field for a path on systems without a file dialog.

use egui::{Button, Key, Label, RichText, TextEdit, Ui, vec2};

use crate::files::Files;
use crate::widgets::actions::{Action, Actions, Dialog};
use crate::widgets::{modal, search_field};

/// Maximum width in points, and the space beside it.
const WIDTH: f32 = 520.0;
const BESIDE: f32 = 72.0;

/// Shows the field while a path is asked for. Escape and a click outside close it.
pub fn show(ui: &Ui, files: &mut Files, actions: &mut Actions) {
    let Some(prompt) = &mut files.prompt else { return };
    let width = (ui.ctx().content_rect().width() - BESIDE).clamp(80.0, WIDTH);
    let (mut is_given, mut is_closed) = (false, false);
    let modal = modal::show(ui, "path of a file", |ui| {
        ui.set_width(width);
        ui.heading(prompt.title());
        let reason = match prompt.is_taken {
            true => "The file exists. Replace it, or type another path.",
            false => "No file dialog is available: install xdg-desktop-portal or zenity, or type the path.",
        };
        ui.add(Label::new(RichText::new(reason).weak()).wrap());
        ui.add_space(4.0);
        let label = ui.label("Path");
        let field = TextEdit::singleline(&mut prompt.text)
            .hint_text("/folder/file, or paste it")
            .desired_width(f32::INFINITY)
            .margin(vec2(10.0, 8.0));
        let field = search_field::add(ui, field).labelled_by(label.id);
        prompt.is_taken &= !field.changed();
        if std::mem::take(&mut prompt.is_new) {
            field.request_focus();
        }
        let is_complete = !prompt.text.trim().is_empty();
        is_given = is_complete && field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        ui.add_space(8.0);
        ui.horizontal(|ui| {
            let label = match prompt.replaces == Dialog::Scene {
                true if prompt.is_taken => "Replace",
                true => "Save",
                false => "Open file",
            };
            is_given |= ui.add_enabled(is_complete, Button::new(label)).clicked();
            is_closed = ui.button("Cancel").clicked();
        });
    });
    if is_given {
        actions.push(Action::GivePath(prompt.replaces, prompt.text.clone(), prompt.is_taken));
    }
    if is_given || is_closed || modal.should_close() {
        files.prompt = None;
    }
}
