//! A loaded character: what it is and what moves it.

use crate::model::Model;
use crate::motion::Motion;

/// A loaded, immutable character. Share it as `Arc<Character>`.
///
/// [`Character::open`] and [`Character::from_bytes`] make one from a file.
#[derive(Debug, Clone, Default)]
pub struct Character {
    model: Model,
    motion: Motion,
}

impl Character {
    /// `motion` moves exactly the bones of `model`.
    pub(crate) fn new(model: Model, motion: Motion) -> Self {
        Self { model, motion }
    }

    /// What it is.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// What moves it.
    pub fn motion(&self) -> &Motion {
        &self.motion
    }
}
