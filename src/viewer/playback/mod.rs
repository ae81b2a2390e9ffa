//! Playback of the shown animation: playhead, events, skins and physics.

pub mod animation;
pub mod events;
pub mod panel;
pub mod physics;
pub mod physics_choice;
pub mod playhead;
pub mod skins;

#[cfg(test)]
pub mod tests;
