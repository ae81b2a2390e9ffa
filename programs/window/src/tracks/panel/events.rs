//! The event log: the events that were fired, the newest first. A click selects the event and goes to its time.

use egui::{Button, Label, RichText, Ui, vec2};

use super::TracksPanel;
use crate::scene::selection::Selected;
use crate::tracks::event_log::LoggedEvent;
use crate::widgets::rows::Rows;

/// Row height in points.
const ROW: f32 = 22.0;
/// Height of the heading in points, with the space below.
const HEADING: f32 = 32.0;

/// Shows the log, `room` points high.
pub fn show(ui: &mut Ui, state: &mut TracksPanel<'_>, room: f32) {
    let mut clicked = None;
    ui.set_min_height(room);
    ui.horizontal(|ui| {
        ui.label(RichText::new("EVENTS").small().weak().strong());
        let log = &mut state.mixer.log;
        ui.add_enabled_ui(!log.is_empty(), |ui| {
            if ui.button("Copy").on_hover_text("Copy all events as tab-separated text").clicked() {
                ui.ctx().copy_text(log.to_text(state.playback.animator.model()));
            }
            if ui.button("Clear").on_hover_text("Empty the list of events").clicked() {
                log.clear();
            }
        });
    });
    let (log, model) = (&state.mixer.log, state.playback.animator.model());
    if log.is_empty() {
        let text = "Events appear here when an animation fires them.";
        ui.add(Label::new(RichText::new(text).weak()).wrap());
        return;
    }
    let rows = Rows { count: log.len(), height: ROW };
    rows.show(ui, "event log", (room - HEADING).max(ROW), None, |ui, place| {
        let event = log.newest(place)?;
        let (animation, name) = event.names(model);
        let values = event.values();
        let text = if values.is_empty() { name } else { format!("{name}   {values}") };
        let place_text = format!("{}  {animation}  {:.2} s", event.track, event.secs);
        let is_selected = state.parts.selected == Some(Selected::Event(event.event));
        let button = Button::selectable(is_selected, &text).right_text(RichText::new(&place_text).small().weak());
        let response = ui.add(button.truncate().min_size(vec2(ui.available_width(), ROW)));
        if response.clicked() {
            clicked = Some(event.clone());
        }
        Some(response.on_hover_text(format!("{text}\nTrack {}, {animation}, {:.3} s", event.track, event.secs)))
    });
    clicked.into_iter().for_each(|event| go_to(state, &event));
}

/// Selects the event, and goes to its time if its animation is still on its track.
fn go_to(state: &mut TracksPanel<'_>, event: &LoggedEvent) {
    state.parts.selected = Some(Selected::Event(event.event));
    let on_track = state.playback.animator.playback_mut(event.track);
    if let Some(playback) = on_track.filter(|playback| playback.animation() == Some(event.animation)) {
        playback.seek_secs(event.secs.into());
        state.playback.animator.set_playing(false);
    }
}
