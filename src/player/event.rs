//! What happens on tracks as time passes.

use crate::character::Character;
use crate::model::AnimationId;
use crate::motion::{FiredEvent, fired_event};

/// Something that has happened on a track.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrackEvent<'a> {
    /// The track.
    pub track: usize,
    /// The animation to which it happened. `None`: the empty one to which a track fades out.
    pub animation: Option<AnimationId>,
    /// What happened.
    pub kind: EventKind<FiredEvent<'a>>,
}

/// What can happen to an animation on a track. `F` is what is known of an event that the animation fires.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum EventKind<F> {
    /// It starts.
    Start,
    /// The next one begins to replace it.
    Interrupt,
    /// It has reached its end; a repeating animation, the end of a loop. Reported once per update, even if several
    /// loops have ended.
    Complete,
    /// It was replaced, or is no longer played.
    End,
    /// It fires an event. An animation that is being replaced fires none.
    Fired(F),
}

/// What happened in one update, in order: an iterator over [`TrackEvent`]s.
///
/// Everything has happened already, whether it is iterated or not.
#[derive(Debug, Clone)]
pub struct Events<'a> {
    pub(super) character: &'a Character,
    pub(super) happened: std::slice::Iter<'a, Happening>,
}

impl<'a> Iterator for Events<'a> {
    type Item = TrackEvent<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        self.happened.find_map(|happening| happening.resolve(self.character))
    }
}

/// The same, without what is borrowed from the character.
#[derive(Debug, Clone, Copy)]
pub(super) struct Happening {
    pub track: usize,
    pub animation: Option<AnimationId>,
    /// Of an event its place among those of the animation.
    pub kind: EventKind<u32>,
}

impl Happening {
    /// `None` if the animation has no such event.
    pub fn resolve<'a>(&self, character: &'a Character) -> Option<TrackEvent<'a>> {
        let Self { track, animation, kind } = *self;
        let kind = match kind {
            EventKind::Start => EventKind::Start,
            EventKind::Interrupt => EventKind::Interrupt,
            EventKind::Complete => EventKind::Complete,
            EventKind::End => EventKind::End,
            EventKind::Fired(index) => EventKind::Fired(fired_event(character, animation?, index)?),
        };
        Some(TrackEvent { track, animation, kind })
    }
}
