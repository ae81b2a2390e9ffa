//! The shown animation, and the events that are fired while it plays.

use super::events;
use super::playhead;
use crate::draw::Hidden;
use crate::model::{AnimationId, Model};
use crate::player::EventKind;
use crate::pose::Pose;
use crate::viewer::app::state::State;
use crate::viewer::files::document::Document;
use crate::viewer::scene::skinned::Skinned;
use crate::viewer::timeline::Zoom;

impl State {
    /// Shows another animation from its beginning, on track 0. Playback continues if it was running.
    ///
    /// With the strip of tracks, other tracks go on, and the animation fades in unless playback is paused.
    pub fn show_animation(&mut self, animation: AnimationId) {
        if self.loaded().is_none() {
            return;
        }
        self.fired.clear();
        self.timeline.zoom = Zoom::default();
        if self.mixer.is_shown || self.is_mixing() {
            self.play_on_track(0, animation);
            if !self.animator.is_playing()
                && let Some(playback) = self.animator.playback_mut(0)
            {
                playback.set_fade(0.0);
            }
        } else {
            self.animator.show(Some(animation));
        }
        self.mark();
    }

    /// Shows the animation `steps` further in the list, wrapping around.
    pub fn show_animation_by(&mut self, steps: isize) {
        let Some(model) = self.model() else { return };
        let ids: Vec<AnimationId> = model.animation_ids().collect();
        let at = ids.iter().position(|&id| Some(id) == self.animator.playback(0).animation());
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
        self.animator.advance(dt_secs);
        for event in self.animator.events() {
            if let EventKind::Fired(fired) = event.kind {
                events::report(self.animator.model(), &fired, &mut self.fired);
                if let Some(animation) = event.animation {
                    self.mixer.log.push(event.track, animation, &fired);
                }
            }
        }
        self.follow_animation();
        playhead::pause_at_end(&mut self.animator);
    }

    /// Returns the model and its current pose; `None` if there is no character.
    pub fn posed(&mut self) -> Option<(&Model, &Pose)> {
        self.documents.get(self.current)?.loaded()?;
        self.animator.refresh();
        Some((self.animator.model(), self.animator.pose()))
    }

    /// Returns the current pose with its skinning matrices, without what is `hidden`; `None` if there is no character.
    pub fn skinned(&mut self, hidden: &Hidden) -> Option<Skinned<'_>> {
        self.loaded()?;
        self.animator.refresh();
        Some(self.skinned.skin(self.animator.model(), self.animator.pose(), hidden))
    }

    /// Looks up the events of the shown animation if another one is shown now.
    pub fn follow_animation(&mut self) {
        if self.animator.playback(0).animation() != self.mixer.marked {
            self.mark();
        }
    }

    /// Looks up the events of the shown animation.
    pub fn mark(&mut self) {
        let animation = self.animator.playback(0).animation();
        self.mixer.marked = animation;
        let loaded = self.documents.get_mut(self.current).and_then(Document::loaded_mut);
        self.marks = loaded.map(|loaded| loaded.marks(animation).to_vec()).unwrap_or_default();
    }
}
