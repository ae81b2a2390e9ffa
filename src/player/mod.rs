//! Playback over time, and the events that it causes.
//!
//! An [`Animator`](crate::Animator) owns a character and everything that changes: tracks with their clocks, skins, moved bones,
//! physics, and the pose. Callers pass the elapsed seconds; nothing here reads a clock.

pub(crate) mod animator;
mod clock;
mod event;
mod overrides;
mod placed_bones;
mod playback;
mod settings;
mod steps;
mod tracks;

pub use clock::LoopMode;
pub use event::{EventKind, Events, TrackEvent};
pub use placed_bones::PlacedBones;
pub use playback::{Playback, Thresholds};
pub use settings::{InvalidSetting, PlaySettings};
