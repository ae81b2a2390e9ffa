//! The export dialog: choices, preview, progress, and the equivalent command.

mod choices;
mod foot;
mod preview;
mod sheet;

use egui::{Align, Key, Layout, Modifiers, Rect, ScrollArea, Sense, Ui, UiBuilder, vec2};

use super::canvas::checker;
use crate::viewer::icon::{self, Icon};
use crate::viewer::panel::modal;
use crate::viewer::state::{Request, State};

/// Width in points at which the preview is beside the choices, and the maximum width if it is above them.
const WIDE: f32 = 800.0;
const NARROW: f32 = 400.0;
/// Width of the preview in points.
const PREVIEW: f32 = 340.0;
/// Height in points of the part below the choices: path, command and buttons.
const FOOT: f32 = 206.0;

/// Requests that the dialog cannot handle itself.
#[derive(Debug, Default)]
struct Requests {
    close: bool,
    choose_name: bool,
    open_folder: bool,
}

/// Shows the dialog while it is open. Escape and the close button close it, except during an export.
pub fn show(ui: &Ui, state: &mut State) {
    state.follow_export();
    let squares = checker(ui, state);
    let Some(export) = &mut state.export else {
        preview::forget(ui);
        return;
    };
    export.poll();
    let room = ui.ctx().content_rect().size() - vec2(64.0, 56.0);
    let is_wide = room.x >= WIDE;
    let size = vec2(if is_wide { WIDE } else { room.x.clamp(80.0, NARROW) }, room.y.max(80.0));
    let mut requests = Requests::default();
    let modal = modal::show(ui, "export", |ui| {
        ui.set_max_height(size.y);
        ui.set_width(size.x);
        ui.horizontal(|ui| {
            ui.heading("Export");
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.add_enabled_ui(!export.is_running(), |ui| {
                    let tooltip = "Close  (Escape)";
                    if icon::button(ui, Icon::Close, "Close export", tooltip, vec2(28.0, 28.0)).clicked() {
                        requests.close = true;
                    }
                });
            });
        });
        ui.add_space(4.0);
        if is_wide && size.y > FOOT + 160.0 {
            let height = size.y - FOOT - 44.0;
            // A fixed height: buttons that move are easily missed.
            let (row, _) = ui.allocate_exact_size(vec2(size.x, height), Sense::hover());
            let mut column = |rect: Rect, add: &mut dyn FnMut(&mut Ui)| {
                let layout = Layout::top_down(Align::Min);
                add(&mut ui.new_child(UiBuilder::new().max_rect(rect).layout(layout)));
            };
            let (left, right) = row.split_left_right_at_x(row.left() + PREVIEW);
            column(left, &mut |ui| preview::show(ui, export, squares, height));
            column(right.with_min_x(right.left() + 20.0), &mut |ui| {
                let area = ScrollArea::vertical().id_salt("choices").max_height(height).auto_shrink(false);
                area.show(ui, |ui| choices::show(ui, export));
            });
            foot::show(ui, export, &mut requests);
        } else {
            ScrollArea::vertical().max_height((size.y - 50.0).max(40.0)).show(ui, |ui| {
                preview::show(ui, export, squares, 180.0);
                choices::show(ui, export);
                foot::show(ui, export, &mut requests);
            });
        }
    });
    // Clicks outside do not close the dialog: they could discard many choices.
    let is_on_top = modal.is_top_modal && !modal.any_popup_open;
    let escaped = is_on_top && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape));
    if requests.choose_name {
        state.requests.push(Request::SaveDialog);
    }
    if requests.open_folder {
        state.requests.push(Request::OpenFolder);
    }
    if requests.close || escaped {
        state.close_export();
    }
}
