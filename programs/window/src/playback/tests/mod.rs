//! Playback of characters with skins, physics and IK targets.

pub mod skelform;
pub mod spine;
pub mod transport;
