//! A check box with a border: the fill alone is too faint to be seen while it is empty.

use egui::{Response, Stroke, Ui};

use super::theme::Palette;

/// Adds the check box.
pub fn show(ui: &mut Ui, is_on: &mut bool, label: &str) -> Response {
    ui.scope(|ui| {
        let palette = Palette::of(ui.visuals());
        let widgets = &mut ui.visuals_mut().widgets;
        for visuals in [&mut widgets.inactive, &mut widgets.hovered, &mut widgets.active, &mut widgets.open] {
            visuals.bg_fill = palette.sunken;
            visuals.bg_stroke = Stroke::new(1.0, palette.text_weak);
        }
        ui.checkbox(is_on, label)
    })
    .inner
}
