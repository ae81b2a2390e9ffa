//! The list of findings about the shown file, as `pchr validate` prints them. A click goes to the part that one is about.

use std::sync::Arc;

use egui::{RichText, Ui};

use crate::files::Files;
use crate::widgets::actions::{Action, Actions};
use crate::widgets::entry::{self, Entry};
use crate::widgets::list_panel::{self, message};
use crate::widgets::rows::Rows;
use crate::widgets::theme::Palette;
use pchr::diagnostics::Severity;
use pchr::error::escaped;
use pchr::formats::findings::rule;
use pchr::validate::Finding;

/// Shows the list if it is open.
pub fn show(ui: &mut Ui, files: &mut Files, actions: &mut Actions) {
    files.check.follow(files.documents.get(files.current), &files.read, files.loading.waker.as_ref());
    if !files.check.is_shown || files.current().is_none() {
        return;
    }
    let answer = files.check.answer();
    let title = match answer {
        Some(Ok((found, more))) if !found.is_empty() => format!("Findings ({})", found.len() + more),
        Some(_) | None => "Findings".to_owned(),
    };
    let is_piped = files.current().is_some_and(|document| document.is_piped());
    let chosen = files.check.chosen;
    files.check.is_shown = list_panel::show(ui, "findings", title, |ui| match answer {
        _ if is_piped => message(ui, RichText::new("Standard input cannot be read again to check it").weak()),
        None => message(ui, RichText::new("Checking…").weak()),
        Some(Err(error)) => message(ui, RichText::new(error).color(Palette::of(ui.visuals()).error)),
        Some(Ok((found, _))) if found.is_empty() => message(ui, RichText::new("Nothing is wrong").weak()),
        Some(Ok(found)) => list(ui, found, chosen, actions),
    });
}

fn list(ui: &mut Ui, (found, more): &(Arc<[Finding]>, usize), chosen: Option<usize>, actions: &mut Actions) {
    if *more > 0 {
        message(ui, RichText::new(format!("{more} more are not listed")).small().weak());
    }
    let rows = Rows { count: found.len(), height: entry::HEIGHT };
    rows.show(ui, "findings", ui.available_height(), None, |ui, place| {
        let response = row(ui, found.get(place)?, chosen == Some(place));
        if response.clicked() {
            actions.push(Action::GoToProblem(place));
        }
        Some(response)
    });
}

fn row(ui: &mut Ui, finding: &Finding, is_chosen: bool) -> egui::Response {
    let palette = Palette::of(ui.visuals());
    let (kind, color) = match finding.severity {
        Severity::Error => ("error", Some(palette.error)),
        Severity::Warning => ("warning", Some(palette.warning)),
        Severity::Note => ("note", None),
    };
    let title = rule(finding.code).map_or(finding.code, |rule| rule.title);
    // Names are in the message.
    let place = escaped(finding.inside());
    let separator = if place.is_empty() { "" } else { "  " };
    let detail = format!("{}{separator}{place}", escaped(&finding.message));
    let name = format!("{kind}: {title}, {detail}");
    let response = Entry { title, kind, kind_color: color, detail: &detail, name: &name, is_chosen }.show(ui);
    response.on_hover_ui(|ui| {
        ui.set_max_width(ui.spacing().tooltip_width);
        ui.label(format!("{title} ({})\n{detail}", finding.code));
        if let Some(rule) = rule(finding.code) {
            ui.label(RichText::new(rule.help).weak());
        }
    })
}
