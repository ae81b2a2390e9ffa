//! What is dragged from one panel to another.

use pchr::model::AnimationId;

/// An animation that is dragged from the list onto a track.
#[derive(Debug, Clone, Copy)]
pub struct Dragged(pub AnimationId);
