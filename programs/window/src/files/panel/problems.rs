//! The errors and warnings about the file, and the defaults chosen while reading it. Of many warnings, only the visible ones are laid
//! out.

use std::sync::Arc;

use egui::{CollapsingHeader, Label, Rect, Response, RichText, Ui, UiBuilder, vec2};

use crate::base::memo::ByAddress;
use crate::files::Files;
use crate::files::facts::{Facts, Warning};
use crate::widgets::actions::Actions;
use crate::widgets::command::Command;
use crate::widgets::theme::Palette;

/// Size of the text in points.
const SIZE: f32 = 13.0;
/// Errors that are shown; the list of findings has all.
const MAX_ERRORS: usize = 3;

/// Says that parts of animations with this many errors are left out.
pub fn left_out(errors: usize) -> String {
    match errors {
        1 => "A part of an animation has an error and is left out.".to_owned(),
        count => format!("Parts of animations have {count} errors and are left out."),
    }
}

/// Shows a button that opens the list of findings, unless it is open.
pub fn findings_button(ui: &mut Ui, files: &Files, actions: &mut Actions) {
    if !files.check.is_shown {
        actions.on_click(ui.button("Show findings"), Command::Findings);
    }
}

/// Shows choices, errors and warnings, if any.
pub fn show(ui: &mut Ui, files: &mut Files, actions: &mut Actions) {
    let facts = files.facts();
    let count = facts.warnings.len() + facts.suppressed;
    if !facts.choices.is_empty() || !facts.errors.is_empty() || count > 0 {
        // The panel justifies its rows, which would space out text.
        ui.vertical(|ui| problems(ui, files, &facts, count, actions));
    }
}

fn problems(ui: &mut Ui, files: &mut Files, facts: &Arc<Facts>, count: usize, actions: &mut Actions) {
    for choice in &facts.choices {
        ui.add_space(4.0);
        text(ui, RichText::new(&choice.message).weak()).on_hover_text(choice.code);
    }
    // Notes alone need no list.
    if count == 0 && facts.errors.is_empty() {
        return;
    }
    ui.add_space(8.0);
    if !files.check.is_shown {
        actions.on_click(ui.button("Find in the picture"), Command::Findings);
    }
    let palette = Palette::of(ui.visuals());
    if !facts.errors.is_empty() {
        let title = RichText::new(left_out(facts.error_count)).color(palette.error).strong();
        ui.add(Label::new(title).wrap());
        for error in facts.errors.iter().take(MAX_ERRORS) {
            show_one(ui, error);
            ui.add_space(4.0);
        }
    }
    if count == 0 {
        return;
    }
    let color = palette.warning;
    let title = RichText::new(format!("Warnings ({count})")).color(color).strong();
    CollapsingHeader::new(title).id_salt("warnings").default_open(count <= 3).show_unindented(ui, |ui| {
        let key = (ByAddress::of(facts), ui.available_width());
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
    text(ui, RichText::new(message)).on_hover_text(*code);
    if !place.is_empty() {
        text(ui, RichText::new(place).weak());
    }
}

/// Adds text that can be selected and copied.
fn text(ui: &mut Ui, text: RichText) -> Response {
    ui.add(Label::new(text.size(SIZE)).selectable(true))
}
