//! The bar above the canvas: menu, file, and view controls.

use egui::text::{LayoutJob, TextFormat};
use egui::{Align, Button, Id, Label, Layout, Popup, TextStyle, Ui, vec2};

use super::{view, zoom};
use crate::app::state::State;
use crate::compare;
use crate::overlays::panel::{background, show};
use crate::palette::panel::menu;
use crate::widgets::actions::Actions;
use crate::widgets::command::Command;
use crate::widgets::command_row::Status;
use crate::widgets::icon::{self, Icon};
use crate::widgets::theme::MIN_WIDTH_FOR_LISTS;

const BUTTON_SIZE: egui::Vec2 = vec2(30.0, 28.0);

/// The least room for the name of the file, in points.
const LEAST_NAME: f32 = 60.0;

/// Shows the bar.
pub fn show(ui: &mut Ui, state: &mut State, actions: &mut Actions) {
    ui.horizontal_centered(|ui| {
        let menu = icon::button(ui, Icon::Menu, "Menu", "All commands", BUTTON_SIZE);
        Popup::menu(&menu).show(|ui| {
            let statuses: Vec<(Command, Status)> =
                Command::all().map(|command| (command, state.status(command))).collect();
            let status =
                |command| statuses.iter().find(|(of, _)| *of == command).map(|(_, it)| *it).unwrap_or_default();
            menu::show(ui, &mut state.files, &status, actions);
        });
        let open = Button::new("Open…").min_size(vec2(0.0, BUTTON_SIZE.y));
        actions.on_click(ui.add(open), Command::Open);
        if ui.ctx().content_rect().width() >= MIN_WIDTH_FOR_LISTS {
            let export = Button::new("Export…").min_size(vec2(0.0, BUTTON_SIZE.y));
            let is_usable = state.unavailable(Command::Export).is_none();
            actions.on_click(ui.add_enabled(is_usable, export), Command::Export);
        }
        if state.has_lists() && ui.ctx().content_rect().width() < MIN_WIDTH_FOR_LISTS {
            let tooltip = "Show or hide animations, skins and slots";
            ui.toggle_value(&mut state.parts.lists, "Lists").on_hover_text(tooltip);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            icon::command(ui, Icon::Help, Command::Help.label(), Command::Help, BUTTON_SIZE, actions);
            if state.loaded().is_some() {
                view_controls(ui, state, actions);
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| file(ui, state, actions));
        });
    });
}

/// Shows the view controls if they fit beside the other parts, or else a menu with them.
fn view_controls(ui: &mut Ui, state: &mut State, actions: &mut Actions) {
    let id = Id::unique("view controls width");
    // Assume the width of the last time.
    let before: f32 = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    let (available, right) = (ui.available_width() - LEAST_NAME, ui.cursor().right());
    if available < before {
        return view::show(ui, state, actions);
    }
    let (is_dark, view) = (ui.visuals().dark_mode, state.view());
    show::button(ui, &mut state.overlay_panel(is_dark, actions));
    zoom::show(ui, state, view, actions);
    background::show(ui, &mut state.overlay_panel(is_dark, actions));
    let width = right - ui.cursor().right();
    ui.data_mut(|data| data.insert_temp(id, width));
    if width > available {
        ui.ctx().request_discard("the view controls do not fit");
    }
}

fn file(ui: &mut Ui, state: &State, actions: &mut Actions) {
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
    if let Some(changes) = state.compare.review.changes(document.path()) {
        compare::panel::changed(ui, changes, state.compare.is_review(), actions);
    }
}
