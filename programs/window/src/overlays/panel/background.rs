//! The menu of everything behind the character: background, guides and picture.

use egui::accesskit::Role;
use egui::{Color32, Popup, PopupCloseBehavior, Sense, Stroke, StrokeKind, Ui, WidgetInfo};

use super::color::{self, SWATCH};
use super::{OverlayPanel, checker, underlay};
use crate::scene::background::{Background, hex};
use crate::widgets::command::Command;
use crate::widgets::drop_down::{self, DropDown};
use crate::widgets::theme::Palette;
use crate::widgets::{check_box, switch};

/// Predefined colours.
const COLORS: [(&str, [u8; 3]); 6] = [
    ("Black", [0, 0, 0]),
    ("Dark grey", [48, 50, 56]),
    ("Grey", [128, 128, 128]),
    ("White", [255, 255, 255]),
    ("Blue", [88, 140, 196]),
    ("Green", [0, 177, 64]),
];

/// Width of the menu in points.
const WIDTH: f32 = 250.0;

/// Shows the button that opens the menu.
pub fn show(ui: &mut Ui, state: &mut OverlayPanel<'_>) {
    let (button, sample) = DropDown { text: "Background", has_swatch: true, ..DropDown::default() }.show(ui);
    if let Some(rect) = sample {
        color::swatch(ui, rect, &colors(state, state.overlays.background));
    }
    let button = button.on_hover_text("Background, grid and picture behind the character");
    Popup::menu(&button).close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
        drop_down::contents(ui, WIDTH, drop_down::BESIDE_MENU, |ui| menu(ui, state));
    });
}

/// Shows the contents of the menu.
pub fn menu(ui: &mut Ui, state: &mut OverlayPanel<'_>) {
    crate::widgets::heading(ui, "Background");
    swatches(ui, state);
    ui.separator();
    crate::widgets::heading(ui, "Guides");
    switch::show(ui, state.overlays.guides.grid, "Grid", Command::Grid, state.actions);
    ui.add_enabled_ui(state.overlays.guides.grid, |ui| {
        let coordinates = &mut state.overlays.guides.coordinates;
        ui.indent("coordinates", |ui| check_box::show(ui, coordinates, "Coordinates"));
    });
    switch::show(ui, state.overlays.guides.ground, "Ground line (y = 0)", Command::Ground, state.actions);
    switch::show(ui, state.overlays.guides.origin, "Origin", Command::Origin, state.actions);
    ui.separator();
    crate::widgets::heading(ui, "Picture behind");
    if ui
        .button("Choose…")
        .on_hover_text("A PNG, JPEG or WebP file. Screenshots do not contain it; the export dialog offers it as a background.")
        .clicked()
    {
        state.actions.push(Command::Underlay);
        ui.close();
    }
    underlay::settings(ui, state);
}

/// Shows the backgrounds, and sliders while the custom colour is chosen.
fn swatches(ui: &mut Ui, state: &mut OverlayPanel<'_>) {
    let colors = COLORS.map(|(name, color)| (name, Background::Color(color)));
    let custom = ("Custom colour", Background::Color(state.overlays.custom_color));
    let is_custom = match state.overlays.background {
        Background::Checker => false,
        Background::Color(color) => COLORS.iter().all(|(_, known)| *known != color),
    };
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        for (name, background) in [("Transparent", Background::Checker)].into_iter().chain(colors).chain([custom])
        {
            let is_on =
                if name == custom.0 { is_custom } else { !is_custom && state.overlays.background == background };
            if choice(ui, state, name, background, is_on) {
                state.overlays.background = background;
            }
        }
    });
    if !is_custom {
        return;
    }
    if color::fields(ui, &mut state.overlays.custom_color) {
        state.overlays.background = Background::Color(state.overlays.custom_color);
    }
}

/// Shows one background. Returns true if it was chosen.
fn choice(ui: &mut Ui, state: &OverlayPanel<'_>, name: &str, background: Background, is_on: bool) -> bool {
    let (rect, response) = ui.allocate_exact_size(SWATCH, Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, is_on, name));
    color::swatch(ui, rect.shrink(3.0), &colors(state, background));
    let palette = Palette::of(ui.visuals());
    if is_on || response.hovered() {
        let color = if is_on { palette.accent } else { palette.text_weak };
        ui.painter().rect_stroke(rect, 6.0, Stroke::new(2.0, color), StrokeKind::Inside);
    }
    let tooltip = match background {
        Background::Checker => "Transparent, also in screenshots".to_owned(),
        Background::Color(color) => format!("{name} ({}), also in screenshots", hex(color)),
    };
    response.on_hover_text(tooltip).clicked()
}

/// Returns the colours of a background, one or two.
fn colors(state: &OverlayPanel<'_>, background: Background) -> Vec<Color32> {
    match background {
        Background::Checker => checker(state.squares, state.overlays.guides.grid).to_vec(),
        Background::Color([r, g, b]) => vec![Color32::from_rgb(r, g, b)],
    }
}
