//! Events of tracks: fired by an animation, or because one starts, ends or loops.

use crate::character::Character;
use crate::model::AnimationId;
use crate::motion::{FiredEvent, fired_event};

/// Something that happened on a track.
#[derive(Debug, Clone, Copy)]
pub struct TrackEvent<'a> {
    /// The track.
    pub track: usize,
    /// The animation that it happened to. `None`: the empty one to which a track fades out.
    pub animation: Option<AnimationId>,
    /// What happened.
    pub kind: EventKind<FiredEvent<'a>>,
}

/// The kinds of events on a track. `F` describes an event that the animation fires.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum EventKind<F> {
    /// It starts.
    Start,
    /// The next one begins to replace it.
    Interrupt,
    /// It has reached its end, or, if it repeats, the end of a loop. Reported once per update, or with physics
    /// once per step of 1/60 s, even if several loops were completed.
    Complete,
    /// It was replaced, or is no longer played.
    End,
    /// It fires an event. An animation that is being replaced fires none. An event that is passed several times in one
    /// update, or with physics in one step of 1/60 s, is fired once.
    Fired(F),
}

impl<F> EventKind<F> {
    /// Converts the description of a fired event, such as into one that owns its strings. Returns
    /// `None` if `convert` does.
    pub fn try_map<G>(self, convert: impl FnOnce(F) -> Option<G>) -> Option<EventKind<G>> {
        Some(match self {
            Self::Start => EventKind::Start,
            Self::Interrupt => EventKind::Interrupt,
            Self::Complete => EventKind::Complete,
            Self::End => EventKind::End,
            Self::Fired(event) => EventKind::Fired(convert(event)?),
        })
    }
}

/// The events of one update, in order: an iterator over [`TrackEvent`]s.
///
/// First comes what calls since the last update have started, interrupted and ended, in the order of the calls; then what
/// time starts, interrupts and ends, by track; then what animations fire and complete, by track, on each track those that
/// are being replaced first. An animation fires its events in order of time, and completes after them. With physics, this
/// repeats for each step of 1/60 s.
///
/// The next update discards events that were not read.
///
/// All changes have already taken effect, even if the iterator is not used.
#[derive(Debug, Clone)]
pub struct Events<'a> {
    pub(super) character: &'a Character,
    pub(super) records: std::slice::Iter<'a, EventRecord>,
}

impl<'a> Iterator for Events<'a> {
    type Item = TrackEvent<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        self.records.find_map(|record| record.resolve(self.character))
    }
}

/// A [`TrackEvent`] without references to the character.
#[derive(Debug, Clone, Copy)]
pub(super) struct EventRecord {
    pub track: usize,
    pub animation: Option<AnimationId>,
    /// What happened; for a fired event, its index in the animation.
    pub kind: EventKind<u32>,
}

impl EventRecord {
    /// Looks up the event; `None` if the animation has no such event.
    pub fn resolve<'a>(&self, character: &'a Character) -> Option<TrackEvent<'a>> {
        let Self { track, animation, kind } = *self;
        let kind = kind.try_map(|index| fired_event(character, animation?, index))?;
        Some(TrackEvent { track, animation, kind })
    }
}
