//! The events that were fired while animations played, for the list in the strip of tracks.

use std::collections::VecDeque;

use crate::base::name::short;
use crate::scene::events::payload;
use pchr::error::escaped;
use pchr::model::{AnimationId, EventId, Model};
use pchr::motion::FiredEvent;

/// At most this many events are kept, the newest.
pub const MAX_EVENTS: usize = 1000;
/// At most this many characters of a name or a string payload are shown.
const MAX_TEXT: usize = 200;

/// The events that were fired, the oldest first. They belong to one character, and are cleared with it.
#[derive(Debug, Default)]
pub struct EventLog {
    /// The list is shown.
    pub is_shown: bool,
    events: VecDeque<LoggedEvent>,
}

/// An event that was fired.
#[derive(Debug, Clone, PartialEq)]
pub struct LoggedEvent {
    /// The track that it was fired on.
    pub track: usize,
    /// The animation that fired it.
    pub animation: AnimationId,
    /// Seconds from the first frame of the animation.
    pub secs: f32,
    /// The event.
    pub event: EventId,
    int: i32,
    float: f32,
    string: String,
}

impl EventLog {
    /// Adds an event, and drops the oldest if there are too many.
    pub fn push(&mut self, track: usize, animation: AnimationId, fired: &FiredEvent<'_>) {
        if self.events.len() >= MAX_EVENTS {
            self.events.pop_front();
        }
        self.events.push_back(LoggedEvent {
            track,
            animation,
            secs: fired.time,
            event: fired.event,
            int: fired.int,
            float: fired.float,
            string: fired.string.chars().take(MAX_TEXT).collect(),
        });
    }

    /// Drops all events.
    pub fn clear(&mut self) {
        self.events.clear();
    }

    /// Returns the number of events.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Returns true if there are no events.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Returns the event at `place`, counted from the newest.
    pub fn newest(&self, place: usize) -> Option<&LoggedEvent> {
        self.events.get(self.events.len().checked_sub(place + 1)?)
    }

    /// Returns all events as text: a line of tab-separated columns for each, the oldest first.
    pub fn to_text(&self, model: &Model) -> String {
        let mut text = "track\tanimation\ttime\tevent\tint\tfloat\tstring\n".to_owned();
        for event in &self.events {
            let LoggedEvent { track, secs, int, float, string, .. } = event;
            let (animation, name) = event.names(model);
            text.push_str(&format!("{track}\t{animation}\t{secs}\t{name}\t{int}\t{float}\t{}\n", escaped(string)));
        }
        text
    }
}

impl LoggedEvent {
    /// Returns the names of the animation and the event, shortened for display.
    pub fn names(&self, model: &Model) -> (String, String) {
        let [animation, event] = [&*model.animation(self.animation).name, &*model.event(self.event).name];
        (short(animation, MAX_TEXT), short(event, MAX_TEXT))
    }

    /// Returns the payload for display; empty if it has none.
    pub fn values(&self) -> String {
        payload(self.int, self.float, &escaped(&self.string)).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pchr::model::{Animation, Event, ModelBuilder};

    fn fired(event: EventId, int: i32, string: &str) -> FiredEvent<'_> {
        FiredEvent { time: 0.25, event, name: "", int, float: 0.0, string, audio: None, volume: 1.0, balance: 0.0 }
    }

    /// A model with an animation and an event.
    fn walking() -> (Model, AnimationId, EventId) {
        let mut builder = ModelBuilder::default();
        let animation = builder.animation(Animation { name: "walk\n".to_owned(), ..Animation::default() });
        let event = builder.event(Event {
            name: "step".into(),
            int: 0,
            float: 0.0,
            string: "".into(),
            audio: None,
            volume: 1.0,
            balance: 0.0,
        });
        (builder.build(), animation, event)
    }

    #[test]
    fn the_newest_events_are_kept() {
        let mut log = EventLog::default();
        assert!(log.is_empty() && log.newest(0).is_none());
        let (_, animation, event) = walking();
        (0..1500).for_each(|int| log.push(0, animation, &fired(event, int, "")));
        assert_eq!(log.len(), MAX_EVENTS);
        assert_eq!([0, 999].map(|place| log.newest(place).map(|event| event.int)), [Some(1499), Some(500)]);
        assert_eq!(log.newest(1000), None);
        log.clear();
        assert!(log.is_empty());
    }

    #[test]
    fn the_text_has_a_line_for_each_event() {
        let (model, animation, event) = walking();
        let mut log = EventLog::default();
        log.push(2, animation, &fired(event, 7, &"a\tb".repeat(1000)));
        let text = log.to_text(&model);
        assert!(text.ends_with('\n') && text.lines().count() == 2 && text.len() < 1000, "{text}");
        assert!(text.contains("2\twalk\\n\t0.25\tstep\t7\t0\ta\\tb"), "{text}");
        assert!(log.newest(0).is_some_and(|event| event.values().starts_with("7, “a\\tb")));
    }
}
