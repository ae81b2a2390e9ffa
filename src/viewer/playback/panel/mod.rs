//! The controls of playback, the list of animations, and notices about events and skins.

pub mod animations;
pub mod auto_skin;
pub mod fired_events;
pub mod transport;
