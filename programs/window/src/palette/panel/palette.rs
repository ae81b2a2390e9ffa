//! The command palette: a search field over the list of results.

use egui::{EventFilter, Id, Key, Modifiers, RichText, Sense, TextEdit, Ui, UiBuilder, vec2};

use crate::palette::{CommandPalette, Entry};
use crate::widgets::command::Command;
use crate::widgets::command_row::{self, CommandRow, Status};
use crate::widgets::rows::{Rows, SCROLL_BAR};
use crate::widgets::{modal, search_field};

/// Maximum width in points, and the number of rows with enough room.
const WIDTH: f32 = 560.0;
const ROWS: usize = 12;
/// Space around the dialog, and height of the search field with the space below it, in points.
const AROUND: f32 = 24.0;
const FIELD: f32 = 44.0;

/// What the user has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PaletteInput {
    /// Chosen the selected entry.
    Choose,
    /// Closed the palette, with Escape or a click outside.
    Close,
}

/// Shows the palette. `status` returns whether an entry is on, and why it cannot be used.
pub fn show(ui: &Ui, palette: &mut CommandPalette, status: &dyn Fn(&Entry) -> Status) -> Option<PaletteInput> {
    let window = ui.ctx().content_rect().size();
    let width = (window.x - 2.0 * AROUND - 24.0).clamp(60.0, WIDTH);
    let rows = Rows { count: ROWS, height: command_row::HEIGHT };
    // A fixed height: rows that move are easily missed.
    // Half a row shows that there are more.
    let height = rows.total() + 0.5 * command_row::HEIGHT;
    let height = height.min(window.y - 2.0 * AROUND - FIELD - 24.0).max(command_row::HEIGHT);
    let mut is_chosen = false;
    let modal = modal::show_with(ui, "palette", 12, |ui| {
        ui.set_width(width);
        let page = ((height / (command_row::HEIGHT + 2.0)) as isize - 1).max(1);
        is_chosen = field(ui, palette, page);
        ui.add_space(4.0);
        palette.search();
        // The scroll bar is in the margin, so that the rows end where the field does.
        let (rect, _) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
        let wider = rect.with_max_x(rect.right() + SCROLL_BAR);
        is_chosen |= list(&mut ui.new_child(UiBuilder::new().max_rect(wider)), palette, status, height);
    });
    match is_chosen {
        true => Some(PaletteInput::Choose),
        false => modal.should_close().then_some(PaletteInput::Close),
    }
}

/// Shows the search field. Returns true if Enter was pressed.
fn field(ui: &mut Ui, palette: &mut CommandPalette, page: isize) -> bool {
    let (rows, is_entered) = ui.input_mut(|input| {
        let mut count = |key| input.count_and_consume_key(Modifiers::NONE, key) as isize;
        let rows =
            count(Key::ArrowDown) - count(Key::ArrowUp) + page * (count(Key::PageDown) - count(Key::PageUp));
        (rows, count(Key::Enter) > 0)
    });
    if rows != 0 {
        palette.step(rows);
    }
    // Tab has nowhere to go: the arrow keys select.
    let filter = EventFilter { tab: true, horizontal_arrows: true, vertical_arrows: true, escape: false };
    let field = TextEdit::singleline(&mut palette.query)
        .hint_text("Search commands, animations, skins, recent files")
        .desired_width(f32::INFINITY)
        .margin(vec2(10.0, 8.0))
        .event_filter(filter);
    let field = search_field::add(ui, field);
    field.request_focus();
    is_entered
}

/// Shows what was found. Returns true if a row was clicked.
fn list(ui: &mut Ui, palette: &mut CommandPalette, status: &dyn Fn(&Entry) -> Status, height: f32) -> bool {
    if palette.count() == 0 {
        ui.add_space(8.0);
        ui.vertical_centered(|ui| ui.label(RichText::new("Nothing found").weak()));
        return false;
    }
    let rows = Rows { count: palette.count(), height: command_row::HEIGHT };
    if rows.total() <= height {
        // No scroll bar.
        ui.set_max_width(ui.available_width() - SCROLL_BAR);
    }
    let reveal = (Id::unique(("palette", palette.selected, &palette.query)), palette.selected);
    let mut clicked = None;
    rows.show(ui, "palette", height, Some(reveal), |ui, place| {
        let (entry, name) = palette.entry(place)?;
        let caps = match entry {
            Entry::Command(command) => command.caps(),
            Entry::Animation(id) => animation_caps(id.index()),
            Entry::Skin(_) | Entry::File(_) => Vec::new(),
        };
        let kind = entry.kind();
        let row = CommandRow {
            name,
            status: status(entry),
            kind: &kind,
            caps: &caps,
            is_selected: place == palette.selected,
        };
        let response = row.show(ui, Sense::CLICK);
        if response.clicked() {
            clicked = Some(place);
        }
        Some(response)
    });
    palette.selected = clicked.unwrap_or(palette.selected);
    clicked.is_some()
}

/// Returns the key of an animation; the first nine have one.
fn animation_caps(index: usize) -> Vec<Vec<&'static str>> {
    Command::animation(index).map(Command::caps).unwrap_or_default()
}
