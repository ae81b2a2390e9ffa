//! Changes the tracks of the animator as a game would.

use super::{MAX_TRACKS, Settings, last};
use crate::model::AnimationId;
use crate::viewer::app::state::State;

impl State {
    /// Shows or hides the strip of tracks. Shows the panels if they are hidden.
    pub fn toggle_tracks(&mut self) {
        let are_panels_shown = std::mem::replace(&mut self.panels, true);
        self.mixer.is_shown = !(are_panels_shown && self.mixer.is_shown);
    }

    /// Plays an animation on a track instead of what the track plays and has queued. It fades in over
    /// [`fade_secs`](crate::Animator::fade_secs), and gets the weight, speed and loop mode of the one before it.
    pub fn play_on_track(&mut self, track: usize, animation: AnimationId) {
        let settings = last(&self.animator, track).map(Settings::of);
        self.mixer.keep(track);
        if let Ok(playback) = self.animator.play_on(track, animation) {
            settings.into_iter().for_each(|settings| settings.apply(playback));
        }
        self.follow_animation();
    }

    /// Plays an animation on a track after what the track plays and has queued, like [`Self::play_on_track`].
    pub fn queue_on_track(&mut self, track: usize, animation: AnimationId) {
        let settings = last(&self.animator, track).map(Settings::of);
        self.mixer.keep(track);
        if let Ok(playback) = self.animator.queue_on(track, animation, 0.0) {
            settings.into_iter().for_each(|settings| settings.apply(playback));
        }
        self.follow_animation();
    }

    /// Fades a track out over [`fade_secs`](crate::Animator::fade_secs), and clears its queue.
    pub fn clear_track(&mut self, track: usize) {
        self.animator.fade_out(track, self.animator.fade_secs());
        self.follow_animation();
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
        self.mixer.is_shown = true;
        let tracks = self.mixer.tracks(&self.animator);
        let next = tracks.last().and_then(|last| last.checked_add(1));
        match next.filter(|_| tracks.len() < MAX_TRACKS) {
            Some(next) => self.mixer.keep(next),
            None => self.notify(format!("No more than {MAX_TRACKS} tracks can be added")),
        }
    }

    /// Removes a track from the strip, at once. Track 0 always stays, but is cleared.
    pub fn remove_track(&mut self, track: usize) {
        self.animator.fade_out(track, 0.0);
        self.mixer.added.retain(|&other| other != track);
        self.follow_animation();
    }

    /// Returns true if there are other tracks than the one on the timeline.
    pub fn has_several_tracks(&self) -> bool {
        let is_other = |track: usize| track != 0;
        self.mixer.added.iter().any(|&track| is_other(track))
            || self.animator.playbacks().any(|(track, _)| is_other(track))
    }

    /// Returns true if something other than a single animation on track 0 is shown.
    pub fn is_mixing(&self) -> bool {
        let sole = self.animator.playback(0);
        self.animator.playbacks().any(|(track, _)| track != 0)
            || self.animator.playbacks().count() > 1
            || sole.weight() < 1.0
            || sole.is_additive()
    }
}
