//! What the last save has changed, beside the name of the file.

use egui::accesskit::Role;
use egui::{Button, RichText, Ui, WidgetInfo};

use crate::compare::changes::Changes;
use crate::widgets::actions::Actions;
use crate::widgets::command::Command;
use crate::widgets::theme::Palette;

/// Least width in points.
const LEAST: f32 = 80.0;
/// Number of differences in the tooltip.
const MOST_LINES: usize = 16;

/// Shows it if there is room. A click compares the file with the version before; the tooltip has the details.
pub fn show(ui: &mut Ui, changes: &Changes, is_review: bool, actions: &mut Actions) {
    if ui.available_width() < LEAST {
        return;
    }
    let palette = Palette::of(ui.visuals());
    let color = if is_review { palette.accent } else { palette.text_weak };
    let text = RichText::new(&changes.summary).small().color(color);
    let button = ui.add(Button::new(text).frame(false).truncate());
    button.widget_info(|| {
        let name = format!("Changed by the last save: {}", changes.summary);
        WidgetInfo::selected(Role::Button, true, is_review, name)
    });
    let button = button.on_hover_ui(|ui| details(ui, changes));
    if button.clicked() {
        actions.push(Command::Review);
    }
}

fn details(ui: &mut Ui, changes: &Changes) {
    match &changes.answer {
        Ok(lines) => {
            for line in lines.iter().take(MOST_LINES) {
                let (mark, kind, name) = (line.found_in.mark(), line.kind.plural(), &line.name);
                let detail = if line.detail.is_empty() { String::new() } else { format!(": {}", line.detail) };
                ui.label(format!("{mark} {kind} {name}{detail}"));
            }
            if let Some(more) = lines.len().checked_sub(MOST_LINES).filter(|more| *more > 0) {
                ui.weak(format!("and {more} more"));
            }
        }
        Err(error) => {
            ui.label(error);
        }
    }
    let [blink, review] = [Command::Blink, Command::Review].map(Command::keys);
    ui.separator();
    ui.weak(format!("{blink} shows the version before, {review} compares both"));
}
