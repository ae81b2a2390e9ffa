//! Frames of an animation as entries of a shared list, and their durations.

use std::sync::Arc;

/// A range of consecutive entries of a list, and the order in which they play.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Strip {
    first: u32,
    count: u32,
    order: Order,
}

/// The playback order of entries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Order {
    /// From first to last.
    #[default]
    Forward,
    /// From last to first.
    Reverse,
    /// Forward, then backward, without repeating either end.
    PingPong,
    /// Backward, then forward, without repeating either end.
    PingPongReverse,
}

impl Strip {
    /// Creates a strip of `count` entries starting at `first`. A count of 0 is treated as 1.
    pub fn new(first: u32, count: u32, order: Order) -> Self {
        Self { first, count: count.max(1), order }
    }

    /// Returns the first entry.
    pub fn first(self) -> u32 {
        self.first
    }

    /// Returns the number of entries, at least 1.
    pub fn count(self) -> u32 {
        self.count
    }

    /// Returns the playback order.
    pub fn order(self) -> Order {
        self.order
    }

    /// Returns the number of steps in a loop, at least 1.
    pub fn period(self) -> u64 {
        let count = u64::from(self.count);
        match self.order {
            Order::Forward | Order::Reverse => count,
            Order::PingPong | Order::PingPongReverse => (2 * count - 2).max(1),
        }
    }

    /// Returns the number of steps in `passes` passes from end to end. In ping-pong order, the turning point
    /// between two passes is shown only once.
    #[cfg(any(test, feature = "sheet"))]
    pub(crate) fn steps_of_passes(self, passes: u64) -> u64 {
        let count = u64::from(self.count);
        match self.order {
            Order::PingPong | Order::PingPongReverse if count > 1 => {
                passes.saturating_mul(count - 1).saturating_add(1)
            }
            Order::Forward | Order::Reverse | Order::PingPong | Order::PingPongReverse => {
                passes.saturating_mul(count)
            }
        }
    }

    /// Returns the entry shown at `step`.
    pub fn entry(self, step: u64) -> usize {
        let (first, last) = (u64::from(self.first), u64::from(self.first) + u64::from(self.count) - 1);
        let (step, count) = (step % self.period(), u64::from(self.count));
        let entry = match self.order {
            Order::Forward => first + step,
            Order::Reverse => last - step,
            Order::PingPong if step < count => first + step,
            Order::PingPong => last - (step + 1 - count),
            Order::PingPongReverse if step < count => last - step,
            Order::PingPongReverse => first + (step + 1 - count),
        };
        entry as usize
    }
}

/// The durations of the frames of an animation.
#[derive(Debug, Clone, PartialEq)]
pub struct FrameTimes {
    /// Start time of each entry of the whole list, followed by the end time of the last, in milliseconds.
    starts_ms: Arc<[f64]>,
    strip: Strip,
}

impl FrameTimes {
    /// Creates the frame times of `strip`, a range of the list whose entries start at `starts_ms`.
    ///
    /// `starts_ms` has one more item than the list: the end of the last entry. Returns `None` if the strip exceeds
    /// the list, or if its times are not finite, non-negative and strictly increasing.
    #[cfg(test)]
    pub fn new(starts_ms: Arc<[f64]>, strip: Strip) -> Option<Self> {
        let times = Self::within(starts_ms, strip)?;
        let starts = &times.starts_ms[strip.first as usize..][..strip.count as usize + 1];
        let is_valid = starts.iter().all(|start| start.is_finite() && *start >= 0.0);
        (is_valid && starts.is_sorted_by(|a, b| a < b)).then_some(times)
    }

    /// Returns the frame times of `strip`, a range of the list whose entries start at `starts_ms`. The start times,
    /// which many animations may share, are not checked.
    #[cfg(any(test, feature = "sheet"))]
    pub(crate) fn within(starts_ms: Arc<[f64]>, strip: Strip) -> Option<Self> {
        let end = u64::from(strip.first) + u64::from(strip.count);
        (end < starts_ms.len() as u64).then_some(Self { starts_ms, strip })
    }

    /// Returns the time of `position`, a fractional frame number, in milliseconds since the first frame.
    pub(crate) fn ms_at(&self, position: f64) -> f64 {
        let step = position.max(0.0).floor();
        let start = self.start_ms(step as u64);
        let fraction = position.max(0.0) - step;
        if fraction > 0.0 { start + self.frame_ms(step as u64) * fraction } else { start }
    }

    /// Returns the fractional frame number that is shown after `ms` milliseconds.
    pub(crate) fn position_at_ms(&self, ms: f64) -> f64 {
        let (period, cycle) = (self.strip.period(), self.cycle_ms());
        let ms = ms.max(0.0);
        let loops = (ms / cycle).floor();
        let rest = ms - loops * cycle;
        // Find the last step that has started.
        let (mut low, mut high) = (0, period);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.start_in_cycle(middle) <= rest { low = middle } else { high = middle }
        }
        let fraction = (rest - self.start_in_cycle(low)) / self.frame_ms(low);
        loops * period as f64 + low as f64 + fraction
    }

    /// Returns the duration of the frame at `step`, in milliseconds.
    pub fn frame_ms(&self, step: u64) -> f64 {
        let entry = self.strip.entry(step);
        self.before(entry + 1) - self.before(entry)
    }

    /// Returns the duration of a loop, in milliseconds.
    pub(crate) fn cycle_ms(&self) -> f64 {
        self.start_in_cycle(self.strip.period())
    }

    /// Returns the average number of frames per second in a loop.
    pub(crate) fn mean_fps(&self) -> f64 {
        1000.0 * self.strip.period() as f64 / self.cycle_ms()
    }

    fn start_ms(&self, step: u64) -> f64 {
        let period = self.strip.period();
        let loops = step / period;
        let start = self.start_in_cycle(step % period);
        if loops == 0 { start } else { loops as f64 * self.cycle_ms() + start }
    }

    /// Returns the start of `step` within a loop, in milliseconds. `step` is at most the period, the end of the
    /// loop.
    fn start_in_cycle(&self, step: u64) -> f64 {
        let Strip { first, count, order } = self.strip;
        let (first, count, step) = (first as usize, count as usize, step as usize);
        let end = first + count;
        let there = self.before(end) - self.before(first);
        match order {
            Order::Forward => self.before(first + step) - self.before(first),
            Order::Reverse => self.before(end) - self.before(end - step),
            Order::PingPong if step <= count => self.before(first + step) - self.before(first),
            Order::PingPong => there + self.before(end - 1) - self.before(end - 1 - (step - count)),
            Order::PingPongReverse if step <= count => self.before(end) - self.before(end - step),
            Order::PingPongReverse => there + self.before(first + 1 + step - count) - self.before(first + 1),
        }
    }

    fn before(&self, entry: usize) -> f64 {
        self.starts_ms.get(entry).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORDERS: [Order; 4] = [Order::Forward, Order::Reverse, Order::PingPong, Order::PingPongReverse];

    fn entries(strip: Strip, count: u64) -> Vec<usize> {
        (0..count).map(|step| strip.entry(step)).collect()
    }

    #[test]
    fn ping_pong_shows_no_end_twice() {
        let strip = |count, order| Strip::new(0, count, order);
        assert_eq!(entries(strip(4, Order::PingPong), 8), [0, 1, 2, 3, 2, 1, 0, 1]);
        assert_eq!(entries(strip(4, Order::PingPongReverse), 8), [3, 2, 1, 0, 1, 2, 3, 2]);
        assert_eq!(entries(strip(4, Order::Reverse), 5), [3, 2, 1, 0, 3]);
        assert_eq!(entries(strip(2, Order::PingPong), 4), [0, 1, 0, 1]);
        for order in ORDERS {
            assert_eq!(entries(Strip::new(5, 1, order), 3), [5, 5, 5]);
        }
    }

    #[test]
    fn repeats_count_single_passes() {
        let played = |count, order, passes| {
            let strip = Strip::new(0, count, order);
            entries(strip, strip.steps_of_passes(passes))
        };
        assert_eq!(played(4, Order::PingPong, 2), [0, 1, 2, 3, 2, 1, 0]);
        assert_eq!(played(3, Order::PingPong, 3), [0, 1, 2, 1, 0, 1, 2]);
        assert_eq!(played(4, Order::PingPongReverse, 1), [3, 2, 1, 0]);
        assert_eq!(played(2, Order::Forward, 2), [0, 1, 0, 1]);
        assert_eq!(played(1, Order::PingPong, 3), [0, 0, 0]);
    }

    #[test]
    fn time_and_position_are_each_others_inverse() {
        let durations = [100.0, 20.0, 300.0, 41.5, 7.0];
        let starts = [0.0].into_iter().chain(durations.iter().scan(0.0, |sum, ms| {
            *sum += ms;
            Some(*sum)
        }));
        let starts: Arc<[f64]> = starts.collect();
        for order in ORDERS {
            for (first, count) in [(0, 5), (1, 3), (2, 1), (3, 2)] {
                let strip = Strip::new(first, count, order);
                let times = FrameTimes::new(Arc::clone(&starts), strip).unwrap();
                let mut ms = 0.0;
                for step in 0..3 * strip.period() {
                    let position = times.ms_at(step as f64);
                    assert!((position - ms).abs() < 1e-9, "{strip:?} {step}");
                    assert_eq!(times.frame_ms(step), durations[strip.entry(step)]);
                    assert!((times.position_at_ms(ms) - step as f64).abs() < 1e-9, "{strip:?} {step}");
                    let half = times.position_at_ms(ms + times.frame_ms(step) / 2.0);
                    assert!((half - step as f64 - 0.5).abs() < 1e-9, "{strip:?} {step}");
                    ms += durations[strip.entry(step)];
                }
            }
        }
        assert_eq!(FrameTimes::new(starts, Strip::new(3, 3, Order::Forward)), None);
    }

    #[test]
    fn times_that_do_not_increase_are_rejected() {
        let of = |starts: &[f64], first, count| {
            FrameTimes::new(starts.into(), Strip::new(first, count, Order::Forward)).is_some()
        };
        assert!(of(&[0.0, 1.0, 2.0], 0, 2));
        for bad in [f64::NAN, f64::INFINITY, -1.0, 0.0, 2.0] {
            assert!(!of(&[0.0, bad, 2.0], 0, 2), "{bad}");
        }
        assert!(of(&[5.0, 1.0, 2.0], 1, 1), "only the times of the strip are checked");
        assert!(!of(&[0.0, 1.0], u32::MAX, u32::MAX));
    }
}
