//! Track 0 like a media player: one animation with a playhead.

use super::{Animator, Playback};
use crate::model::AnimationId;
use crate::motion::Dynamics;

impl Animator {
    /// Plays only `animation`, from its first frame and without a fade; all tracks are stopped. `None` shows the
    /// rest pose.
    ///
    /// # Panics
    ///
    /// Panics if `animation` belongs to another model.
    #[track_caller]
    pub fn show(&mut self, animation: Option<AnimationId>) {
        self.stop();
        if let Some(animation) = animation {
            self.tracks.play(&self.character, 0, Some(animation));
        }
    }

    /// Moves track 0 to a position in frames, as [`Playback::seek`](crate::player::Playback::seek) does.
    pub fn seek(&mut self, position: f64) {
        if let Some(playback) = self.playback_mut(0) {
            playback.seek(position);
        }
    }

    /// Returns true at the end of an animation that does not repeat, in the direction in which the track plays.
    pub fn is_finished(&self, track: usize) -> bool {
        let playback = self.playback(track);
        playback.animation().is_some() && playback.is_finished(self.speed)
    }

    /// Returns true if [`Self::update`] would change anything: an animation with more than one frame is playing and
    /// has not ended, animations fade, or one is queued. Physics alone does not count, since it comes to rest.
    pub fn is_moving(&self) -> bool {
        let moves = |playback: &Playback| {
            playback.clock.has_length() && playback.speed() != 0.0 && !playback.is_finished(self.speed)
        };
        let is_changing = self.tracks.is_changing() || self.playbacks().any(|(_, playback)| moves(playback));
        self.is_playing && self.speed != 0.0 && is_changing
    }

    /// Returns the seconds until [`Self::update`] changes the pose; `None` if it never will by itself. Stored frames are
    /// held until the next, so a window need not be redrawn before.
    pub fn secs_to_next_change(&self) -> Option<f64> {
        if !self.is_moving() {
            return None;
        }
        let secs = |playback: &Playback| match playback.is_finished(self.speed) {
            true => f64::INFINITY,
            false => playback.clock.secs_to_next_position(self.speed),
        };
        // Physics continues between frames.
        let longest = if self.shows_physics() { Dynamics::STEP_SECS } else { f64::INFINITY };
        let soonest = longest.min(self.tracks.secs_to_next_change(self.speed));
        Some(self.playbacks().map(|(_, playback)| secs(playback)).fold(soonest, f64::min))
    }
}
