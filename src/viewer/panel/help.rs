//! The overlay that lists every key.

use egui::{Align, Grid, Layout, RichText, ScrollArea, Ui, vec2};

use super::modal;
use crate::viewer::command::{self, Group, Row};
use crate::viewer::icon::{self, Icon};
use crate::viewer::state::State;

/// Width in points with two columns, and the maximum width with one.
const WIDE: f32 = 700.0;
const NARROW: f32 = 380.0;

/// Shows the overlay while it is open. Escape, `?` and a click outside close it.
pub fn show(ui: &Ui, state: &mut State) {
    if !state.help {
        return;
    }
    let room = ui.ctx().content_rect().size() - vec2(72.0, 72.0);
    let is_wide = room.x >= WIDE;
    let size = vec2(if is_wide { WIDE } else { room.x.clamp(80.0, NARROW) }, room.y.max(80.0));
    let rows = command::rows();
    let modal = modal::show(ui, "help", |ui| {
        ui.set_max_height(size.y);
        ui.set_width(size.x);
        ui.horizontal(|ui| {
            ui.heading("Keyboard and mouse");
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let tooltip = "Close  (Escape)";
                if icon::button(ui, Icon::Close, "Close help", tooltip, vec2(28.0, 28.0)).clicked() {
                    state.help = false;
                }
            });
        });
        ui.add_space(6.0);
        ScrollArea::vertical().max_height((size.y - 50.0).max(40.0)).show(ui, |ui| {
            if !is_wide {
                Group::ALL.into_iter().for_each(|of| group(ui, of, &rows));
                return;
            }
            ui.columns_const(|[left, right]| {
                [Group::Playback, Group::Animations].into_iter().for_each(|of| group(left, of, &rows));
                [Group::View, Group::File, Group::Window].into_iter().for_each(|of| group(right, of, &rows));
            });
        });
    });
    if modal.should_close() {
        state.help = false;
    }
}

fn group(ui: &mut Ui, group: Group, rows: &[Row]) {
    super::heading(ui, group.label());
    Grid::new(group.label()).num_columns(2).min_row_height(18.0).min_col_width(96.0).spacing([16.0, 4.0]).show(
        ui,
        |ui| {
            for row in rows.iter().filter(|row| row.group == group) {
                ui.label(RichText::new(row.keys()).strong());
                ui.label(row.label);
                ui.end_row();
            }
        },
    );
    ui.add_space(10.0);
}
