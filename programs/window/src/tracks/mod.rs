//! The tracks of the animator as the strip of tracks shows and changes them. Everything is done with the calls of
//! [`Animator`] that a game would make, so that the window shows what a game sees.

pub mod change;
pub mod event_log;
pub mod framing;
pub mod panel;
pub mod saved;

use event_log::EventLog;
use framing::Framing;
use pchr::Animator;
use pchr::model::AnimationId;
use pchr::player::Playback;

/// Default fade in seconds of animations that are put on a track.
pub const FADE_SECS: f64 = 0.2;
/// Maximum number of tracks in the strip, for adding further ones.
pub const MAX_TRACKS: usize = 32;

/// State of the strip of tracks.
#[derive(Debug, Default)]
pub struct Mixer {
    /// The strip is shown.
    pub is_shown: bool,
    /// Tracks that the user added or played something on, whether something plays on them or not.
    pub added: Vec<usize>,
    /// The events that were fired.
    pub log: EventLog,
    /// What the view fits while the strip is shown.
    pub framing: Framing,
    /// The animation whose events are in the marks of the timeline.
    pub marked: Option<AnimationId>,
}

impl Mixer {
    /// Shows or hides the event log, which is part of the strip.
    pub fn toggle_log(&mut self) {
        self.log.is_shown = !(self.log.is_shown && self.is_shown);
        self.is_shown |= self.log.is_shown;
    }

    /// Keeps a row for a track until the user removes it.
    pub fn keep(&mut self, track: usize) {
        if !self.added.contains(&track) {
            self.added.push(track);
        }
    }

    /// Returns the tracks of the strip in ascending order: 0, those that the user added or played something on, and
    /// all others that play.
    pub fn tracks(&self, animator: &Animator) -> Vec<usize> {
        let mut tracks = vec![0];
        tracks.extend(self.added.iter().copied());
        let playing = animator.playbacks().map(|(track, _)| track);
        tracks.extend(playing.filter(|&track| animator.playback(track).animation().is_some()));
        tracks.sort_unstable();
        tracks.dedup();
        tracks
    }
}

/// Returns the last animation of a track: of its queue, or else the one that plays.
pub fn last(animator: &Animator, track: usize) -> Option<&Playback> {
    let current = Some(animator.playback(track)).filter(|playback| playback.animation().is_some());
    animator.queued(track).last().or(current)
}

/// Calls `change` for what a track plays and everything in its queue.
pub fn change_track(animator: &mut Animator, track: usize, mut change: impl FnMut(&mut Playback)) {
    if let Some(playback) = animator.playback_mut(track).filter(|playback| playback.animation().is_some()) {
        change(playback);
    }
    let count = animator.queued(track).len();
    for index in 0..count {
        animator.queued_mut(track, index).into_iter().for_each(&mut change);
    }
}

#[cfg(test)]
pub mod tests;
