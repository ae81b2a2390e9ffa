//! What animations tell between two instants.

use super::Spine;
use crate::model::{AnimationId, EventId, Model};
use crate::motion::{FiredEvent, Span};

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

impl Spine {
    /// Calls `visit` with what an animation tells in `span`, in the order in which it does.
    pub(in crate::motion) fn events_in<'a>(
        &'a self,
        model: &Model,
        id: AnimationId,
        span: Span,
        mut visit: impl FnMut(FiredEvent<'a>),
    ) {
        let animation = &self.animations[id.index()];
        let duration = model.animation(id).duration_secs();
        let Span { mut from, mut to, looping } = span;
        let mut part = |from: f64, to: f64| {
            let is_in = |key: &&EventKey| f64::from(key.time) > from && f64::from(key.time) <= to;
            animation.events.iter().filter(is_in).for_each(|key| visit(FiredEvent::of(key)));
        };
        if looping && duration > 0.0 {
            let is_round = to - from >= duration && to >= duration;
            to = to.rem_euclid(duration);
            if from > 0.0 {
                from = from.rem_euclid(duration);
            }
            if is_round {
                // Everything was passed: what comes after `from`, then all up to it.
                part(from, f64::INFINITY);
                (from, to) = (-1.0, from);
            } else if from > to {
                part(from, f64::INFINITY);
                from = -1.0;
            }
        }
        part(from, to);
    }
}

impl<'a> FiredEvent<'a> {
    fn of(key: &'a EventKey) -> Self {
        let EventKey { time, event, int, float, ref string, volume, balance } = *key;
        Self { time, event, int, float, string, volume, balance }
    }
}
