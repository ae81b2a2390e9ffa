//! Events that animations fire, with their default values.

use super::Id;

/// Id of an event.
pub type EventId = Id<Event>;

/// An event that animations can fire.
#[derive(Debug, Clone)]
pub struct Event {
    /// The name in the file.
    pub name: Box<str>,
    /// Default integer payload; a key may override it.
    pub int: i32,
    /// Default float payload; a key may override it.
    pub float: f32,
    /// Default string payload; a key may override it.
    pub string: Box<str>,
    /// Name of the sound file.
    pub audio: Option<Box<str>>,
    /// Volume of the sound; 1 is unchanged.
    pub volume: f32,
    /// Stereo balance of the sound, from -1 (left) to 1 (right).
    pub balance: f32,
}
