//! The pictures of one attachment in the course of an animation.

use crate::motion::spine::{SequenceKey, SequenceMode};

/// A time in seconds, and the key there.
pub type Key = (f32, SequenceKey);

/// The keys of an attachment in an animation. All times are 0 or later.
#[derive(Clone, Copy)]
pub struct Course<'k> {
    /// In order of time, at least one.
    pub keys: &'k [Key],
    /// Number of pictures.
    pub count: usize,
    /// Index of the picture at rest.
    pub rest: usize,
}

impl Course<'_> {
    /// Returns the index of the picture at a time.
    pub fn picture(&self, time: f32) -> usize {
        let at = self.keys.partition_point(|key| key.0 <= time).checked_sub(1);
        let picture = at.and_then(|at| {
            let (start, key) = self.keys[at];
            key.picture(f64::from(time) - f64::from(start), self.count)
        });
        picture.unwrap_or(self.rest)
    }

    /// Returns true if a key applies at this time.
    pub fn has_begun(&self, time: f32) -> bool {
        self.keys.first().is_some_and(|key| key.0 <= time)
    }

    /// Returns true if the picture that first appears at `time` is already late, because times cannot be written more
    /// precisely. A picture appears a little before its delay is over, so that it is not missed by a frame that is meant
    /// to be at that moment; half of this is kept.
    pub fn is_late(&self, time: f32) -> bool {
        let at = self.keys.partition_point(|key| key.0 <= time).checked_sub(1);
        at.is_some_and(|at| {
            let (start, key) = self.keys[at];
            let [now, before] = [time, time.next_down()].map(|time| f64::from(time) - f64::from(start));
            key.passed(now - 0.5 * SequenceKey::EARLY * f64::from(key.delay)) > key.passed(before.max(0.0))
        })
    }

    /// Returns the first time after `time`, up to `until`, at which the picture may change.
    pub fn next_change(&self, time: f32, until: f32) -> Option<f32> {
        let next = self.keys.partition_point(|key| key.0 <= time);
        let next_key = self.keys.get(next).map(|key| key.0).filter(|&start| start <= until);
        let step =
            next.checked_sub(1).and_then(|at| self.next_step(self.keys[at], time, next_key.unwrap_or(until)));
        step.or(next_key)
    }

    /// Returns the first time after `time`, up to `until`, at which one more delay of a key has passed.
    fn next_step(&self, (start, key): Key, time: f32, until: f32) -> Option<f32> {
        let passed = |time: f32| key.passed(f64::from(time) - f64::from(start));
        let now = passed(time);
        let first = usize::try_from(key.index).ok()?;
        let is_over = match key.mode {
            SequenceMode::Hold => true,
            SequenceMode::Once | SequenceMode::OnceReverse => first.saturating_add(now) >= self.count - 1,
            SequenceMode::Loop
            | SequenceMode::PingPong
            | SequenceMode::LoopReverse
            | SequenceMode::PingPongReverse => self.count == 1,
        };
        if is_over || until <= time || passed(until) <= now {
            return None;
        }
        // The bits of positive numbers are in the order of the numbers. Multiplying delays instead could round to a time
        // that is a moment too early.
        let (mut before, mut after) = (time.to_bits(), until.to_bits());
        while after - before > 1 {
            let middle = before + (after - before) / 2;
            if passed(f32::from_bits(middle)) > now { after = middle } else { before = middle }
        }
        Some(f32::from_bits(after))
    }
}
