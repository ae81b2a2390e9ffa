//! The bar above the canvas: menu, file, and view controls.

use egui::{Align, Id, Layout, Popup, RichText, Ui, vec2};

use super::{background, menu, show, zoom};
use crate::viewer::app::MIN_WIDTH_FOR_LISTS;
use crate::viewer::command::Command;
use crate::viewer::icon::{self, Icon};
use crate::viewer::state::State;

const BUTTON_SIZE: egui::Vec2 = vec2(30.0, 28.0);

/// Shows the bar.
pub fn show(ui: &mut Ui, state: &mut State, commands: &mut Vec<Command>) {
    ui.horizontal_centered(|ui| {
        let menu = icon::button(ui, Icon::Menu, "Menu", "All commands", BUTTON_SIZE);
        Popup::menu(&menu).show(|ui| menu::show(ui, state, commands));
        if ui.button("Open…").on_hover_text(Command::Open.tooltip()).clicked() {
            commands.push(Command::Open);
        }
        if state.current().is_some() && ui.ctx().content_rect().width() < MIN_WIDTH_FOR_LISTS {
            let tooltip = "Show or hide animations, skins and slots";
            ui.toggle_value(&mut state.lists, "Lists").on_hover_text(tooltip);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let help = Command::Help;
            if icon::button(ui, Icon::Help, help.label(), &help.tooltip(), BUTTON_SIZE).clicked() {
                commands.push(help);
            }
            if state.loaded().is_some() {
                view(ui, state, commands);
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| file(ui, state));
        });
    });
}

/// Shows the view controls if they fit beside the other parts.
fn view(ui: &mut Ui, state: &mut State, commands: &mut Vec<Command>) {
    let id = Id::unique("view controls width");
    // Assume the width of the last time.
    let before: f32 = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    let (available, right) = (ui.available_width(), ui.cursor().right());
    if available < before {
        return;
    }
    ui.add_space(10.0);
    show::button(ui, state, commands);
    ui.add_space(6.0);
    zoom::show(ui, state, commands);
    ui.add_space(10.0);
    background::show(ui, state, commands);
    let width = right - ui.cursor().right();
    ui.data_mut(|data| data.insert_temp(id, width));
    if width > available {
        ui.ctx().request_discard("the view controls do not fit");
    }
}

fn file(ui: &mut Ui, state: &State) {
    let Some(document) = state.current() else { return };
    if ui.available_width() < 60.0 {
        return;
    }
    let name = egui::Label::new(RichText::new(document.name()).strong()).truncate().selectable(false);
    ui.add(name).on_hover_text(document.location());
}
