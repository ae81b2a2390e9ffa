//! What animations tell between two instants.

use super::Spine;
use crate::model::{AnimationId, EventId, Model};

/// One event of an animation, with what the key says about it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct EventKey {
    /// Seconds.
    pub time: f32,
    pub event: EventId,
    pub int: i32,
    pub float: f32,
    pub string: Box<str>,
    pub volume: f32,
    pub balance: f32,
}

/// What an animation tells at an instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fired<'a> {
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

impl Spine {
    /// Calls `visit` with what an animation tells in `span`, in the order in which it does.
    pub(in crate::motion) fn events_in<'a>(
        &'a self,
        model: &Model,
        id: AnimationId,
        span: Span,
        mut visit: impl FnMut(Fired<'a>),
    ) {
        let animation = &self.animations[id.index()];
        let duration = model.animation(id).duration_secs();
        let Span { mut from, mut to, looping } = span;
        let mut part = |from: f64, to: f64| {
            let is_in = |key: &&EventKey| f64::from(key.time) > from && f64::from(key.time) <= to;
            animation.events.iter().filter(is_in).for_each(|key| visit(Fired::of(key)));
        };
        if looping && duration > 0.0 {
            to = to.rem_euclid(duration);
            if from > 0.0 {
                from = from.rem_euclid(duration);
            }
            if from > to {
                part(from, f64::INFINITY);
                from = -1.0;
            }
        }
        part(from, to);
    }
}

impl<'a> Fired<'a> {
    fn of(key: &'a EventKey) -> Self {
        let EventKey { time, event, int, float, ref string, volume, balance } = *key;
        Self { time, event, int, float, string, volume, balance }
    }
}
