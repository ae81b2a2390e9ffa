//! The overlay that lists every key and mouse action, with a search field.

use egui::accesskit::Role;
use egui::{
    Align, FontId, Label, Layout, RichText, ScrollArea, Sense, TextEdit, TextStyle, Ui, UiBuilder, WidgetInfo,
    pos2, vec2,
};

use crate::palette::help::Help;
use crate::palette::listing::{self, Row};
use crate::widgets::command::Group;
use crate::widgets::icon::{self, Icon};
use crate::widgets::theme::Palette;
use crate::widgets::{keycap, modal, search_field};

/// Minimum and maximum widths in points with two and with three columns, and the maximum width with one.
const TWO: [f32; 2] = [680.0, 820.0];
const THREE: [f32; 2] = [1080.0, 1240.0];
const ONE: f32 = 440.0;
/// Space between columns, minimum height of a row, space between keys and text and below a heading, and height of a
/// heading with the space above it, in points.
const COLUMN_GAP: f32 = 28.0;
const ROW: f32 = 23.0;
const GAP: f32 = 14.0;
const HEADING_GAP: f32 = 6.0;
const HEADING: f32 = 36.0;
/// Height in points of the title and the search field, and of lines that are broken.
const HEAD: f32 = 96.0;
const BROKEN_LINES: f32 = 48.0;

/// Shows the overlay while it is open. Escape and a click outside close it.
pub fn show(ui: &Ui, help: &mut Help) {
    if !help.is_open {
        return;
    }
    let room = ui.ctx().content_rect().size() - vec2(72.0, 72.0);
    let (count, width) = match room.x {
        x if x >= THREE[0] => (3, x.min(THREE[1])),
        x if x >= TWO[0] => (2, x.min(TWO[1])),
        x => (1, x.clamp(80.0, ONE)),
    };
    let rows = listing::rows();
    // As high as all rows: the dialog does not shrink while the user types.
    let all = balanced(&rows, count).iter().map(|column| height(&rows, column)).fold(0.0, f32::max);
    let size = vec2(width, room.y.min(HEAD + all + BROKEN_LINES).max(80.0));
    let rows: Vec<Row> = rows.into_iter().filter(|row| is_found(row, &help.filter)).collect();
    let modal = modal::show(ui, "help", |ui| {
        ui.set_max_height(size.y);
        ui.set_width(size.x);
        ui.horizontal(|ui| {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let tooltip = "Close  (Escape)";
                if icon::button(ui, Icon::Close, "Close help", tooltip, vec2(28.0, 28.0)).clicked() {
                    help.is_open = false;
                }
                let title = Label::new(RichText::new("Keyboard and mouse").heading()).truncate();
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| ui.add(title));
            });
        });
        ui.add_space(4.0);
        let field = TextEdit::singleline(&mut help.filter)
            .hint_text("Search keys and actions")
            .desired_width(f32::INFINITY)
            .margin(vec2(10.0, 6.0));
        let field = search_field::add(ui, field);
        // Whoever opens the list can type at once.
        if std::mem::take(&mut help.is_new) {
            field.request_focus();
        }
        ui.add_space(6.0);
        let height = (size.y - HEAD).max(40.0);
        ScrollArea::vertical().max_height(height).min_scrolled_height(height).auto_shrink(false).show(ui, |ui| {
            if rows.is_empty() {
                ui.vertical_centered(|ui| ui.label(RichText::new("Nothing found").weak()));
            } else {
                columns(ui, count, &rows);
            }
        });
    });
    if modal.should_close() {
        help.is_open = false;
    }
}

/// Returns true if the row contains every word of `filter`.
fn is_found(row: &Row, filter: &str) -> bool {
    let text = format!("{} {} {}", row.keys(), row.label, row.group.label()).to_lowercase();
    filter.to_lowercase().split_whitespace().all(|word| text.contains(word))
}

/// Shows the rows by groups, in `count` columns of equal width.
fn columns(ui: &mut Ui, count: usize, rows: &[Row]) {
    let gaps = COLUMN_GAP * (count - 1) as f32;
    let width = ((ui.available_width() - gaps) / count as f32).max(1.0);
    // All groups have one column of keys.
    let keys = rows.iter().map(|row| keys_width(ui, row)).fold(0.0, f32::max).min(0.5 * width);
    let place = ui.available_rect_before_wrap();
    for (index, groups) in balanced(rows, count).into_iter().enumerate() {
        let left = place.left() + (width + COLUMN_GAP) * index as f32;
        let rect = egui::Rect::from_min_size(pos2(left, place.top()), vec2(width, f32::INFINITY));
        ui.scope_builder(UiBuilder::new().max_rect(rect), |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            groups.into_iter().for_each(|of| group(ui, of, rows, keys));
        });
    }
}

/// Returns the height in points of a column of groups, if no line is broken.
fn height(rows: &[Row], groups: &[Group]) -> f32 {
    let of = |group: &Group| match rows.iter().filter(|row| row.group == *group).count() {
        0 => 0.0,
        rows => HEADING + ROW * rows as f32,
    };
    groups.iter().map(of).sum()
}

/// Distributes the groups over at most `count` columns, in order, so that the longest column is as short as possible.
fn balanced(rows: &[Row], count: usize) -> Vec<Vec<Group>> {
    let heights = Group::ALL.map(|group| height(rows, &[group]));
    let fill = |limit: f32| {
        let (mut columns, mut used) = (vec![Vec::new()], 0.0);
        for (group, height) in Group::ALL.into_iter().zip(heights) {
            if used > 0.0 && used + height > limit {
                columns.push(Vec::new());
                used = 0.0;
            }
            used += height;
            columns.last_mut().into_iter().for_each(|column| column.push(group));
        }
        columns
    };
    // The longest column holds consecutive groups.
    let runs = (0..heights.len()).flat_map(|first| {
        let mut total = 0.0;
        heights[first..].iter().map(move |height| {
            total += height;
            total
        })
    });
    let fitting = runs.filter(|&limit| fill(limit).len() <= count);
    fill(fitting.fold(f32::INFINITY, f32::min))
}

fn group(ui: &mut Ui, group: Group, rows: &[Row], keys: f32) {
    let rows: Vec<&Row> = rows.iter().filter(|row| row.group == group).collect();
    if rows.is_empty() {
        return;
    }
    crate::widgets::heading(ui, group.label());
    ui.add_space(HEADING_GAP);
    rows.into_iter().for_each(|row| line(ui, row, keys));
    ui.add_space(12.0);
}

/// Lays out the name of a mouse action.
fn mouse(ui: &Ui, row: &Row) -> std::sync::Arc<egui::Galley> {
    let color = Palette::of(ui.visuals()).text;
    ui.painter().layout_no_wrap(row.keys(), TextStyle::Body.resolve(ui.style()), color)
}

fn keys_width(ui: &Ui, row: &Row) -> f32 {
    if row.is_mouse { mouse(ui, row).size().x } else { keycap::layout(ui, &row.caps).size.x }
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
        if row.is_mouse {
            let mouse = mouse(ui, row);
            let at = pos2(rect.left(), rect.center().y - 0.5 * mouse.size().y);
            ui.painter().galley(at, mouse, palette.text);
        } else {
            keycap::layout(ui, &row.caps).paint(ui, rect.left_center());
        }
        ui.painter().galley(
            pos2(rect.left() + keys + GAP, rect.center().y - 0.5 * text.size().y),
            text,
            palette.text,
        );
    }
}
