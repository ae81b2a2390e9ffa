//! The shown animation, and the events that are fired while it plays.

use super::State;
use crate::files::document::Document;
use crate::playback::playhead;
use crate::scene::events;
use crate::timeline::Lower;
use crate::tracks::MAX_TRACKS;
use pchr::model::AnimationId;
use pchr::player::EventKind;

impl State {
    /// Shows another animation from its beginning, on track 0. Playback continues if it was running.
    ///
    /// With the strip of tracks, other tracks go on, and the animation fades in unless playback is paused.
    pub fn show_animation(&mut self, animation: AnimationId) {
        if self.loaded().is_none() {
            return;
        }
        self.playback.fired.clear();
        self.playback.later.clear();
        self.timeline.show_all();
        if self.mixer.is_shown || self.playback.is_mixing() {
            self.mixer.play(&mut self.playback.animator, 0, animation);
            if !self.playback.animator.is_playing()
                && let Some(playback) = self.playback.animator.playback_mut(0)
            {
                playback.set_fade(0.0);
            }
        } else {
            self.playback.animator.show(Some(animation));
        }
        self.mark();
    }

    /// Shows the animation `steps` further in the list, wrapping around.
    pub fn show_animation_by(&mut self, steps: isize) {
        let Some(model) = self.model() else { return };
        let ids: Vec<AnimationId> = model.animation_ids().collect();
        let at = ids.iter().position(|&id| Some(id) == self.playback.animator.playback(0).animation());
        let next = match at {
            Some(at) => (at as isize + steps).rem_euclid(ids.len() as isize) as usize,
            None => 0,
        };
        if let Some(&id) = ids.get(next) {
            self.show_animation(id);
        }
    }

    /// Lets `dt_secs` seconds pass, and records the events fired meanwhile.
    pub fn advance(&mut self, dt_secs: f64) {
        self.playback.begin_later(dt_secs);
        self.playback.animator.advance(dt_secs);
        for event in self.playback.animator.events() {
            if let EventKind::Fired(fired) = event.kind {
                events::report(&fired, &mut self.playback.fired);
                if let Some(animation) = event.animation {
                    self.mixer.log.push(event.track, animation, &fired);
                }
            }
        }
        self.follow_animation();
        playhead::pause_at_end(&mut self.playback.animator);
    }

    /// Shows the animation at an index of the list, if there is one.
    pub fn show_animation_at(&mut self, index: usize) {
        let id = self.model().and_then(|model| model.animation_ids().nth(index));
        id.into_iter().for_each(|id| self.show_animation(id));
    }

    /// Shows an animation, and pauses at a frame of it, so that the frame stays.
    pub fn show_frame(&mut self, animation: AnimationId, frame: Option<u32>) {
        if self.playback.animator.playback(0).animation() != Some(animation) {
            self.show_animation(animation);
        }
        if let Some(frame) = frame {
            self.playback.animator.set_playing(false);
            self.playback.animator.seek(frame.into());
        }
    }

    /// Goes to the next or the previous key of the selected part.
    pub fn go_to_key(&mut self, forwards: bool) {
        let waker = self.files.loading.waker.as_ref();
        self.timeline.go_to_key(&mut self.playback, self.parts.selected, forwards, waker);
    }

    /// Shows an area below the timeline, or closes it if it is shown. Shows the panels if they are hidden.
    pub fn toggle_lower(&mut self, lower: Lower) {
        if std::mem::replace(&mut self.panels, true) {
            self.timeline.toggle(lower);
        } else {
            self.timeline.lower = Some(lower);
        }
    }

    /// Shows or hides the strip of tracks. Shows the panels if they are hidden.
    pub fn toggle_tracks(&mut self) {
        let are_panels_shown = std::mem::replace(&mut self.panels, true);
        self.mixer.is_shown = !(are_panels_shown && self.mixer.is_shown);
    }

    /// Shows or hides the event log, which is part of the strip. Shows the panels if they are hidden.
    pub fn toggle_event_log(&mut self) {
        if std::mem::replace(&mut self.panels, true) {
            self.mixer.toggle_log();
        } else {
            (self.mixer.is_shown, self.mixer.log.is_shown) = (true, true);
        }
    }

    /// Adds an empty track above the others to the strip, and shows it.
    pub fn add_track(&mut self) {
        self.panels = true;
        if !self.mixer.add(&self.playback.animator) {
            self.notify(format!("No more than {MAX_TRACKS} tracks can be added"));
        }
    }

    /// Looks up the events of the shown animation if another one is shown now.
    pub fn follow_animation(&mut self) {
        if self.playback.animator.playback(0).animation() != self.mixer.marked {
            self.mark();
        }
    }

    /// Looks up the events of the shown animation.
    pub fn mark(&mut self) {
        let animation = self.playback.animator.playback(0).animation();
        self.mixer.marked = animation;
        if let (Some(document), Some(id), Some(model)) = (self.files.current(), animation, self.model()) {
            let (path, name) = (document.path().to_owned(), model.animation(id).name.to_string());
            self.files.recent.remember(&path, &name);
        }
        let loaded = self.files.documents.get_mut(self.files.current).and_then(Document::loaded_mut);
        self.playback.marks = loaded.map(|loaded| loaded.marks(animation).to_vec()).unwrap_or_default();
    }
}
