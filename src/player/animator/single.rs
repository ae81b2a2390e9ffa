//! Track 0 as a media player shows it: one animation with a playhead.

use super::Animator;
use crate::model::AnimationId;
use crate::motion::Dynamics;

impl Animator {
    /// Plays `animation` alone from its first frame: every track is stopped, and nothing fades. `None` shows the rest
    /// pose.
    ///
    /// # Panics
    ///
    /// If `animation` belongs to another model.
    #[track_caller]
    pub fn show(&mut self, animation: Option<AnimationId>) {
        self.stop();
        if let Some(animation) = animation {
            self.tracks.play(self.character.model(), 0, animation);
        }
    }

    /// Moves track 0 to a position in frames, as [`Playback::seek`](crate::player::Playback::seek) does.
    pub fn seek(&mut self, position: f64) {
        if let Some(playback) = self.playback_mut(0) {
            playback.seek(position);
        }
    }

    /// True if [`Self::update`] changes anything: an animation plays that has more than one frame and has not ended, or
    /// something else is about to.
    pub fn is_moving(&self) -> bool {
        let moves = |playback: &super::Playback| {
            playback.animation().is_none()
                || playback.clock.has_length()
                    && playback.speed() != 0.0
                    && !playback.clock.is_finished(self.speed)
        };
        self.is_playing && self.speed != 0.0 && self.playbacks().any(|(_, playback)| moves(playback))
    }

    /// Seconds until [`Self::update`] shows something else; `None` if it never will by itself. Stored frames are held
    /// until the next, so a window need not be redrawn before.
    pub fn secs_to_next_change(&self) -> Option<f64> {
        if !self.is_moving() {
            return None;
        }
        let secs =
            |playback: &super::Playback| playback.clock.secs_to_next_position(self.interpolates, self.speed);
        // Physics goes on between frames.
        let longest = if self.shows_physics() { Dynamics::STEP_SECS } else { f64::INFINITY };
        Some(self.playbacks().map(|(_, playback)| secs(playback)).fold(longest, f64::min))
    }
}
