//! Animations: frames, rate, duration, looping and events.

use super::differences::{AnimationDifference, Change};
use super::matching::{Entry, Matching};
use super::tolerance::Tolerance;
use crate::character::Character;
use crate::error::escaped;
use crate::model::{AnimationId, Model};
use crate::outline;

/// Matches the animations of two models by name.
pub fn matched<'a>(a: &'a Model, b: &'a Model) -> Matching<'a> {
    let names = |model: &'a Model| model.animations().iter().map(|animation| &*animation.name);
    Matching::new(names(a), names(b))
}

/// Returns the animations whose descriptions differ.
pub fn compare(
    character_a: &Character,
    character_b: &Character,
    animations: &Matching<'_>,
    tolerance: Tolerance,
) -> Vec<AnimationDifference> {
    let (a, b) = (character_a.model(), character_b.model());
    let difference = |entry| {
        let (named, found_in) = animations.named(entry);
        let mut difference = AnimationDifference { found_in, named, ..AnimationDifference::default() };
        if let Entry::Both(in_a, in_b) = entry {
            let (a, b) = (&a.animations()[in_a], &b.animations()[in_b]);
            difference.bind_pose = Change::of(a.is_bind_pose, b.is_bind_pose);
            difference.fps = Change::of(a.fps(), b.fps()).filter(|_| !tolerance.is_same_rate(a.fps(), b.fps()));
            difference.frames = Change::of(a.frame_count(), b.frame_count());
            difference.looping = Change::of(a.looping, b.looping);
            if a.is_keyed() && b.is_keyed() {
                let (of_a, of_b) = (a.duration_secs(), b.duration_secs());
                difference.duration_secs = Change::of(of_a, of_b).filter(|_| (of_a - of_b).abs() > SAME_TIME);
                let of_a = fired(character_a, AnimationId::new(in_a));
                let of_b = fired(character_b, AnimationId::new(in_b));
                difference.events = first_difference(&of_a, &of_b);
            }
            let AnimationDifference { bind_pose, duration_secs, events, fps, frames, looping, .. } = &difference;
            let is_stored_alike = bind_pose.is_none() && fps.is_none() && frames.is_none() && looping.is_none();
            if is_stored_alike && duration_secs.is_none() && events.is_none() {
                return None;
            }
        }
        Some(difference)
    };
    animations.entries().filter_map(difference).collect()
}

/// Tolerance of times in seconds: files round them to four decimals.
pub const SAME_TIME: f64 = 1e-4;

/// An event that an animation fires.
struct Fired {
    time: f64,
    /// Name and payload.
    text: String,
}

/// Returns the events that an animation fires, in order.
fn fired(character: &Character, animation: AnimationId) -> Vec<Fired> {
    let mut list = Vec::new();
    outline::fired(character, animation, |fired| {
        let text = format!(
            "{} ({}, {}, `{}`, volume {}, balance {})",
            escaped(fired.name),
            fired.int,
            fired.float,
            escaped(fired.string),
            fired.volume,
            fired.balance
        );
        list.push(Fired { time: fired.time.into(), text });
    });
    list
}

fn first_difference(a: &[Fired], b: &[Fired]) -> Option<Change<Option<String>>> {
    let is_equal = |a: &Fired, b: &Fired| (a.time - b.time).abs() <= SAME_TIME && a.text == b.text;
    let equal = a.iter().zip(b).take_while(|(a, b)| is_equal(a, b)).count();
    let next = |list: &[Fired]| list.get(equal).map(|Fired { time, text }| format!("{text} at {time:.4} s"));
    (equal < a.len() || equal < b.len()).then(|| Change { a: next(a), b: next(b) })
}
