//! The tracks of the animator as the strip of tracks shows and changes them. Everything is done with the calls of
//! [`Animator`] that a game would make, so that the window shows what a game sees.

pub mod event_log;
pub mod saved;

use super::state::State;
use crate::model::AnimationId;
use crate::player::{Animator, Playback};
use event_log::EventLog;

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
    pub(super) added: Vec<usize>,
    /// The events that were fired.
    pub log: EventLog,
    /// The animation whose events are in [`State::marks`].
    pub(super) marked: Option<AnimationId>,
}

impl Mixer {
    /// Shows or hides the event log, which is part of the strip.
    pub fn toggle_log(&mut self) {
        self.log.is_shown = !(self.log.is_shown && self.is_shown);
        self.is_shown |= self.log.is_shown;
    }

    /// Keeps a row for a track until the user removes it.
    fn keep(&mut self, track: usize) {
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

/// Settings of an animation that are those of its track: the next one on it gets the same.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Settings {
    weight: f64,
    speed: f64,
    loop_mode: crate::player::LoopMode,
    is_additive: bool,
}

impl Settings {
    fn of(playback: &Playback) -> Self {
        Self {
            weight: playback.weight(),
            speed: playback.speed(),
            loop_mode: playback.loop_mode(),
            is_additive: playback.is_additive(),
        }
    }

    fn apply(self, playback: &mut Playback) {
        let Self { weight, speed, loop_mode, is_additive } = self;
        playback.set_weight(weight).set_speed(speed).set_loop_mode(loop_mode).set_additive(is_additive);
    }
}

/// Returns the last animation of a track: of its queue, or else the one that plays.
fn last(animator: &Animator, track: usize) -> Option<&Playback> {
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

impl State {
    /// Plays an animation on a track instead of what the track plays and has queued. It fades in over
    /// [`Animator::fade_secs`], and gets the weight, speed and loop mode of the one before it.
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

    /// Fades a track out over [`Animator::fade_secs`], and clears its queue.
    pub fn clear_track(&mut self, track: usize) {
        self.animator.fade_out(track, self.animator.fade_secs());
        self.follow_animation();
    }

    /// Adds an empty track above the others to the strip.
    pub fn add_track(&mut self) {
        self.mixer.is_shown = true;
        let tracks = self.mixer.tracks(&self.animator);
        let next = tracks.last().and_then(|last| last.checked_add(1));
        match next.filter(|_| tracks.len() < MAX_TRACKS) {
            Some(next) => self.mixer.keep(next),
            None => self.notify(format!("The window shows up to {MAX_TRACKS} tracks")),
        }
    }

    /// Removes a track from the strip, at once. Track 0 always stays, but is cleared.
    pub fn remove_track(&mut self, track: usize) {
        self.animator.fade_out(track, 0.0);
        self.mixer.added.retain(|&other| other != track);
        self.follow_animation();
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
