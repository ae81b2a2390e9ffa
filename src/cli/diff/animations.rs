//! Animations: how long, how fast, and whether they begin again.

use super::matching::{Entry, Matching};
use super::report::{AnimationDifference, Change};
use super::tolerance::Tolerance;
use crate::model::Model;

/// Matches the animations of two models by name.
pub fn matched<'a>(a: &'a Model, b: &'a Model) -> Matching<'a> {
    let names = |model: &'a Model| model.animations().iter().map(|animation| &*animation.name);
    Matching::new(names(a), names(b))
}

/// The animations that differ in the list.
pub fn compare(a: &Model, b: &Model, animations: &Matching<'_>, tolerance: Tolerance) -> Vec<AnimationDifference> {
    let difference = |entry| {
        let (named, found_in) = animations.tell(entry);
        let mut difference = AnimationDifference {
            found_in,
            name: named.name,
            occurrence: named.occurrence,
            ..AnimationDifference::default()
        };
        if let Entry::Both(in_a, in_b) = entry {
            let (a, b) = (&a.animations()[in_a], &b.animations()[in_b]);
            difference.bind_pose = Change::of(a.is_bind_pose, b.is_bind_pose);
            difference.fps = Change::of(a.fps, b.fps).filter(|_| !tolerance.is_same_rate(a.fps, b.fps));
            difference.frames = Change::of(a.frame_count, b.frame_count);
            difference.looping = Change::of(a.looping, b.looping);
            let AnimationDifference { bind_pose, fps, frames, looping, .. } = &difference;
            if bind_pose.is_none() && fps.is_none() && frames.is_none() && looping.is_none() {
                return None;
            }
        }
        Some(difference)
    };
    animations.entries().filter_map(difference).collect()
}
