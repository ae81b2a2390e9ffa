//! The search field of a dialog, which has the focus as soon as the dialog opens.

use egui::{Response, TextEdit, Ui};

/// Adds the field. The ring of the focus is its only outline.
pub fn add(ui: &mut Ui, field: TextEdit<'_>) -> Response {
    ui.scope(|ui| {
        ui.visuals_mut().selection.stroke.width = 0.0;
        ui.add(field)
    })
    .inner
}
