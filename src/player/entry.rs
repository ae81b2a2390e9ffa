//! One animation on a track, and what has happened to it since it was last looked at.

use super::tracks::TrackEvent;
use crate::character::Character;
use crate::model::{AnimationId, Model};
use crate::motion::{Span, for_each_event};

/// An animation on a track. Times are seconds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    /// `None`: an empty one, that others fade to.
    pub animation: Option<AnimationId>,
    pub looping: bool,
    pub duration: f64,
    /// How long it has been played.
    pub time: f64,
    /// What that was when it was last looked at; negative before that.
    pub seen: f64,
    /// How long it takes to take the place of the one before it.
    pub fade: f64,
    /// How long it has been doing that.
    pub faded: f64,
    /// How far it had come when another began to take its own place: it gets no farther.
    pub share_when_covered: f64,
    /// When it goes by itself.
    pub ends_at: f64,
}

impl Entry {
    #[track_caller]
    pub fn new(model: &Model, animation: AnimationId, looping: bool, fade: f64) -> Self {
        let duration = model.animation(animation).duration_secs();
        Self { animation: Some(animation), looping, duration, fade, ends_at: f64::INFINITY, ..Self::empty(0.0) }
    }

    pub fn empty(fade: f64) -> Self {
        Self {
            animation: None,
            looping: false,
            duration: 0.0,
            time: 0.0,
            seen: -1.0,
            fade,
            faded: 0.0,
            share_when_covered: 1.0,
            ends_at: fade,
        }
    }

    /// How far it has taken the place of the one before it, 0 to 1.
    pub fn share(&self) -> f64 {
        if self.fade > 0.0 { (self.faded / self.fade).min(1.0) } else { 1.0 }
    }

    pub fn was_seen(&self) -> bool {
        self.seen >= 0.0
    }

    /// When it will have been played to an end.
    pub fn next_end(&self) -> f64 {
        if self.looping && self.duration > 0.0 {
            self.duration * (1.0 + (self.time / self.duration).floor())
        } else {
            self.duration.max(self.time)
        }
    }

    /// Tells what has happened since the last time.
    pub fn look<'a>(&mut self, character: &'a Character, is_current: bool, mut tell: impl FnMut(TrackEvent<'a>)) {
        let (from, to, duration) = (self.seen, self.time, self.duration);
        if let Some(animation) = self.animation.filter(|_| is_current) {
            let span = Span { from, to, looping: self.looping };
            for_each_event(character, animation, span, |fired| tell(TrackEvent::Event(fired)));
        }
        let is_complete = if self.looping {
            duration <= 0.0 || (from.max(0.0) / duration).floor() < (to / duration).floor()
        } else {
            from < duration && duration <= to
        };
        if is_complete {
            tell(TrackEvent::Complete);
        }
        self.seen = to;
    }
}
