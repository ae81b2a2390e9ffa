//! The overlay with every key.

use egui::{Grid, Id, Modal, RichText, ScrollArea, Ui, vec2};

use crate::viewer::command::{self, Group, Row};
use crate::viewer::icon::{self, Icon};
use crate::viewer::state::State;

/// Shows the overlay while it is wanted. Escape, a click beside it and `?` close it.
pub fn show(ui: &Ui, state: &mut State) {
    if !state.help {
        return;
    }
    let room = ui.ctx().content_rect().size() - vec2(56.0, 56.0);
    let rows = command::rows();
    let modal = Modal::new(Id::unique("help")).show(ui.ctx(), |ui| {
        ui.set_max_width(room.x.max(60.0));
        ui.horizontal(|ui| {
            ui.heading("Keys and mouse");
            ui.add_space((ui.available_width() - 30.0).clamp(0.0, 470.0));
            if icon::button(ui, Icon::Close, "Close help", "Close  (Escape)", vec2(28.0, 28.0)).clicked() {
                state.help = false;
            }
        });
        ui.add_space(6.0);
        ScrollArea::vertical().max_height((room.y - 60.0).max(60.0)).show(ui, |ui| {
            let columns: &[&[Group]] = if room.x > 640.0 {
                &[&[Group::Playback, Group::Animations], &[Group::View, Group::File, Group::Window]]
            } else {
                &[&Group::ALL]
            };
            ui.horizontal_top(|ui| {
                for (index, groups) in columns.iter().enumerate() {
                    if index > 0 {
                        ui.add_space(28.0);
                    }
                    ui.vertical(|ui| groups.iter().for_each(|&of| group(ui, of, &rows)));
                }
            });
        });
    });
    if modal.should_close() {
        state.help = false;
    }
}

fn group(ui: &mut Ui, group: Group, rows: &[Row]) {
    super::heading(ui, group.label());
    Grid::new(group.label()).num_columns(2).min_col_width(96.0).spacing([16.0, 5.0]).show(ui, |ui| {
        for row in rows.iter().filter(|row| row.group == group) {
            ui.label(RichText::new(&row.keys).strong());
            ui.label(row.label);
            ui.end_row();
        }
    });
    ui.add_space(10.0);
}
