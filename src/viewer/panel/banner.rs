//! Above the character: the file does not read well any more, this is how it was.

use egui::{Align, Button, Frame, Label, Layout, Margin, Rect, RichText, Ui, UiBuilder, vec2};

use crate::viewer::command::Command;
use crate::viewer::state::State;
use crate::viewer::theme::Palette;

/// Shows the banner while an older character stands in for a file that cannot be read.
pub fn show(ui: &mut Ui, rect: Rect, state: &State, commands: &mut Vec<Command>) {
    let Some(document) = state.current() else { return };
    let (Some(_), Some(error)) = (document.loaded(), document.error()) else { return };
    let palette = Palette::of(ui.visuals());
    let area = rect.shrink(10.0);
    let mut ui = ui.new_child(UiBuilder::new().max_rect(area).layout(Layout::top_down(Align::Min)));
    let frame = Frame::new().fill(palette.error_faint).corner_radius(8).inner_margin(Margin::symmetric(12, 8));
    frame.show(&mut ui, |ui| {
        let width = (area.width() - 24.0).max(1.0);
        ui.set_width(width);
        ui.horizontal(|ui| {
            let text = Layout::top_down(Align::Min);
            ui.allocate_ui_with_layout(vec2((width - 100.0).max(1.0), 0.0), text, |ui| {
                let title = "The file cannot be read now; this is how it was before.";
                ui.label(RichText::new(title).strong().color(palette.error));
                ui.add(Label::new(RichText::new(error).small()).wrap());
            });
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let again = Button::new("Try again");
                if ui.add(again).on_hover_text(Command::Reload.tooltip()).clicked() {
                    commands.push(Command::Reload);
                }
            });
        });
    });
}
