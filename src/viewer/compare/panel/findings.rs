//! The list of differences beside the canvas, or below it in a narrow window. A click selects the item.

use egui::accesskit::Role;
use egui::text::LayoutJob;
use egui::{
    Align, FontId, Frame, Label, Layout, Margin, Panel, RichText, Sense, TextEdit, TextStyle, TextWrapMode, Ui,
    WidgetInfo, WidgetText, vec2,
};

use super::ComparePanel;
use crate::diff::{FoundIn, Line};
use crate::viewer::widgets::actions::Action;
use crate::viewer::widgets::heading;
use crate::viewer::widgets::icon::{self, Icon};
use crate::viewer::widgets::rows::Rows;
use crate::viewer::widgets::theme::MIN_WIDTH_FOR_LISTS;
use crate::viewer::widgets::theme::Palette;

/// Height of a row of three lines, in points.
const ROW: f32 = 54.0;
/// Seconds between two looks whether the differences were found.
const POLL_SECS: f32 = 0.05;

/// Shows the list if it is open.
pub fn show(ui: &mut Ui, state: &mut ComparePanel<'_>) {
    if !state.compare.findings.is_shown || state.compare.second.is_none() {
        return;
    }
    let frame = Frame::new().fill(Palette::of(ui.visuals()).panel).inner_margin(Margin::same(10));
    let panel = if ui.ctx().content_rect().width() >= MIN_WIDTH_FOR_LISTS {
        Panel::right("differences").default_size(320.0).size_range(160.0..=520.0)
    } else {
        Panel::bottom("differences, narrow").resizable(false).exact_size(140.0)
    };
    panel.frame(frame).show(ui, |ui| content(ui, state));
}

fn content(ui: &mut Ui, state: &mut ComparePanel<'_>) {
    let palette = Palette::of(ui.visuals());
    let is_review = state.compare.is_review();
    let findings = &mut state.compare.findings;
    let places = findings.listed();
    let listed = places.len();
    let answer = findings.answer().cloned();
    ui.horizontal(|ui| {
        let title = match &answer {
            Some(Ok(lines)) if listed < lines.len() => format!("Differences ({listed} of {})", lines.len()),
            Some(Ok(lines)) if !lines.is_empty() => format!("Differences ({})", lines.len()),
            Some(_) | None => "Differences".to_owned(),
        };
        heading(ui, title);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let tooltip = "Hide the list of differences";
            if icon::button(ui, Icon::Close, tooltip, tooltip, vec2(22.0, 22.0)).clicked() {
                findings.is_shown = false;
            }
        });
    });
    let lines = match answer {
        Some(Ok(lines)) if lines.is_empty() => {
            return message(ui, RichText::new("No differences").weak());
        }
        Some(Ok(lines)) => lines,
        Some(Err(error)) => return message(ui, RichText::new(error).color(palette.error)),
        None => {
            ui.request_repaint_after_secs(POLL_SECS);
            return message(ui, RichText::new("Comparing…").weak());
        }
    };
    let field = TextEdit::singleline(&mut findings.filter.text).hint_text("Filter");
    let field = ui.add(field.desired_width(f32::INFINITY));
    field.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Filter differences"));
    let places = findings.listed();
    if places.is_empty() {
        return message(ui, RichText::new("No difference contains this text").weak());
    }
    let chosen = findings.chosen;
    let mut clicked = None;
    let rows = Rows { count: places.len(), height: ROW };
    rows.show(ui, "differences", ui.available_height(), None, |ui, row| {
        let place = *places.get(row)?;
        let response = line(ui, lines.get(place)?, chosen == Some(place), is_review);
        if response.clicked() {
            clicked = Some(place);
        }
        Some(response)
    });
    clicked.into_iter().for_each(|place| state.actions.push(Action::GoToFinding(place)));
}

fn message(ui: &mut Ui, text: RichText) {
    ui.add(Label::new(text).wrap().selectable(true));
}

/// Shows a difference: the item, and what differs.
fn line(ui: &mut Ui, line: &Line, is_chosen: bool, is_review: bool) -> egui::Response {
    let palette = Palette::of(ui.visuals());
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    let title = format!("{} {}", line.found_in.mark(), line.name);
    let detail = match line.detail.as_str() {
        "" if is_review && line.found_in == FoundIn::A => "removed",
        "" if is_review => "added",
        "" if line.found_in == FoundIn::A => "only in the first file",
        "" => "only in the second file",
        detail => detail,
    };
    let name = format!("{}: {title}, {detail}", line.kind.plural());
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_chosen, &name));
    if ui.is_rect_visible(rect) {
        let fill = ui.style().interact_selectable(&response, is_chosen).weak_bg_fill;
        if is_chosen || response.hovered() || response.has_focus() {
            ui.painter().rect_filled(rect, 6.0, fill);
        }
        let inner = rect.shrink2(vec2(8.0, 3.0));
        let font = |size| FontId::proportional(size);
        let galley = |text: String, size: f32, width: f32| {
            let text = WidgetText::from(RichText::new(text).font(font(size)));
            text.into_galley(ui, Some(TextWrapMode::Truncate), width.max(1.0), TextStyle::Body)
        };
        let kind = galley(line.kind.plural().to_owned(), 11.5, inner.width() * 0.5);
        let kind_width = kind.size().x;
        let at = inner.right_top() - vec2(kind_width, -2.0);
        ui.painter().galley(at, kind, palette.text_weak);
        let color = if is_chosen { palette.accent } else { palette.text };
        // Most items are in both files.
        let title = title.strip_prefix("~ ").unwrap_or(&title).to_owned();
        ui.painter().galley(inner.min, galley(title, 13.5, inner.width() - kind_width - 8.0), color);
        let below = inner.min + vec2(0.0, 17.0);
        let mut detail = LayoutJob::simple(detail.to_owned(), font(11.5), palette.text_weak, inner.width());
        detail.wrap.max_rows = 2;
        ui.painter().galley(below, ui.painter().layout_job(detail), palette.text_weak);
    }
    response.on_hover_text(format!("{}\n{detail}", line.name))
}
