//! The list of files, shown if there are several.

use egui::Ui;

use crate::viewer::app::state::State;
use crate::viewer::widgets::row::{HEIGHT, Row};
use crate::viewer::widgets::rows::Rows;
use crate::viewer::widgets::theme::Palette;

/// Returns the rows of the list.
pub fn rows(state: &mut State) -> Rows {
    // A single file is named in the title bar.
    Rows { count: if state.documents().len() < 2 { 0 } else { state.listed_files().len() }, height: HEIGHT }
}

/// Shows the list, `room` points high. A click selects the file, the context menu compares
/// with it.
pub fn show(ui: &mut Ui, state: &mut State, room: f32) {
    let (rows, listed) = (rows(state), state.listed_files());
    let (mut picked, mut compared) = (None, None);
    rows.show(ui, "files", room, None, |ui, place| {
        let index = *listed.get(place)?;
        let document = state.documents().get(index)?;
        let error = document.error();
        let row = Row {
            name: &document.name(),
            color: error.is_some().then(|| Palette::of(ui.visuals()).error),
            right: Some(document.folder.as_str()).filter(|folder| !folder.is_empty()),
            is_selected: index == state.current_index(),
            ..Row::default()
        };
        let mut tooltip = document.location();
        if let Some(error) = error {
            tooltip.push_str(&format!("\n{error}"));
        }
        let response = row.show(ui).row.on_hover_text(tooltip);
        if response.clicked() {
            picked = Some(index);
        }
        if index != state.current_index() {
            response.context_menu(|ui| {
                if ui.button("Compare with this").clicked() {
                    compared = Some(index);
                }
            });
        }
        Some(response)
    });
    picked.into_iter().for_each(|index| state.select(index));
    compared.into_iter().for_each(|index| state.compare_with(index));
}
