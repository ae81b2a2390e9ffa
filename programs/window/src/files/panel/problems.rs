//! The warnings about the file, and the defaults chosen while reading it. Of many warnings, only the visible ones are laid
//! out.

use egui::{CollapsingHeader, Label, Rect, Response, RichText, Ui, UiBuilder, vec2};

use crate::base::memo::ByAddress;
use crate::files::Files;
use crate::files::facts::Warning;
use crate::widgets::actions::Actions;
use crate::widgets::command::Command;
use crate::widgets::theme::Palette;

/// Shows choices and warnings, if any.
pub fn show(ui: &mut Ui, files: &mut Files, actions: &mut Actions) {
    let facts = files.facts();
    for choice in &facts.choices {
        ui.add_space(4.0);
        text(ui, RichText::new(&choice.message).weak()).on_hover_text(choice.code);
    }
    let count = facts.warnings.len() + facts.suppressed;
    // Notes alone need no list.
    if count == 0 {
        return;
    }
    ui.add_space(8.0);
    if !files.check.is_shown {
        actions.on_click(ui.small_button("Find in the picture"), Command::Findings);
    }
    let color = Palette::of(ui.visuals()).warning;
    let title = RichText::new(format!("Warnings ({count})")).color(color).strong();
    CollapsingHeader::new(title).id_salt("warnings").default_open(count <= 3).show_unindented(ui, |ui| {
        let key = (ByAddress::of(&facts), ui.available_width());
        let heights = files.warning_heights.get(key, || vec![None; facts.warnings.len()]);
        for (index, (warning, height)) in facts.warnings.iter().zip(heights).enumerate() {
            if is_outside(ui, *height) {
                ui.allocate_space(vec2(ui.available_width(), height.unwrap_or_default()));
            } else {
                let builder = UiBuilder::new().id_salt(("warning", index));
                *height = Some(ui.scope_builder(builder, |ui| show_one(ui, warning)).response.rect.height());
            }
            ui.add_space(4.0);
        }
        if facts.suppressed > 0 {
            ui.label(RichText::new(format!("and {} more", facts.suppressed)).small().weak());
        }
    });
}

/// Returns true if something of this height would not be visible.
fn is_outside(ui: &Ui, height: Option<f32>) -> bool {
    height.is_some_and(|height| {
        let place = Rect::from_min_size(ui.cursor().min, vec2(ui.available_width(), height));
        !ui.is_rect_visible(place)
    })
}

fn show_one(ui: &mut Ui, Warning { place, message, code }: &Warning) {
    if !place.is_empty() {
        text(ui, RichText::new(place).monospace().weak());
    }
    text(ui, RichText::new(message)).on_hover_text(*code);
}

/// Adds small text that can be selected and copied.
fn text(ui: &mut Ui, text: RichText) -> Response {
    ui.add(Label::new(text.small()).selectable(true))
}
