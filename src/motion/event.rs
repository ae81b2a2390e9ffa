//! Events that animations fire.

use crate::model::EventId;

/// An event that an animation fires.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FiredEvent<'a> {
    /// Seconds from the first frame of the animation.
    pub time: f32,
    /// The event.
    pub event: EventId,
    /// Its name.
    pub name: &'a str,
    /// Integer payload.
    pub int: i32,
    /// Floating-point payload.
    pub float: f32,
    /// String payload.
    pub string: &'a str,
    /// The name of its sound file.
    pub audio: Option<&'a str>,
    /// Volume of its sound; 1 as recorded.
    pub volume: f32,
    /// Balance of its sound, -1 left to 1 right.
    pub balance: f32,
}

/// The time between two instants of an animation that plays forwards, in seconds since it started.
///
/// It includes [`to`](Self::to) and excludes [`from`](Self::from): start with a negative `from` to include 0.
#[derive(Debug, Clone, Copy)]
pub struct Span {
    /// The end of the span before this one.
    pub from: f64,
    /// The end of this span.
    pub to: f64,
    /// The animation starts again after its end. Of a span of more than a whole loop, only the rest counts,
    /// as in Spine.
    pub looping: bool,
}
