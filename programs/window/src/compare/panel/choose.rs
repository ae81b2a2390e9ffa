//! The dialog that chooses the file to compare with.

use egui::{ScrollArea, Ui, vec2};

use super::ComparePanel;
use crate::widgets::actions::{Action, Dialog, Request};
use crate::widgets::closable;
use crate::widgets::modal;
use crate::widgets::row::{self, Row};
use crate::widgets::rows::Rows;

/// Maximum width in points.
const WIDTH: f32 = 440.0;

/// Shows the dialog while the user is choosing. Escape and a click outside close it.
pub fn show(ui: &Ui, state: &mut ComparePanel<'_>) {
    if !state.compare.is_choosing {
        return;
    }
    let room = ui.ctx().content_rect().size() - vec2(64.0, 56.0);
    let mut is_closed = false;
    let modal = modal::show(ui, "compare with", |ui| {
        ui.set_width(room.x.clamp(80.0, WIDTH));
        is_closed = closable(ui, |ui| _ = ui.heading("Compare with"), "Close", "Close  (Escape)", 28.0);
        ui.add_space(6.0);
        // All but the shown one.
        let rows = Rows { count: state.files.documents.len().saturating_sub(1), height: row::HEIGHT };
        let height = (room.y - 110.0).max(2.0 * row::HEIGHT);
        ScrollArea::vertical().max_height(height).show(ui, |ui| {
            rows.show(ui, "files to compare with", height, None, |ui, row| {
                let index = row + usize::from(row >= state.files.current);
                let document = state.files.documents.get(index)?;
                let (name, folder) = (document.name(), document.folder.as_str());
                let right = Some(folder).filter(|folder| !folder.is_empty());
                let list_row = Row { name: &name, right, ..Row::default() };
                let response = list_row.show(ui).row;
                if row == 0 && ui.memory(|memory| memory.focused().is_none()) {
                    response.request_focus();
                }
                let response = response.on_hover_text(document.location());
                if response.clicked() {
                    state.actions.push(Action::CompareWith(index));
                }
                Some(response)
            });
        });
        ui.add_space(8.0);
        if ui.button("Another file…").clicked() {
            state.actions.push(Request::Dialog(Dialog::Compare));
            is_closed = true;
        }
    });
    if is_closed || modal.should_close() {
        state.compare.is_choosing = false;
    }
}
