//! What an animation tells and when, for the timeline; and what was told just now.

use crate::character::Character;
use crate::error::shown;
use crate::model::{AnimationId, Model};
use crate::motion::{self, FiredEvent, Span};

/// Of one animation no more events are shown than this.
const MAX_MARKS: usize = 2000;
/// Of what was told no more is kept for the user than this.
const MAX_TOLD: usize = 5;

/// One event of an animation.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// When, in seconds of the animation.
    pub secs: f64,
    /// Its name and what goes with it, for people.
    pub text: String,
}

/// An event that was passed while it played.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    /// Its name and what goes with it, for people.
    pub text: String,
    /// When it goes away, in egui's seconds; set when it is first shown.
    pub until: Option<f64>,
}

/// Every event of `animation`.
pub fn marks(character: &Character, animation: Option<AnimationId>) -> Vec<Mark> {
    let mut marks = Vec::new();
    let Some(animation) = animation else { return marks };
    let span = Span { from: -1.0, to: f64::INFINITY, looping: false };
    motion::for_each_event(character, animation, span, |fired| {
        if marks.len() < MAX_MARKS {
            marks.push(Mark { secs: fired.time.into(), text: text(character.model(), &fired) });
        }
    });
    marks
}

/// Adds what `animation` tells in `span`; the newest stay.
pub fn tell(character: &Character, animation: AnimationId, span: Span, told: &mut Vec<Told>) {
    motion::for_each_event(character, animation, span, |fired| {
        if told.len() >= MAX_TOLD {
            told.remove(0);
        }
        told.push(Told { text: text(character.model(), &fired), until: None });
    });
}

fn text(model: &Model, fired: &FiredEvent<'_>) -> String {
    let event = &model.events()[fired.event.index()];
    let mut text = shown(&event.name);
    if fired.int != 0 {
        text.push_str(&format!(", {}", fired.int));
    }
    if fired.float != 0.0 {
        text.push_str(&format!(", {}", fired.float));
    }
    if !fired.string.is_empty() {
        let short: String = fired.string.chars().take(40).collect();
        text.push_str(&format!(", “{}”", shown(&short)));
    }
    if let Some(audio) = &event.audio {
        text.push_str(&format!(", sound {}", shown(audio)));
    }
    text
}
