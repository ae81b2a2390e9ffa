//! The list of slots in draw order, front to back, with their current attachments.

use std::sync::Arc;

use egui::{Id, Ui};

use super::PartsPanel;
use crate::scene::selection::Selected;
use crate::widgets::command::Command;
use crate::widgets::row::{HEIGHT, Row, RowResponse};
use crate::widgets::rows::Rows;
use crate::widgets::switch;
use pchr::draw::Hidden;
use pchr::error::escaped;
use pchr::model::{Model, SlotId};
use pchr::pose::Pose;

/// Returns the rows of the list.
pub fn rows(state: &mut PartsPanel<'_>) -> Rows {
    let count = match state.parts.side.only_visible {
        true => state.parts.listed_slots(state.playback).len(),
        false => state.playback.character().map_or(0, |character| state.parts.listed_slot_count(character)),
    };
    Rows { count, height: HEIGHT }
}

/// Returns true if there are slots to list, even if none shows anything.
pub fn are_any(state: &mut PartsPanel<'_>) -> bool {
    state.playback.character().is_some_and(|character| state.parts.listed_slot_count(character) > 0)
}

/// Shows the switch that leaves out slots without anything to see.
fn only_visible(ui: &mut Ui, state: &mut PartsPanel<'_>) {
    let is_on = state.parts.side.only_visible;
    let switch = switch::show(ui, is_on, "Visible only", Command::ListVisible, state.actions);
    switch.on_hover_text("Leave out slots that are empty or transparent; what you have hidden stays");
}

/// Shows the list, `room` points high. A click selects the slot, its eye hides it.
pub fn show(ui: &mut Ui, state: &mut PartsPanel<'_>, room: f32) {
    let Some(character) = state.playback.character().map(Arc::clone) else { return };
    only_visible(ui, state);
    let (rows, hidden) = (rows(state), Arc::clone(&state.parts.hidden));
    let order = state.parts.listed_slots(state.playback);
    let selected = state.parts.selected.and_then(Selected::slot);
    let shown = state.parts.shown_slots(&character);
    let (mut picked, mut eye) = (None, None);
    let Some((model, pose)) = state.playback.posed() else { return };
    let place = |slot: SlotId| order.iter().position(|listed| *listed == slot);
    let reveal = selected.and_then(|slot| Some((Id::unique(("slot row", slot)), place(slot)?)));
    rows.show(ui, "slots", room, reveal, |ui, row| {
        let slot = *order.get(row)?;
        let response = show_row(ui, model, pose, slot, (&hidden, &shown), selected == Some(slot));
        if response.row.clicked() {
            picked = Some(Selected::Slot(slot));
        }
        eye = response.eye.map(|alone| (Selected::Slot(slot), alone)).or(eye);
        Some(response.row)
    });
    state.parts.selected = picked.or(state.parts.selected);
    if let Some((slot, alone)) = eye {
        state.parts.toggle(&character, slot, alone, state.actions);
    }
}

/// Adds the row of a slot.
fn show_row(
    ui: &mut Ui,
    model: &Model,
    pose: &Pose,
    slot: SlotId,
    (hidden, shown): (&Hidden, &[bool]),
    is_selected: bool,
) -> RowResponse {
    let attachment = pose.slots[slot.index()].attachment.map(|id| model.attachment(id));
    let name = escaped(&model.slot(slot).name);
    let bone = model.slot(slot).bone.and_then(|bone| model.skeleton().bones().get(bone.index()));
    let attachment = attachment.filter(|_| pose.is_slot_active(model, slot));
    let (what, mut tooltip) = match attachment {
        Some(attachment) => {
            let kind = attachment.title().to_lowercase();
            (escaped(attachment.name()), format!("{name}: {kind} `{}`", escaped(attachment.name())))
        }
        None => ("–".to_owned(), format!("{name}: shows nothing")),
    };
    if let Some(bone) = bone {
        tooltip.push_str(&format!("\nOn bone {}", escaped(&bone.name)));
    }
    let is_shown = shown.get(slot.index()).copied().unwrap_or(true);
    let is_hidden = |attachment| hidden.hides(model, slot, attachment);
    let is_drawn = attachment.is_some() && !pose.slots[slot.index()].attachment.is_some_and(is_hidden);
    let row = Row {
        name: &name,
        right: (what != name).then_some(&*what),
        is_weak: !is_drawn || !is_shown,
        is_selected,
        is_shown: Some(is_shown),
        ..Row::default()
    };
    let response = row.show(ui);
    RowResponse { row: response.row.on_hover_text(tooltip), ..response }
}
