//! The in and out points, and keys to go to.

use std::ops::RangeInclusive;

use super::{Lower, RangeEnd, target_of};
use crate::viewer::app::state::State;

/// Distance to the end of a loop, in frames, at which its last key is shown.
const BEFORE_END: f64 = 1e-4;

impl State {
    /// Shows an area below the timeline, or closes it if it is shown. Shows the panels if they are hidden.
    pub fn toggle_lower(&mut self, lower: Lower) {
        if std::mem::replace(&mut self.panels, true) {
            self.timeline.toggle(lower);
        } else {
            self.timeline.lower = Some(lower);
        }
    }

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

    /// Pauses, and moves to the next or the previous key of the selected part, or of any if it has none.
    pub fn go_to_key(&mut self, forwards: bool) {
        self.timeline.refresh_keys(&self.animator);
        let Some(keyed) = self.timeline.keys.shown() else { return };
        let row = self.selected.and_then(target_of).and_then(|target| keyed.target(target));
        let times = row.map_or(&keyed.all, |row| &row.times);
        let position = self.animator.playback(0).position();
        let found = if forwards { times.next_after(position) } else { times.last_before(position) };
        if let Some(position) = found {
            self.go_to(position);
        }
    }

    /// Pauses, and moves to a position in frames.
    pub fn go_to(&mut self, position: f64) {
        self.animator.set_playing(false);
        let playback = self.animator.playback(0);
        let length = playback.length();
        // The end of a loop is its start. Just before it, keyed motion shows its last key.
        let is_end = playback.is_keyed() && playback.wraps() && position >= length;
        self.animator.seek(if is_end { (length - BEFORE_END).max(0.0) } else { position });
        self.timeline.zoom.reveal(position, length);
    }
}
