//! The times of keys, as positions in frames.

use std::ops::Range;

/// Keys less than this apart, in frames, are at the same instant: times in files are rounded.
const NEAR: f64 = 1e-3;

/// The positions of keys in frames from the first, ascending. [`Animation::seconds_at`] converts them to seconds.
///
/// Keys of stored animations in successive frames are one run, so that animations that store every frame need little
/// memory; each key of keyed motion is a run of its own.
///
/// [`Animation::seconds_at`]: crate::model::Animation::seconds_at
#[derive(Debug, Clone, Default)]
pub struct KeyTimes {
    runs: Vec<KeyRun>,
    len: usize,
}

/// Keys in successive frames.
#[derive(Debug, Clone, Copy)]
pub struct KeyRun {
    /// Position of the first key in frames.
    pub first: f64,
    /// Number of keys, each one frame after the previous one; not 0.
    pub count: u32,
}

impl KeyRun {
    /// Returns the position of the last key in frames.
    pub(crate) fn last(self) -> f64 {
        self.first + f64::from(self.count.saturating_sub(1))
    }
}

impl KeyTimes {
    /// Creates keys at positions in any order. Equal positions count once; positions that are not finite are
    /// ignored.
    pub(in crate::motion) fn at_positions(positions: impl IntoIterator<Item = f64>) -> Self {
        let mut positions: Vec<f64> = positions.into_iter().filter(|position| position.is_finite()).collect();
        positions.sort_unstable_by(f64::total_cmp);
        positions.dedup_by(|next, before| *next - *before < NEAR);
        let runs: Vec<_> = positions.into_iter().map(|first| KeyRun { first, count: 1 }).collect();
        Self { len: runs.len(), runs }
    }

    /// Adds a key in a stored frame after all others.
    pub(in crate::motion) fn push_frame(&mut self, frame: u32) {
        self.len += 1;
        match self.runs.last_mut() {
            Some(run) if run.first + f64::from(run.count) == f64::from(frame) => run.count += 1,
            _ => self.runs.push(KeyRun { first: frame.into(), count: 1 }),
        }
    }

    /// Returns all keys of `times`, each instant once.
    pub fn union<'a>(times: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut runs: Vec<KeyRun> = times.into_iter().flat_map(|times| &times.runs).copied().collect();
        runs.sort_unstable_by(|a, b| a.first.total_cmp(&b.first));
        let mut all: Vec<KeyRun> = Vec::with_capacity(runs.len());
        for run in runs {
            match all.last_mut() {
                Some(last) if last.takes(run) => {
                    let count = (run.last() - last.first + NEAR) as u32 + 1;
                    last.count = last.count.max(count);
                }
                _ => all.push(run),
            }
        }
        Self { len: all.iter().map(|run| run.count as usize).sum(), runs: all }
    }

    /// Returns the number of keys.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns true if there are no keys.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the runs of keys in successive frames, ascending.
    pub fn runs(&self) -> &[KeyRun] {
        &self.runs
    }

    /// Returns the runs that contain a key in `positions`, or that begin before and end after it.
    pub fn runs_in(&self, positions: Range<f64>) -> &[KeyRun] {
        let first = self.runs.partition_point(|run| run.last() < positions.start);
        let end = self.runs.partition_point(|run| run.first < positions.end);
        self.runs.get(first..end).unwrap_or_default()
    }

    /// Returns the positions of all keys, ascending.
    pub fn iter(&self) -> impl Iterator<Item = f64> {
        self.runs.iter().flat_map(|run| (0..run.count).map(|index| run.first + f64::from(index)))
    }

    /// Returns the first key after `position`; a key less than a thousandth of a frame away does not count.
    pub fn next_after(&self, position: f64) -> Option<f64> {
        let after = position + NEAR;
        let run = self.runs.get(self.runs.partition_point(|run| run.last() <= after))?;
        let index = if run.first > after { 0.0 } else { (after - run.first).floor() + 1.0 };
        Some(run.first + index)
    }

    /// Returns the last key before `position`; a key less than a thousandth of a frame away does not count.
    pub fn last_before(&self, position: f64) -> Option<f64> {
        let before = position - NEAR;
        let at = self.runs.partition_point(|run| run.first < before).checked_sub(1)?;
        let run = self.runs.get(at)?;
        Some(run.first + (before - run.first).ceil().min(f64::from(run.count)) - 1.0)
    }

    /// Returns the key nearest to `position`.
    pub fn nearest(&self, position: f64) -> Option<f64> {
        let [before, after] = [self.last_before(position + 2.0 * NEAR), self.next_after(position)];
        match (before, after) {
            (Some(before), Some(after)) => {
                Some(if position - before <= after - position { before } else { after })
            }
            (before, after) => before.or(after),
        }
    }
}

impl KeyRun {
    /// Returns true if `next`, which does not begin earlier, adds keys to this run: its keys are whole frames after
    /// the keys of this run, and no frame between the two lacks a key. A run of several keys never takes keys
    /// between its own.
    fn takes(self, next: Self) -> bool {
        let distance = next.first - self.first;
        let is_same = distance < NEAR && (self.count == 1 || next.count == 1 || distance == 0.0);
        let is_whole = self.first.fract() == 0.0 && next.first.fract() == 0.0;
        is_same || (is_whole && (self.count > 1 || next.count > 1) && next.first <= self.last() + 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(frames: impl IntoIterator<Item = u32>) -> KeyTimes {
        let mut times = KeyTimes::default();
        frames.into_iter().for_each(|frame| times.push_frame(frame));
        times
    }

    fn listed(times: &KeyTimes) -> Vec<f64> {
        assert_eq!(times.iter().count(), times.len());
        times.iter().collect()
    }

    #[test]
    fn successive_frames_are_one_run() {
        let times = frames([0, 1, 2, 5, 7, 8]);
        assert_eq!((times.runs().len(), times.len()), (3, 6));
        assert_eq!(listed(&times), [0.0, 1.0, 2.0, 5.0, 7.0, 8.0]);
    }

    #[test]
    fn keys_are_found_in_both_directions() {
        for times in [frames([2, 3, 4, 9]), KeyTimes::at_positions([9.0, 4.0, 2.0, 3.0, 3.0, f64::NAN])] {
            let next: Vec<_> = [0.0, 2.0, 2.5, 4.0, 8.9999, 9.0].map(|at| times.next_after(at)).into();
            assert_eq!(next, [Some(2.0), Some(3.0), Some(3.0), Some(9.0), None, None]);
            let before: Vec<_> = [2.0, 2.5, 3.0, 4.5, 9.0, 20.0].map(|at| times.last_before(at)).into();
            assert_eq!(before, [None, Some(2.0), Some(2.0), Some(4.0), Some(4.0), Some(9.0)]);
            let nearest: Vec<_> = [0.0, 2.4, 3.0, 6.4, 6.6, 99.0].map(|at| times.nearest(at)).into();
            assert_eq!(nearest, [2.0, 2.0, 3.0, 4.0, 9.0, 9.0].map(Some));
        }
        assert_eq!(KeyTimes::default().nearest(1.0), None);
    }

    #[test]
    fn every_instant_of_a_union_counts_once() {
        let keyed = [KeyTimes::at_positions([0.0, 1.5, 4.0]), KeyTimes::at_positions([1.5, 2.0, 4.0001])];
        assert_eq!(listed(&KeyTimes::union(&keyed)), [0.0, 1.5, 2.0, 4.0]);
        let stored = [frames([0, 1, 2, 8]), frames([2, 3, 5, 6, 7]), frames([1, 7])];
        assert_eq!(listed(&KeyTimes::union(&stored)), [0.0, 1.0, 2.0, 3.0, 5.0, 6.0, 7.0, 8.0]);
        assert!(KeyTimes::union([]).is_empty());
    }

    #[test]
    fn the_visible_runs_include_those_that_only_pass_through() {
        let times = frames([0, 1, 2, 3, 4, 5, 9]);
        assert_eq!(times.runs_in(2.2..2.8).len(), 1);
        assert_eq!(times.runs_in(6.0..8.0).len(), 0);
        assert_eq!(times.runs_in(6.0..9.5).len(), 1);
    }
}
