//! Banner above the canvas: the reason why the shown character is out of date, or not drawn.

use egui::{Align, Button, Frame, Label, Layout, Margin, Rect, RichText, Ui, UiBuilder, vec2};

use crate::viewer::files::Files;
use crate::viewer::widgets::actions::Actions;
use crate::viewer::widgets::command::Command;
use crate::viewer::widgets::theme::Palette;

/// Shows the banner if the file can no longer be read and an older version of it is shown, or if drawing the frame
/// would take too long.
pub fn show(ui: &mut Ui, rect: Rect, files: &Files, is_too_heavy: bool, actions: &mut Actions) {
    let Some(document) = files.current() else { return };
    match (document.loaded(), document.error()) {
        (Some(_), Some(error)) => {
            let title = "The file cannot be read; its last readable version is shown.";
            banner(ui, rect, title, RichText::new(error), Some(actions));
        }
        (Some(_), None) if is_too_heavy => {
            let title = "Drawing this frame would take too long.";
            let text = "Zoom out, or start pchr-view with --limit work=VALUE to raise the limit.";
            // The proportional font joins two hyphens.
            banner(ui, rect, title, RichText::new(text).monospace(), None);
        }
        (Some(_) | None, _) => {}
    }
}

/// Shows a “Try again” button if there are `actions`.
fn banner(ui: &mut Ui, rect: Rect, title: &str, text: RichText, actions: Option<&mut Actions>) {
    let palette = Palette::of(ui.visuals());
    let area = rect.shrink(10.0);
    let mut ui = ui.new_child(UiBuilder::new().max_rect(area).layout(Layout::top_down(Align::Min)));
    let frame = Frame::new().fill(palette.error_faint).corner_radius(8).inner_margin(Margin::symmetric(12, 8));
    frame.show(&mut ui, |ui| {
        let width = (area.width() - 24.0).max(1.0);
        ui.set_width(width);
        ui.horizontal(|ui| {
            let layout = Layout::top_down(Align::Min);
            ui.allocate_ui_with_layout(vec2((width - 100.0).max(1.0), 0.0), layout, |ui| {
                ui.add(Label::new(RichText::new(title).strong().color(palette.error)).selectable(true));
                ui.add(Label::new(text.small()).wrap().selectable(true));
            });
            let Some(actions) = actions else { return };
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let again = Button::new("Try again");
                if ui.add(again).on_hover_text(Command::Reload.tooltip()).clicked() {
                    actions.push(Command::Reload);
                }
            });
        });
    });
}
