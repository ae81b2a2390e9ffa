//! The list of files, shown if there are several.

use egui::{Button, RichText, Ui, vec2};

use super::heading;
use super::rows::Rows;
use crate::viewer::state::State;
use crate::viewer::theme::Palette;

/// Row height in points.
const ROW: f32 = 28.0;

/// Returns the rows of the list.
pub fn rows(state: &State) -> Rows {
    let count = state.documents().len();
    // A single file is named in the title bar.
    Rows { count: if count < 2 { 0 } else { count }, height: ROW }
}

/// Shows the list, `room` points high. A click selects the file, the context menu compares
/// with it.
pub fn show(ui: &mut Ui, state: &mut State, room: f32) {
    let rows = rows(state);
    if rows.count == 0 {
        return;
    }
    heading(ui, format!("Files ({})", rows.count));
    let (mut picked, mut compared) = (None, None);
    rows.show(ui, "files", room, None, |ui, index| {
        let document = state.documents().get(index)?;
        let mut name = RichText::new(document.name());
        if document.error().is_some() {
            name = name.color(Palette::of(ui.visuals()).error);
        }
        let button = Button::selectable(index == state.current_index(), name)
            .truncate()
            .min_size(vec2(ui.available_width(), ROW));
        let mut tooltip = document.location();
        if let Some(error) = document.error() {
            tooltip.push_str(&format!("\n{error}"));
        }
        let response = ui.add(button).on_hover_text(tooltip);
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
    ui.add_space(8.0);
}
