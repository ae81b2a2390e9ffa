//! The tree of bones, slots, attachments, skins, constraints and events.
//!
//! With the keyboard: Up and Down move, Left and Right fold and unfold or go to the parent and the first child, Home and
//! End go to the ends, Enter selects.

use std::sync::Arc;

use egui::{EventFilter, Id, Key, Modifiers, Response, Ui};

use super::PartsPanel;
use crate::base::name::shown;
use crate::parts::tree::{Item, TreeRow};
use crate::scene::selection::Selected;
use crate::widgets::focus;
use crate::widgets::row::{HEIGHT, Row};
use crate::widgets::rows::Rows;
use pchr::Character;
use pchr::motion::layer_of;

/// Returns the rows of the tree, after updating it.
pub fn rows(state: &mut PartsPanel<'_>) -> Rows {
    let Some(character) = state.playback.character().map(Arc::clone) else {
        return Rows { count: 0, height: HEIGHT };
    };
    let side = &mut state.parts.side;
    side.tree.update(&character, &side.filter);
    if state.parts.selected != side.revealed {
        side.revealed = state.parts.selected;
        if let Some(selected) = state.parts.selected {
            side.tree.reveal(selected);
            side.revealed_row = side.tree.place(Item::Part(selected)).unwrap_or_default();
            side.reveals += 1;
        }
    }
    Rows { count: side.tree.rows().len(), height: HEIGHT }
}

/// Shows the tree, `room` points high.
pub fn show(ui: &mut Ui, state: &mut PartsPanel<'_>, rows: Rows, room: f32) {
    let Some(character) = state.playback.character().map(Arc::clone) else { return };
    let reveal = (Id::unique(("tree", state.parts.side.reveals)), state.parts.side.revealed_row);
    let reveal = (state.parts.side.reveals > 0).then_some(reveal);
    let mut change = None;
    rows.show(ui, "tree", room, reveal, |ui, place| {
        let row = *state.parts.side.tree.rows().get(place)?;
        let (response, changed) = show_row(ui, state, &character, row);
        if state.parts.side.wants_row == Some(row.item) {
            state.parts.side.wants_row = None;
            response.request_focus();
        }
        if response.has_focus() {
            change = key(ui, &response, state, row, place).or(change.take());
        }
        change = changed.or(change.take());
        Some(response)
    });
    match change {
        Some(RowInput::Select(part)) => {
            state.parts.selected = Some(part);
            // It is visible.
            state.parts.side.revealed = Some(part);
        }
        Some(RowInput::Open(item, is_open)) => state.parts.side.tree.set_open(item, is_open),
        Some(RowInput::Focus(place)) => {
            if let Some(row) = state.parts.side.tree.rows().get(place) {
                state.parts.side.wants_row = Some(row.item);
                state.parts.side.revealed_row = place;
                state.parts.side.reveals += 1;
            }
        }
        Some(RowInput::Hide(part, alone)) => state.parts.toggle(&character, part, alone, state.actions),
        None => return,
    }
    ui.ctx().request_repaint();
}

enum RowInput {
    Select(Selected),
    Open(Item, bool),
    Focus(usize),
    /// A click on the eye of a part, which hides it, or all others.
    Hide(Selected, bool),
}

fn show_row(
    ui: &mut Ui,
    state: &mut PartsPanel<'_>,
    character: &Character,
    row: TreeRow,
) -> (Response, Option<RowInput>) {
    let (name, right) = match row.item {
        Item::Group(group) => (group.label(character.motion()).to_owned(), None),
        Item::Part(part) => (shown(part.name(character.model())), kind(character, part)),
    };
    let is_shown = match row.item {
        Item::Group(_) => None,
        Item::Part(part) => state.parts.is_part_shown(part),
    };
    let shown = Row {
        name: &name,
        right,
        is_weak: is_shown == Some(false),
        is_selected: matches!(row.item, Item::Part(part) if state.parts.selected == Some(part)),
        depth: row.depth,
        is_open: row.is_open,
        is_in_tree: true,
        is_shown,
        id: Some(Id::unique(("tree row", row.item))),
        ..Row::default()
    };
    let response = shown.show(ui);
    let change = match (row.item, row.is_open) {
        (item, Some(is_open)) if response.is_folded => Some(RowInput::Open(item, !is_open)),
        (Item::Part(part), _) if response.row.clicked() => Some(RowInput::Select(part)),
        (item, Some(is_open)) if response.row.clicked() => Some(RowInput::Open(item, !is_open)),
        (Item::Part(part), _) => response.eye.map(|alone| RowInput::Hide(part, alone)),
        (Item::Group(_), _) => None,
    };
    (response.row, change)
}

/// Returns what a part is, or the layer that shows it.
fn kind(character: &Character, part: Selected) -> Option<&str> {
    match part {
        Selected::Bone(bone) => layer_of(character, bone).filter(|layer| *layer != part.name(character.model())),
        Selected::Skin(_) | Selected::Event(_) => None,
        Selected::Slot(_) => Some("slot"),
        Selected::Attachment(..) | Selected::Constraint(_) => Some(part.title(character.model())),
    }
}

/// Handles the keys of the focused row.
fn key(ui: &Ui, response: &Response, state: &PartsPanel<'_>, row: TreeRow, place: usize) -> Option<RowInput> {
    let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    focus::take_home_and_end(ui, response);
    let last = state.parts.side.tree.rows().len().saturating_sub(1);
    let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    if pressed(Key::ArrowDown) {
        return Some(RowInput::Focus((place + 1).min(last)));
    }
    if pressed(Key::ArrowUp) {
        return Some(RowInput::Focus(place.saturating_sub(1)));
    }
    if pressed(Key::Home) {
        return Some(RowInput::Focus(0));
    }
    if pressed(Key::End) {
        return Some(RowInput::Focus(last));
    }
    if pressed(Key::ArrowRight) {
        return match row.is_open {
            Some(true) => Some(RowInput::Focus((place + 1).min(last))),
            Some(false) => Some(RowInput::Open(row.item, true)),
            None => None,
        };
    }
    if pressed(Key::ArrowLeft) {
        return match row.is_open {
            Some(true) => Some(RowInput::Open(row.item, false)),
            Some(false) | None => row.parent.map(RowInput::Focus),
        };
    }
    None
}
