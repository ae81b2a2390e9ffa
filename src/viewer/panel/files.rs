//! The list of files, where there are several.

use egui::{Button, RichText, Ui, vec2};

use super::heading;
use crate::viewer::state::State;
use crate::viewer::theme::Palette;

/// Shows the list; a click shows the file.
pub fn show(ui: &mut Ui, state: &mut State) {
    if state.documents().len() < 2 {
        return;
    }
    heading(ui, format!("Files ({})", state.documents().len()));
    let mut picked = None;
    for (index, document) in state.documents().iter().enumerate() {
        let mut name = RichText::new(document.name());
        if document.error().is_some() {
            name = name.color(Palette::of(ui.visuals()).error);
        }
        let button = Button::selectable(index == state.current_index(), name)
            .truncate()
            .min_size(vec2(ui.available_width(), 28.0));
        let mut tooltip = document.location();
        if let Some(error) = document.error() {
            tooltip.push_str(&format!("\n{error}"));
        }
        if ui.add(button).on_hover_text(tooltip).clicked() {
            picked = Some(index);
        }
    }
    picked.into_iter().for_each(|index| state.select(index));
    ui.add_space(8.0);
}
