//! What animations can tell while they play.

/// Something that animations tell.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// The name in the file.
    pub name: Box<str>,
    /// What goes with it, where the animation does not say.
    pub int: i32,
    /// What goes with it, where the animation does not say.
    pub float: f32,
    /// What goes with it, where the animation does not say.
    pub string: Box<str>,
    /// The sound file that it means.
    pub audio: Option<Box<str>>,
    /// How loud the sound is, 1 as it is.
    pub volume: f32,
    /// Where the sound is, -1 left to 1 right.
    pub balance: f32,
}
