//! The events that animations fire between two instants.

use super::Spine;
use crate::model::{AnimationId, EventId, Model};
use crate::motion::{FiredEvent, Span};

/// One event key of an animation.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct EventKey {
    /// Time in seconds.
    pub time: f32,
    pub event: EventId,
    pub int: i32,
    pub float: f32,
    pub string: Box<str>,
    pub volume: f32,
    pub balance: f32,
}

impl Spine {
    /// Calls `visit` with the index of each event key that is fired in `span`, in order.
    pub(in crate::motion) fn events_in(
        &self,
        model: &Model,
        id: AnimationId,
        span: Span,
        mut visit: impl FnMut(u32),
    ) {
        let animation = &self.animations[id.index()];
        let duration = model.animation(id).duration_secs();
        let Span { mut from, mut to, looping } = span;
        let mut part = |from: f64, to: f64| {
            let is_in = |(_, key): &(u32, &EventKey)| f64::from(key.time) > from && f64::from(key.time) <= to;
            (0..).zip(&animation.events).filter(is_in).for_each(|(index, _)| visit(index));
        };
        if looping && duration > 0.0 {
            // Of a span of several loops, only the part that remains of the last one counts.
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

    /// Returns the event key at `index`.
    pub(in crate::motion) fn event<'a>(
        &'a self,
        model: &'a Model,
        id: AnimationId,
        index: u32,
    ) -> Option<FiredEvent<'a>> {
        let key = self.animations.get(id.index())?.events.get(index as usize)?;
        let EventKey { time, event, int, float, ref string, volume, balance } = *key;
        let authored = model.events().get(event.index())?;
        let (name, audio) = (&authored.name, authored.audio.as_deref());
        Some(FiredEvent { time, event, name, int, float, string, audio, volume, balance })
    }
}
