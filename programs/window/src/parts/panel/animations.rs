//! The list of animations, in file order.

use egui::{DragAndDrop, Response, RichText, Sense, Ui};

use super::PartsPanel;
use crate::base::name::shown;
use crate::widgets::actions::Action;
use crate::widgets::command::Command;
use crate::widgets::dragged::Dragged;
use crate::widgets::row::{HEIGHT, Row};
use crate::widgets::rows::Rows;
use pchr::model::Animation;

/// Returns the rows of the list.
pub fn rows(state: &mut PartsPanel<'_>) -> Rows {
    let listed = state.playback.character().map_or(0, |character| state.parts.listed_animations(character).len());
    Rows { count: listed, height: HEIGHT }
}

/// Shows the list, `room` points high. A click selects the animation.
pub fn show(ui: &mut Ui, state: &mut PartsPanel<'_>, room: f32) {
    let Some(character) = state.playback.character() else { return };
    let (ids, model) = (state.parts.listed_animations(character), character.model());
    if ids.is_empty() {
        ui.label(RichText::new("No animations; this is the bind pose.").weak());
        return;
    }
    let origin = ui.input(|input| input.pointer.press_origin());
    let (mut pressed, mut begins) = (None, false);
    Rows { count: ids.len(), height: HEIGHT }.show(ui, "animations", room, None, |ui, place| {
        let id = *ids.get(place)?;
        let is_shown = state.playback.animator.playback(0).animation() == Some(id);
        let response = row(ui, model.animation(id), id.index(), is_shown, state.has_tracks);
        response.dnd_set_drag_payload(Dragged(id));
        begins |= response.drag_started();
        pressed = if origin.is_some_and(|at| response.interact_rect.contains(at)) { Some(id) } else { pressed };
        if response.clicked() {
            state.actions.push(Action::ShowAnimation(id));
        }
        Some(response)
    });
    // The pointer may have left the pressed row before the drag was noticed.
    match pressed {
        Some(id) if begins => DragAndDrop::set_payload(ui, Dragged(id)),
        None if begins => DragAndDrop::clear_payload(ui),
        Some(_) | None => {}
    }
}

fn row(ui: &mut Ui, animation: &Animation, place: usize, is_shown: bool, is_draggable: bool) -> Response {
    let name = shown(&animation.name);
    let length = match animation.duration_secs() {
        _ if animation.is_bind_pose => "bind pose".to_owned(),
        secs if secs > 0.0 => format!("{secs:.2} s"),
        _ if animation.frame_count() == 1 => "pose".to_owned(),
        _ => format!("{} frames", animation.frame_count()),
    };
    let label = format!("{name} {length}");
    let shown =
        Row { name: &label, text: Some(&name), right: Some(&length), is_selected: is_shown, ..Row::default() };
    let response = shown.show(ui).row;
    let response = if is_draggable { response.interact(Sense::click_and_drag()) } else { response };
    let key = Command::animation(place).map(Command::keys).unwrap_or_default();
    let loops = if animation.looping { "loops" } else { "plays once" };
    let frames = animation.frame_count();
    let mut tooltip = format!("{name}\n{frames} frames at {} fps, {loops}", animation.fps());
    if !key.is_empty() {
        tooltip.push_str(&format!("\nKey {key}"));
    }
    response.on_hover_text(tooltip)
}
