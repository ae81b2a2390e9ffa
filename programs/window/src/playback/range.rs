//! The in and out points.

use std::ops::RangeInclusive;

use super::Playback;

/// One of the two points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RangeEnd {
    /// The in point.
    In,
    /// The out point.
    Out,
}

impl Playback {
    /// Returns the frames between the in and out points, if any are set.
    pub fn range(&self) -> Option<RangeInclusive<u32>> {
        self.animator.playback(0).range()
    }

    /// Moves the in or out point to `frame`. If it passes the other one, that is removed.
    pub fn set_range_end(&mut self, end: RangeEnd, frame: u32) {
        let last = self.animator.playback(0).frame_count().saturating_sub(1);
        let (first_before, last_before) = match self.range() {
            Some(range) => (*range.start(), *range.end()),
            None => (0, last),
        };
        let range = match end {
            RangeEnd::In => frame..=if last_before < frame { last } else { last_before },
            RangeEnd::Out => (if first_before > frame { 0 } else { first_before })..=frame,
        };
        self.set_range(Some(range));
    }

    /// Restricts playback to `range`, or removes the in and out points.
    pub fn set_range(&mut self, range: Option<RangeInclusive<u32>>) {
        if let Some(playback) = self.animator.playback_mut(0) {
            playback.set_range(range);
        }
    }

    /// Moves the in or out point to the playhead.
    pub fn set_range_end_here(&mut self, end: RangeEnd) {
        if self.animator.playback(0).frame_count() > 1 {
            let frame = self.animator.playback(0).frame();
            self.set_range_end(end, frame);
        }
    }
}
