//! The overlay that lists every key and mouse action, with a search field.

use egui::accesskit::Role;
use egui::{
    Align, FontId, Label, Layout, RichText, ScrollArea, Sense, TextEdit, TextStyle, Ui, WidgetInfo, pos2, vec2,
};

use super::modal;
use crate::viewer::command::{self, Group, Row};
use crate::viewer::icon::{self, Icon};
use crate::viewer::keycap;
use crate::viewer::state::State;
use crate::viewer::theme::Palette;

/// Width in points with two columns, and the maximum width with one.
const WIDE: f32 = 760.0;
const NARROW: f32 = 400.0;
/// Minimum height of a row, and space between keys and text, in points.
const ROW: f32 = 26.0;
const GAP: f32 = 14.0;

/// Shows the overlay while it is open. Escape and a click outside close it.
pub fn show(ui: &Ui, state: &mut State) {
    if !state.help.is_open {
        return;
    }
    let room = ui.ctx().content_rect().size() - vec2(72.0, 72.0);
    let is_wide = room.x >= WIDE;
    let size = vec2(if is_wide { WIDE } else { room.x.clamp(80.0, NARROW) }, room.y.max(80.0));
    let rows: Vec<Row> = command::rows().into_iter().filter(|row| is_found(row, &state.help.filter)).collect();
    let modal = modal::show(ui, "help", |ui| {
        ui.set_max_height(size.y);
        ui.set_width(size.x);
        ui.horizontal(|ui| {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let tooltip = "Close  (Escape)";
                if icon::button(ui, Icon::Close, "Close help", tooltip, vec2(28.0, 28.0)).clicked() {
                    state.help.is_open = false;
                }
                let title = Label::new(RichText::new("Keyboard and mouse").heading()).truncate();
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| ui.add(title));
            });
        });
        ui.add_space(4.0);
        let field = TextEdit::singleline(&mut state.help.filter)
            .hint_text("Search keys and actions")
            .desired_width(f32::INFINITY)
            .margin(vec2(10.0, 6.0));
        let field = ui.add(field);
        // Whoever opens the list can type at once.
        if std::mem::take(&mut state.help.is_new) {
            field.request_focus();
        }
        ui.add_space(6.0);
        let height = (size.y - 96.0).max(40.0);
        // A fixed height: the dialog does not shrink while the user types.
        ScrollArea::vertical().max_height(height).min_scrolled_height(height).auto_shrink(false).show(ui, |ui| {
            if rows.is_empty() {
                ui.vertical_centered(|ui| ui.label(RichText::new("Nothing found").weak()));
            } else if is_wide {
                ui.columns_const(|[left, right]| {
                    let (first, second) = balanced(&rows);
                    first.into_iter().for_each(|of| group(left, of, &rows));
                    second.into_iter().for_each(|of| group(right, of, &rows));
                });
            } else {
                Group::ALL.into_iter().for_each(|of| group(ui, of, &rows));
            }
        });
    });
    if modal.should_close() {
        state.help.is_open = false;
    }
}

/// Returns true if the row contains every word of `filter`.
fn is_found(row: &Row, filter: &str) -> bool {
    let text = format!("{} {} {}", row.keys(), row.label, row.group.label()).to_lowercase();
    filter.to_lowercase().split_whitespace().all(|word| text.contains(word))
}

/// Distributes the groups over two columns of similar length.
fn balanced(rows: &[Row]) -> (Vec<Group>, Vec<Group>) {
    let length = |group: Group| rows.iter().filter(|row| row.group == group).count();
    let mut before = 0;
    Group::ALL.into_iter().partition(|&group| {
        let is_first = 2 * before + length(group) <= rows.len();
        before += length(group);
        is_first
    })
}

fn group(ui: &mut Ui, group: Group, rows: &[Row]) {
    let rows: Vec<&Row> = rows.iter().filter(|row| row.group == group).collect();
    if rows.is_empty() {
        return;
    }
    super::heading(ui, group.label());
    ui.spacing_mut().item_spacing.y = 0.0;
    let widths = rows.iter().map(|row| keycap::layout(ui, &row.caps).size.x);
    let keys = widths.fold(110.0, f32::max).min(0.55 * ui.available_width());
    rows.into_iter().for_each(|row| line(ui, row, keys));
    ui.add_space(12.0);
}

/// Adds a line with the keys in a column of this width.
fn line(ui: &mut Ui, row: &Row, keys: f32) {
    let palette = Palette::of(ui.visuals());
    let font: FontId = TextStyle::Body.resolve(ui.style());
    let wrap = (ui.available_width() - keys - GAP).max(20.0);
    let text = ui.painter().layout(row.label.to_owned(), font, palette.text, wrap);
    let (rect, line) = ui.allocate_exact_size(vec2(ui.available_width(), text.size().y.max(ROW)), Sense::hover());
    line.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{}: {}", row.keys(), row.label)));
    if ui.is_rect_visible(rect) {
        keycap::layout(ui, &row.caps).paint(ui, rect.left_center());
        ui.painter().galley(
            pos2(rect.left() + keys + GAP, rect.center().y - 0.5 * text.size().y),
            text,
            palette.text,
        );
    }
}
