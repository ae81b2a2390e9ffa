//! The timeline: the ruler of frames with all keys, and below it the dopesheet or the curves of the selected bone. They
//! share the time axis.

pub mod axis;
pub mod caption;
pub mod curves;
pub mod dopesheet;
pub mod edge;
pub mod frame_label;
pub mod header;
pub mod keys;
pub mod plot;
pub mod range;
pub mod ruler;
pub mod seam;
pub mod transport;

use egui::{Align, Layout, Rangef, Ui};

use super::{Lower, TimelineView};
use crate::base::waker::Waker;
use crate::parts::Parts;
use crate::playback::Playback;
use crate::widgets::actions::Actions;
use axis::{Axis, MARGIN};

/// Share of the width for the names of rows, and its limits in points.
const NAMES: f32 = 0.2;
const NAMES_WIDTH: Rangef = Rangef { min: 96.0, max: 220.0 };

/// Diameter in points of the button beside the timeline of a low window.
const PLAY: f32 = 32.0;

/// What the timeline and the controls below it show and change.
#[derive(Debug)]
pub struct TimelinePanel<'a> {
    /// The shown character.
    pub playback: &'a mut Playback,
    /// The selected part.
    pub parts: &'a mut Parts,
    /// The timeline.
    pub timeline: &'a mut TimelineView,
    /// There are several tracks.
    pub has_several: bool,
    /// The strip of tracks is shown.
    pub shows_tracks: bool,
    /// Wakes the window when something was computed.
    pub waker: Option<&'a Waker>,
    /// What the user asks for.
    pub actions: &'a mut Actions,
}

/// Shows the button that plays, and the timeline beside it, for windows in which there is no room for more.
pub fn show_low(ui: &mut Ui, state: &mut TimelinePanel<'_>) {
    ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
        transport::play(ui, &state.playback.animator, PLAY, state.actions);
        let bounds = ui.available_rect_before_wrap();
        let track = Rangef::new(bounds.left() + MARGIN, bounds.right() - MARGIN);
        let axis = Axis::new(track, &state.playback.animator, state.timeline.zoom);
        state.playback.scrubbing = ruler::show(ui, state, axis, ruler::LOW);
    });
}

/// Shows the timeline, with the area below it if `is_open`.
pub fn show(ui: &mut Ui, state: &mut TimelinePanel<'_>, is_open: bool) {
    state.timeline.is_pointed = ui.rect_contains_pointer(ui.max_rect());
    state.timeline.keys.refresh(&state.playback.animator, state.waker);
    let lower = state.timeline.lower.filter(|_| is_open);
    if let Some(lower) = lower {
        edge::show(ui, &mut state.timeline.height);
        // A short list does not shrink the panel.
        ui.set_min_height(ui.available_height());
        header::show(ui, state, lower);
    } else {
        header::track(ui, state);
    }
    let bounds = ui.available_rect_before_wrap();
    let names = match lower {
        Some(_) => (bounds.width() * NAMES).clamp(NAMES_WIDTH.min, NAMES_WIDTH.max),
        None => MARGIN,
    };
    let track = Rangef::new(bounds.left() + names, bounds.right() - MARGIN);
    if state.playback.animator.is_playing() {
        let playback = state.playback.animator.playback(0);
        let (position, length) = (playback.position(), playback.length());
        state.timeline.zoom.reveal(position, length);
    }
    let axis = Axis::new(track, &state.playback.animator, state.timeline.zoom);
    let mut is_held = ruler::show(ui, state, axis, ruler::WHOLE);
    let room = ui.available_height();
    let (needed, drags) = match lower {
        Some(Lower::Dopesheet) => dopesheet::show(ui, state, axis),
        Some(Lower::Curves) => (f32::INFINITY, curves::show(ui, state, axis)),
        None => (room, false),
    };
    is_held |= drags;
    if lower.is_some() && state.timeline.height.fit(needed, room) {
        ui.ctx().request_discard("the rows of the dopesheet were counted");
    }
    state.playback.scrubbing = is_held;
}
