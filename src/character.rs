//! A loaded character: its model and its motion.

use crate::model::Model;
use crate::motion::Motion;

/// A loaded, immutable character. Share it as `Arc<Character>`.
///
/// [`Character::open`] and [`Character::from_bytes`] read one from a file.
#[derive(Debug, Clone, Default)]
pub struct Character {
    model: Model,
    motion: Motion,
}

impl Character {
    /// Creates a character. `motion` must belong to `model`.
    pub(crate) fn new(model: Model, motion: Motion) -> Self {
        Self { model, motion }
    }

    /// Returns the static parts: bones, slots, attachments, skins and the list of animations.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// See [`Animator::add_picture`](crate::Animator::add_picture).
    pub(crate) fn model_mut(&mut self) -> &mut Model {
        &mut self.model
    }

    /// Returns the motion, in the terms of its format.
    pub fn motion(&self) -> &Motion {
        &self.motion
    }
}
