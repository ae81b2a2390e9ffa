//! What moves a character. Evaluation is pure: the same cue gives the same pose, in any order.
//!
//! Never parses, never touches files, has no clock, allocates nothing once a [`Pose`] has been used.

mod cue;
mod sampled;

pub use cue::{Cue, Instant, Position};
pub use sampled::{BoneSample, Sampled, SampledAnimation};

use crate::character::Character;
use crate::pose::Pose;

/// What moves a character, in the terms of the format it came from.
#[derive(Debug, Clone)]
pub enum Motion {
    /// Every bone's transform, stored frame by frame.
    Sampled(Sampled),
}

/// Writes what `character` looks like at `cue`.
pub fn evaluate(character: &Character, cue: &Cue, pose: &mut Pose) {
    match character.motion() {
        Motion::Sampled(sampled) => sampled.evaluate(character.model(), cue, pose),
    }
}
