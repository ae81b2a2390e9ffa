//! The bar above the canvas: menu, file, and view controls.

use egui::text::{LayoutJob, TextFormat};
use egui::{Align, Button, Id, Label, Layout, Popup, TextStyle, Ui, vec2};

use super::{background, menu, show, zoom};
use crate::viewer::app::MIN_WIDTH_FOR_LISTS;
use crate::viewer::command::Command;
use crate::viewer::icon::{self, Icon};
use crate::viewer::state::State;

const BUTTON_SIZE: egui::Vec2 = vec2(30.0, 28.0);

/// Shows one of the view controls.
type Control = fn(&mut Ui, &mut State, &mut Vec<Command>);
/// The view controls from the left, and which of them stay longest when the bar gets narrow.
const CONTROLS: [Control; 3] = [background::show, zoom::show, show::button];
const BY_IMPORTANCE: [usize; 3] = [1, 2, 0];

/// Space between controls, and the least room for the name of the file, in points.
const GAP: f32 = 8.0;
const LEAST_NAME: f32 = 60.0;

/// Shows the bar.
pub fn show(ui: &mut Ui, state: &mut State, commands: &mut Vec<Command>) {
    ui.horizontal_centered(|ui| {
        let menu = icon::button(ui, Icon::Menu, "Menu", "All commands", BUTTON_SIZE);
        Popup::menu(&menu).show(|ui| menu::show(ui, state, commands));
        let open = Button::new("Open…").min_size(vec2(0.0, BUTTON_SIZE.y));
        if ui.add(open).on_hover_text(Command::Open.tooltip()).clicked() {
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

/// Shows the view controls that fit beside the other parts.
fn view(ui: &mut Ui, state: &mut State, commands: &mut Vec<Command>) {
    let id = Id::unique("widths of the view controls");
    // Assume the widths of the last time.
    let before: Option<[f32; 3]> = ui.data(|data| data.get_temp(id));
    let mut widths = before.unwrap_or([140.0, 90.0, 80.0]);
    let mut room = ui.available_width() - LEAST_NAME;
    let mut fits = [false; 3];
    for index in BY_IMPORTANCE {
        fits[index] = room >= widths[index] + GAP;
        if !fits[index] {
            break;
        }
        room -= widths[index] + GAP;
    }
    for (index, show) in CONTROLS.iter().enumerate().rev().filter(|(index, _)| fits[*index]) {
        ui.add_space(GAP - ui.spacing().item_spacing.x);
        let right = ui.cursor().right();
        show(ui, state, commands);
        widths[index] = right - ui.cursor().right();
    }
    if before != Some(widths) {
        ui.data_mut(|data| data.insert_temp(id, widths));
        ui.ctx().request_discard("the widths of the view controls were assumed");
    }
}

fn file(ui: &mut Ui, state: &State) {
    let Some(document) = state.current() else { return };
    if ui.available_width() < LEAST_NAME {
        return;
    }
    let mut name = LayoutJob::default();
    let visuals = ui.visuals();
    let font = TextStyle::Body.resolve(ui.style());
    name.append(&document.name(), 0.0, TextFormat::simple(font, visuals.strong_text_color()));
    if !document.folder.is_empty() {
        let font = TextStyle::Small.resolve(ui.style());
        name.append(&document.folder, 8.0, TextFormat::simple(font, visuals.weak_text_color()));
    }
    ui.add(Label::new(name).truncate().selectable(false)).on_hover_text(document.location());
}
