//! The duration of an animation of a document.

use crate::formats::spine::build::keys::for_each_timeline;
use crate::formats::spine::schema;

/// Returns the time of the last key of an animation, at least 0.
pub fn duration(animation: &schema::Animation<'_>) -> f32 {
    let mut last = 0.0f32;
    for_each_timeline(animation, |_, times, _| last = times.iter().copied().fold(last, f32::max));
    last
}
