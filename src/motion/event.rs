//! What animations tell, and when they are asked.

use crate::model::EventId;

/// What an animation tells at an instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FiredEvent<'a> {
    /// Seconds in the animation.
    pub time: f32,
    /// What it tells.
    pub event: EventId,
    /// What goes with it.
    pub int: i32,
    /// What goes with it.
    pub float: f32,
    /// What goes with it.
    pub string: &'a str,
    /// How loud its sound is.
    pub volume: f32,
    /// Where its sound is, -1 left to 1 right.
    pub balance: f32,
}

/// The time between two instants of an animation that plays forwards, in seconds since it began.
///
/// What is at `to` is in it, what is at `from` is not: begin with a negative `from`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    /// Where it was looked at last.
    pub from: f64,
    /// Now.
    pub to: f64,
    /// After its end the animation begins again; what was passed more than once is told once.
    pub looping: bool,
}
