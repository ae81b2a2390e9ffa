//! Changes the tracks of the animator as a game would.

use super::{Mixer, last};
use pchr::model::AnimationId;
use pchr::player::{PlaySettings, Playback};
use pchr::{Animator, Result};

impl Mixer {
    /// Plays an animation on a track instead of what the track plays and has queued. It fades in over
    /// [`fade_secs`](Animator::fade_secs), and gets the settings of the one before it,
    /// except for its end and its range.
    pub fn play(&mut self, animator: &mut Animator, track: usize, animation: AnimationId) {
        self.start(animator, track, |animator| animator.play_on(track, animation));
    }

    /// Plays an animation on a track after what the track plays and has queued, like [`Self::play`].
    pub fn queue(&mut self, animator: &mut Animator, track: usize, animation: AnimationId) {
        self.start(animator, track, |animator| animator.queue_on(track, animation, 0.0));
    }

    fn start(
        &mut self,
        animator: &mut Animator,
        track: usize,
        start: impl FnOnce(&mut Animator) -> Result<&mut Playback>,
    ) {
        let kept = last(animator, track).map(Playback::settings);
        self.keep(track);
        if let (Ok(playback), Some(kept)) = (start(animator), kept) {
            keep_settings(playback, kept);
        }
    }

    /// Fades a track out over [`fade_secs`](Animator::fade_secs), and clears its queue.
    pub fn clear(&self, animator: &mut Animator, track: usize) {
        animator.fade_out(track, animator.fade_secs());
    }

    /// Adds an empty track above the others to the strip, and shows it. Returns false if there are too many.
    pub fn add(&mut self, animator: &Animator) -> bool {
        self.is_shown = true;
        let tracks = self.tracks(animator);
        let next = tracks.last().and_then(|last| last.checked_add(1));
        let next = next.filter(|_| tracks.len() < super::MAX_TRACKS);
        next.into_iter().for_each(|next| self.keep(next));
        next.is_some()
    }

    /// Removes a track from the strip, at once. Track 0 always stays, but is cleared.
    pub fn remove(&mut self, animator: &mut Animator, track: usize) {
        // On an idle track, a fade-out would begin with nothing.
        if animator.playbacks().any(|(playing, _)| playing == track) {
            animator.fade_out(track, 0.0);
        }
        self.added.retain(|&other| other != track);
    }

    /// Returns true if there are other tracks than the one on the timeline.
    pub fn has_several(&self, animator: &Animator) -> bool {
        let is_other = |track: usize| track != 0;
        self.added.iter().any(|&track| is_other(track)) || animator.playbacks().any(|(track, _)| is_other(track))
    }
}

/// Applies the settings that a track keeps for the next animation on it.
fn keep_settings(playback: &mut Playback, kept: PlaySettings) {
    playback.apply(&PlaySettings { fade_secs: playback.fade_secs(), end_secs: None, range_secs: None, ..kept });
}
