//! The list of slots in draw order, front to back, with their current attachments.

use egui::accesskit::Role;
use egui::{Button, Id, Response, RichText, Ui, WidgetInfo, vec2};

use super::rows::Rows;
use super::section;
use crate::error::escaped;
use crate::model::{Model, SlotId};
use crate::pose::Pose;
use crate::viewer::inspection::kind_of;
use crate::viewer::selection::Selected;
use crate::viewer::state::State;

/// Row height in points.
const ROW: f32 = 22.0;

/// Id of the state that tells whether the list is open.
fn place() -> Id {
    Id::unique("slots are shown")
}

/// Returns the rows of the list; none while it is closed.
pub fn rows(ui: &Ui, state: &State) -> Rows {
    let is_open: bool = ui.data(|data| data.get_temp(place())).unwrap_or_default();
    let slots = state.model().filter(|model| is_open && !model.skins().is_empty()).map(Model::slots);
    Rows { count: slots.map_or(0, <[_]>::len), height: ROW }
}

/// Shows the list, `room` points high, if the format has slots. A click selects the slot.
pub fn show(ui: &mut Ui, state: &mut State, room: f32) {
    let Some(model) = state.model().filter(|model| !model.skins().is_empty()) else { return };
    ui.add_space(12.0);
    let title = format!("Slots ({})", model.slots().len());
    let is_open: bool = ui.data(|data| data.get_temp(place())).unwrap_or_default();
    let rows = rows(ui, state);
    let header = section(ui, &title, is_open);
    if header.clicked() {
        ui.data_mut(|data| data.insert_temp(place(), !is_open));
        ui.ctx().request_discard("the list of slots opens or closes");
    }
    if !is_open {
        return;
    }
    let selected = state.selected.and_then(Selected::slot);
    let mut picked = None;
    if let Some((model, pose)) = state.posed() {
        rows.show(ui, "slots", room, None, |ui, row| {
            let slot = *pose.draw_order.iter().nth_back(row)?;
            let response = show_row(ui, model, pose, slot, selected == Some(slot));
            if response.clicked() {
                picked = Some(Selected::Slot(slot));
            }
            Some(response)
        });
    }
    state.selected = picked.or(state.selected);
}

/// Adds the row of a slot.
fn show_row(ui: &mut Ui, model: &Model, pose: &Pose, slot: SlotId, is_selected: bool) -> Response {
    let attachment = pose.slots[slot.index()].attachment.map(|id| model.attachment(id));
    let name = escaped(&model.slot(slot).name);
    let bone = model.slot(slot).bone.and_then(|bone| model.skeleton().bones().get(bone.index()));
    let is_active = pose.is_slot_active(model, slot);
    let (what, tooltip) = match attachment {
        Some(attachment) if is_active => (
            escaped(attachment.name()),
            format!("{}: {} `{}`", name, kind_of(attachment).to_lowercase(), escaped(attachment.name())),
        ),
        _ => ("–".to_owned(), format!("{name}: shows nothing")),
    };
    let mut shown_name = RichText::new(&name);
    if attachment.is_none() || !is_active {
        shown_name = shown_name.weak();
    }
    let tooltip = match bone {
        Some(bone) => format!("{tooltip}\nOn bone {}", escaped(&bone.name)),
        None => tooltip,
    };
    let button = Button::selectable(is_selected, shown_name).right_text(RichText::new(what).small().weak());
    let response = ui.add(button.truncate().min_size(vec2(ui.available_width(), ROW)));
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_selected, &name));
    response.on_hover_text(tooltip)
}
