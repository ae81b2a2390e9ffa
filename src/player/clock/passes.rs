//! The parts of an animation that a clock passes in an interval of time, to find the events that fire.

use super::Clock;
use crate::motion::Span;

/// A time before the first instant: a part from it on contains the first instant.
const BEFORE: f64 = -1.0;

impl Clock {
    /// Calls `visit` for the parts of the animation that it plays forwards between two times, in order. What several
    /// passes cover is visited once, in the first of them, however many there are. `from` is negative before the first
    /// instant.
    pub fn for_each_pass(&self, from: f64, to: f64, mut visit: impl FnMut(Span)) {
        let cycle = self.cycle_secs();
        if self.wraps() && !self.has_range() {
            return visit(Span { from, to, looping: true });
        }
        if !self.repeats() || cycle <= 0.0 {
            return visit(self.part(from, to));
        }
        let [first, last] = [from.max(0.0), to].map(|time| (time / cycle).floor());
        // Rounding must not move a time before the start of its cycle.
        let along = |time: f64, cycles: f64| (time - cycles * cycle).max(0.0);
        let from = if from < 0.0 { from } else { along(from, first) };
        if first == last {
            visit(self.part(from, along(to, last)));
        } else {
            visit(self.part(from, cycle));
            let rest = if last > first + 1.0 { from } else { along(to, last).min(from) };
            visit(self.part(BEFORE, rest));
        }
    }

    /// Returns the part of the animation between two times of a cycle; a negative `from` includes the start. The way back
    /// of a ping-pong is not part of it.
    ///
    /// A range contains the events at its ends, even if their times are rounded. The instant at which a loop starts again
    /// is not part of the range, unless the animation ends there.
    fn part(&self, from: f64, to: f64) -> Span {
        let (start, span) = (self.start_secs(), self.span_secs());
        if !self.has_range() {
            return Span { from, to: to.min(span), looping: false };
        }
        let near = self.range_tolerance_secs();
        let end = start + span + if self.leaves_before_end() { -near } else { near };
        let at = |time: f64| match time {
            _ if time < 0.0 => start - near,
            _ if time >= span => end,
            _ => (start + time).min(end),
        };
        Span { from: at(from), to: at(to), looping: false }
    }

    /// Returns true if the animation reaches its end, or the end of a loop, between two times.
    pub fn completes(&self, from: f64, to: f64) -> bool {
        let cycle = self.cycle_secs();
        if self.repeats() {
            cycle <= 0.0 || (from.max(0.0) / cycle).floor() < (to / cycle).floor()
        } else {
            from < cycle && cycle <= to
        }
    }

    /// Like [`Self::completes`], for an animation that plays backwards.
    pub fn completes_backwards(&self, from: f64, to: f64) -> bool {
        let cycle = self.cycle_secs();
        let loops = |time: f64| (time / cycle).ceil();
        if self.repeats() { cycle > 0.0 && loops(from) > loops(to) } else { from > 0.0 && to <= 0.0 }
    }
}
