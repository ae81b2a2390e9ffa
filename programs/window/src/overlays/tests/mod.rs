//! Overlays, guides, the picture behind the character, and the statistics.

pub mod ghosts;
pub mod guides;
pub mod hidden;
pub mod shown;
pub mod slide;
pub mod statistics;
