//! The list of differences beside the canvas, or below it in a narrow window. A click selects the item.

use egui::accesskit::Role;
use egui::{RichText, TextEdit, Ui, WidgetInfo};

use super::ComparePanel;
use crate::compare::findings::{Answer, Findings};
use crate::widgets::actions::{Action, Actions};
use crate::widgets::entry::{self, Entry};
use crate::widgets::list_panel::{self, message};
use crate::widgets::rows::Rows;
use crate::widgets::theme::Palette;
use pchr::diff::{FoundIn, Line};

/// Shows the list if it is open.
pub fn show(ui: &mut Ui, state: &mut ComparePanel<'_>) {
    if !state.compare.findings.is_shown || state.compare.second.is_none() {
        return;
    }
    let is_review = state.compare.is_review();
    let findings = &mut state.compare.findings;
    let places = findings.listed();
    let answer = findings.answer().cloned();
    let title = match &answer {
        Some(Ok(lines)) if places.len() < lines.len() => {
            format!("Differences ({} of {})", places.len(), lines.len())
        }
        Some(Ok(lines)) if !lines.is_empty() => format!("Differences ({})", lines.len()),
        Some(_) | None => "Differences".to_owned(),
    };
    let is_shown = list_panel::show(ui, "differences", title, |ui| {
        content(ui, findings, answer, is_review, state.actions);
    });
    state.compare.findings.is_shown = is_shown;
}

fn content(ui: &mut Ui, findings: &mut Findings, answer: Option<Answer>, is_review: bool, actions: &mut Actions) {
    let palette = Palette::of(ui.visuals());
    let lines = match answer {
        Some(Ok(lines)) if lines.is_empty() => {
            return message(ui, RichText::new("No differences").weak());
        }
        Some(Ok(lines)) => lines,
        Some(Err(error)) => return message(ui, RichText::new(error).color(palette.error)),
        None => return message(ui, RichText::new("Comparing…").weak()),
    };
    let field = TextEdit::singleline(&mut findings.filter.text).hint_text("Filter");
    let field = ui.add(field.desired_width(f32::INFINITY));
    field.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Filter differences"));
    let places = findings.listed();
    if places.is_empty() {
        return message(ui, RichText::new("No difference contains this text").weak());
    }
    let chosen = findings.chosen;
    let rows = Rows { count: places.len(), height: entry::HEIGHT };
    rows.show(ui, "differences", ui.available_height(), None, |ui, row| {
        let place = *places.get(row)?;
        let response = line(ui, lines.get(place)?, chosen == Some(place), is_review);
        if response.clicked() {
            actions.push(Action::GoToFinding(place));
        }
        Some(response)
    });
}

/// Shows a difference: the item, and what differs.
fn line(ui: &mut Ui, line: &Line, is_chosen: bool, is_review: bool) -> egui::Response {
    let title = format!("{} {}", line.found_in.mark(), line.name);
    let detail = match line.detail.as_str() {
        "" if is_review && line.found_in == FoundIn::A => "removed",
        "" if is_review => "added",
        "" if line.found_in == FoundIn::A => "only in the first file",
        "" => "only in the second file",
        detail => detail,
    };
    let name = format!("{}: {title}, {detail}", line.kind.plural());
    // Most items are in both files.
    let title = title.strip_prefix("~ ").unwrap_or(&title);
    let kind = line.kind.plural();
    let response = Entry { title, kind, kind_color: None, detail, name: &name, is_chosen }.show(ui);
    response.on_hover_text(format!("{}\n{detail}", line.name))
}
