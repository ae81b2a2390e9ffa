//! The events and labels of an animation for the timeline, and events that have just been fired.

use crate::base::name::short;
use pchr::Character;
use pchr::error::escaped;
use pchr::model::AnimationId;
use pchr::motion::{FiredEvent, labels_in};
use pchr::outline;

/// At most this many events of an animation are shown.
const MAX_MARKS: usize = 2000;
/// At most this many fired events are shown at once.
const MAX_FIRED: usize = 5;

/// An event or a label of an animation.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// `Event` or `Label`.
    pub kind: &'static str,
    /// Time in seconds of the animation.
    pub secs: f64,
    /// Its name, and the payload of an event or the end of a label, for people.
    pub text: String,
}

/// An event that was fired while the animation played.
#[derive(Debug, Clone, PartialEq)]
pub struct Fired {
    /// Its name and payload, for people.
    pub text: String,
    /// The time at which it disappears, in egui seconds; set when it is first shown.
    pub until: Option<f64>,
}

/// Returns the events and labels of `animation`.
pub fn marks(character: &Character, animation: Option<AnimationId>) -> Vec<Mark> {
    let mut marks = Vec::new();
    let Some(animation) = animation else { return marks };
    outline::fired(character, animation, |fired| {
        if marks.len() < MAX_MARKS {
            marks.push(Mark { kind: "Event", secs: fired.time.into(), text: text(&fired) });
        }
    });
    let timing = character.model().animation(animation);
    for (name, frames) in labels_in(character, animation).into_iter().filter(|(name, _)| *name != timing.name) {
        let [secs, end] = [frames.start, frames.end].map(|frame| timing.seconds_at(frame.into()));
        let text = format!("{}, to {end:.2} s", escaped(name));
        marks.push(Mark { kind: "Label", secs, text });
    }
    marks.truncate(MAX_MARKS);
    marks
}

/// Adds an event that was fired; the newest are kept.
pub fn report(event: &FiredEvent<'_>, fired: &mut Vec<Fired>) {
    if fired.len() >= MAX_FIRED {
        fired.remove(0);
    }
    fired.push(Fired { text: text(event), until: None });
}

fn text(fired: &FiredEvent<'_>) -> String {
    let mut parts = vec![escaped(fired.name)];
    parts.extend(payload(fired.int, fired.float, &short(fired.string, 40)));
    parts.extend(fired.audio.map(|audio| format!("sound {}", escaped(audio))));
    parts.join(", ")
}

/// Returns the parts of a payload for display. `string` is escaped already.
pub fn payload(int: i32, float: f32, string: &str) -> impl Iterator<Item = String> {
    let int = (int != 0).then(|| int.to_string());
    let float = (float != 0.0).then(|| float.to_string());
    let string = (!string.is_empty()).then(|| format!("“{string}”"));
    [int, float, string].into_iter().flatten()
}
