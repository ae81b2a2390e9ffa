//! The bar above the canvas: menu, file, and view controls.

use egui::accesskit::Role;
use egui::{
    Align, Button, Color32, ComboBox, Id, Label, Layout, Popup, PopupCloseBehavior, RichText, Sense, Slider,
    Stroke, StrokeKind, Ui, WidgetInfo, vec2,
};

use super::menu;
use crate::viewer::Background;
use crate::viewer::app::MIN_WIDTH_FOR_LISTS;
use crate::viewer::command::Command;
use crate::viewer::icon::{self, Icon};
use crate::viewer::state::State;

const BUTTON_SIZE: egui::Vec2 = vec2(30.0, 28.0);

/// Predefined background colours.
const COLORS: [(&str, [u8; 3]); 6] = [
    ("Black", [0, 0, 0]),
    ("Dark grey", [48, 50, 56]),
    ("Grey", [128, 128, 128]),
    ("White", [255, 255, 255]),
    ("Blue", [88, 140, 196]),
    ("Green", [0, 177, 64]),
];

/// Name of the colour picked by the user.
const CUSTOM: &str = "Custom";

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
    zoom(ui, state, commands);
    ui.add_space(10.0);
    background(ui, state);
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

fn zoom(ui: &mut Ui, state: &mut State, commands: &mut Vec<Command>) {
    let mut sign = |ui: &mut Ui, sign, command: Command| {
        if icon::button(ui, sign, command.label(), &command.tooltip(), BUTTON_SIZE).clicked() {
            commands.push(command);
        }
    };
    // Laid out right to left.
    sign(ui, Icon::Plus, Command::ZoomIn);
    let percent = state.view().map_or(100.0, |view| view.scale() * 100.0);
    let text = if percent < 10.0 { format!("{percent:.1} %") } else { format!("{percent:.0} %") };
    ui.spacing_mut().item_spacing.x = 2.0;
    let width = ui.fonts_mut(|fonts| {
        fonts.layout_no_wrap("10000 %".into(), egui::FontId::proportional(13.5), Color32::WHITE).size().x
    });
    let (rect, response) = ui.allocate_exact_size(vec2(width, BUTTON_SIZE.y), Sense::hover());
    ui.put(rect, egui::Label::new(text).selectable(false));
    response.on_hover_text("Screen pixels per character pixel");
    sign(ui, Icon::Minus, Command::ZoomOut);
    let is_fit = state.camera == crate::viewer::view::Camera::Fit;
    for (label, command, is_on) in
        [("100 %", Command::ZoomActual, percent == 100.0 && !is_fit), ("Fit", Command::ZoomFit, is_fit)]
    {
        if ui.add(Button::selectable(is_on, label)).on_hover_text(command.tooltip()).clicked() {
            commands.push(command);
        }
    }
}

fn background(ui: &mut Ui, state: &mut State) {
    // Laid out right to left.
    custom_color(ui, state);
    let name = match state.background {
        Background::Checker => "Transparent",
        Background::Color(color) => {
            COLORS.into_iter().find(|(_, known)| *known == color).map_or(CUSTOM, |(name, _)| name)
        }
    };
    let combo =
        ComboBox::from_id_salt("background").selected_text(name).width(112.0).height(320.0).show_ui(ui, |ui| {
            ui.selectable_value(&mut state.background, Background::Checker, "Transparent");
            for (name, color) in COLORS.into_iter().chain([(CUSTOM, state.custom_color)]) {
                ui.horizontal(|ui| {
                    let (rect, _) = ui.allocate_exact_size(vec2(14.0, 14.0), Sense::hover());
                    let [r, g, b] = color;
                    let stroke = Stroke::new(1.0, ui.visuals().weak_text_color());
                    ui.painter().rect(rect, 3.0, Color32::from_rgb(r, g, b), stroke, StrokeKind::Inside);
                    ui.selectable_value(&mut state.background, Background::Color(color), name);
                });
            }
        });
    combo.response.on_hover_text("Background of the canvas and of screenshots");
}

/// Shows the picker for a custom colour, which is kept while another background is selected.
fn custom_color(ui: &mut Ui, state: &mut State) {
    let [r, g, b] = state.custom_color;
    let (rect, button) = ui.allocate_exact_size(BUTTON_SIZE, Sense::click());
    button.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Custom colour"));
    let line = if button.hovered() || button.has_focus() {
        ui.visuals().text_color()
    } else {
        ui.visuals().weak_text_color()
    };
    let swatch = rect.shrink2(vec2(5.0, 5.0));
    ui.painter().rect(swatch, 4.0, Color32::from_rgb(r, g, b), Stroke::new(1.0, line), StrokeKind::Inside);
    let button = button.on_hover_text("Custom background colour");
    Popup::menu(&button).close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
        ui.set_min_width(230.0);
        let mut is_changed = false;
        for (name, channel) in ["Red", "Green", "Blue"].into_iter().zip(&mut state.custom_color) {
            ui.horizontal(|ui| {
                let label = ui.add_sized(vec2(44.0, BUTTON_SIZE.y), Label::new(name));
                is_changed |= ui.add(Slider::new(channel, 0..=255)).labelled_by(label.id).changed();
            });
        }
        if is_changed {
            state.background = Background::Color(state.custom_color);
        }
    });
}
