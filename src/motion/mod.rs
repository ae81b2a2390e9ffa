//! What moves a character. Evaluation is pure: the same cue gives the same pose, in any order. What depends on what
//! was shown before is asked for apart, with [`Dynamics`].
//!
//! Never parses, never touches files, has no clock, allocates nothing once a [`Pose`] has been used.

mod cue;
mod dynamics;
mod event;
#[cfg(feature = "formats-all")]
mod flipbook;
mod overrides;
mod sampled;
#[cfg(feature = "formats-all")]
pub(crate) mod skelform;
#[cfg(feature = "formats-all")]
pub(crate) mod spine;

pub use cue::{Cover, Cue, Direction, Instant, Layer, Mix, Position};
pub use dynamics::Dynamics;
pub use event::{Fired, Span};
#[cfg(feature = "formats-all")]
pub use flipbook::Flipbook;
pub use overrides::{BoneOverride, BonePlace};
pub use sampled::{BoneSample, Sampled, SampledAnimation};
#[cfg(feature = "formats-all")]
pub use skelform::SkelForm;
#[cfg(feature = "formats-all")]
pub use spine::Spine;

use crate::character::Character;
use crate::model::AnimationId;
use crate::pose::Pose;

/// What moves a character, in the terms of the format it came from.
#[derive(Debug, Clone)]
pub enum Motion {
    /// Every bone's transform, stored frame by frame.
    Sampled(Sampled),
    /// Pictures one after the other.
    #[cfg(feature = "formats-all")]
    Flipbook(Flipbook),
    /// Keys, curves and constraints.
    #[cfg(feature = "formats-all")]
    Spine(Spine),
    /// Keys, chains, and bones that take over rotation and scale each by itself.
    #[cfg(feature = "formats-all")]
    SkelForm(SkelForm),
}

/// Writes what `character` looks like at `cue`.
pub fn evaluate(character: &Character, cue: &Cue, pose: &mut Pose) {
    match character.motion() {
        Motion::Sampled(sampled) => sampled.evaluate(character.model(), cue, pose),
        #[cfg(feature = "formats-all")]
        Motion::Flipbook(flipbook) => flipbook.evaluate(character.model(), cue, pose),
        #[cfg(feature = "formats-all")]
        Motion::Spine(spine) => spine.evaluate(character.model(), cue, pose),
        #[cfg(feature = "formats-all")]
        Motion::SkelForm(skelform) => skelform.evaluate(character.model(), cue, pose),
    }
}

/// Calls `visit` with everything that `animation` tells in `span`, in the order in which it does.
pub fn for_each_event<'a>(
    character: &'a Character,
    animation: AnimationId,
    span: Span,
    visit: impl FnMut(Fired<'a>),
) {
    match character.motion() {
        // Stored frames tell nothing.
        Motion::Sampled(_) => _ = (animation, span, visit),
        // Nor do pictures.
        #[cfg(feature = "formats-all")]
        Motion::Flipbook(_) => _ = (animation, span, visit),
        #[cfg(feature = "formats-all")]
        Motion::Spine(spine) => spine.events_in(character.model(), animation, span, visit),
        // The format has none.
        #[cfg(feature = "formats-all")]
        Motion::SkelForm(_) => _ = (animation, span, visit),
    }
}

/// Whether there is something that both animations change.
pub(crate) fn change_the_same(character: &Character, a: AnimationId, b: AnimationId) -> bool {
    match character.motion() {
        // Stored frames are of every bone.
        Motion::Sampled(_) => {
            _ = (a, b);
            true
        }
        // Only one picture can be shown.
        #[cfg(feature = "formats-all")]
        Motion::Flipbook(_) => true,
        #[cfg(feature = "formats-all")]
        Motion::Spine(spine) => spine.change_the_same(a, b),
        #[cfg(feature = "formats-all")]
        Motion::SkelForm(skelform) => skelform.change_the_same(a, b),
    }
}
