//! The list of files, shown if there are several.

use egui::Ui;

use crate::base::filter::Filter;
use crate::files::Files;
use crate::widgets::actions::{Action, Actions};
use crate::widgets::row::{HEIGHT, Row};
use crate::widgets::rows::Rows;
use crate::widgets::theme::Palette;

/// Returns the rows of the list.
pub fn rows(files: &mut Files, filter: &Filter) -> Rows {
    // A single file is named in the title bar.
    Rows { count: if files.documents.len() < 2 { 0 } else { files.listed(filter).len() }, height: HEIGHT }
}

/// Shows the list, `room` points high. A click selects the file, the context menu compares
/// with it or puts it on the stage.
pub fn show(ui: &mut Ui, files: &mut Files, filter: &Filter, actions: &mut Actions, room: f32) {
    let (rows, listed) = (rows(files, filter), files.listed(filter));
    rows.show(ui, "files", room, None, |ui, place| {
        let index = *listed.get(place)?;
        let document = files.documents.get(index)?;
        let error = document.error();
        let row = Row {
            name: &document.name(),
            color: error.is_some().then(|| Palette::of(ui.visuals()).error),
            right: Some(document.folder.as_str()).filter(|folder| !folder.is_empty()),
            is_selected: index == files.current,
            ..Row::default()
        };
        let mut tooltip = document.location();
        if let Some(error) = error {
            tooltip.push_str(&format!("\n{error}"));
        }
        let response = row.show(ui).row.on_hover_text(tooltip);
        if response.clicked() {
            actions.push(Action::SelectFile(index));
        }
        let is_wrong = document.error().is_some() || document.errors_left_out() > 0;
        if index != files.current {
            response.context_menu(|ui| {
                if is_wrong && ui.button("Show findings").clicked() {
                    actions.push(Action::ShowFindings(document.path().to_owned()));
                }
                if ui.button("Compare with this").clicked() {
                    actions.push(Action::CompareWith(index));
                }
                if ui.button("Add to the stage, or take off").clicked() {
                    actions.push(Action::ToggleOnStage(index));
                }
            });
        }
        Some(response)
    });
}
