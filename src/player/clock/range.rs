//! The part of the animation to which playback is restricted, and where it starts and ends.

use std::ops::RangeInclusive;

use super::{Clock, LoopMode};
use crate::model::Timing;

impl Clock {
    /// Returns the frames to which playback is restricted.
    pub fn range(&self) -> Option<RangeInclusive<u32>> {
        self.range.map(|[first, last]| first..=last)
    }

    /// Restricts playback to some frames, keeping the position. `None`: the whole animation.
    pub fn set_range(&mut self, range: Option<RangeInclusive<u32>>) {
        let position = self.position();
        self.range_secs = None;
        self.range = range.and_then(|range| self.clamped_range(*range.start(), *range.end()));
        self.seek(position);
    }

    /// Restricts playback to some seconds, keeping the position. Of stored frames, to those that these times show.
    pub fn set_range_secs(&mut self, [first, last]: [f64; 2]) {
        if !self.is_keyed() {
            let [first, last] = [first, last].map(|secs| self.position_at(secs.max(0.0)).floor());
            return self.set_range(Some(first as u32..=last as u32));
        }
        let position = self.position();
        self.range = None;
        self.range_secs = self.clamped_secs(first, last);
        self.seek(position);
    }

    /// Returns these seconds within the animation; `None` if there are none, or all of them.
    pub(super) fn clamped_secs(&self, first: f64, last: f64) -> Option<[f64; 2]> {
        let end = self.whole_end_secs();
        let (first, last) = (first.max(0.0), last.min(end));
        (first <= last && (first > 0.0 || last < end)).then_some([first, last])
    }

    pub(super) fn has_range(&self) -> bool {
        self.range.is_some() || self.range_secs.is_some()
    }

    /// Returns true if playback is restricted to some seconds, not frames.
    pub fn is_limited_in_secs(&self) -> bool {
        self.range_secs.is_some()
    }

    /// Returns true if the position is outside the range, which playback enters as soon as time passes.
    pub fn is_outside(&self) -> bool {
        self.outside.is_some()
    }

    /// Returns these frames within the animation; `None` if there are none, or all of them.
    pub(super) fn clamped_range(&self, first: u32, last: u32) -> Option<[u32; 2]> {
        let last = last.min(self.last_frame());
        let is_part = first > 0 || last < self.last_frame();
        (first <= last && self.frame_count > 0 && is_part).then_some([first, last])
    }

    /// Returns the position, in frames, at which playback starts.
    pub(super) fn start(&self) -> f64 {
        match self.range_secs {
            Some([first, _]) => self.position_at(first),
            None => self.range.map_or(0.0, |[first, _]| first.into()),
        }
    }

    /// Returns the position, in frames, at which playback starts again or stops. The last frame of a range that ends
    /// before the animation is shown for as long as in the animation, unless playback stops there.
    pub(super) fn end(&self) -> f64 {
        if let Some([_, last]) = self.range_secs {
            return self.position_at(last);
        }
        match self.range {
            Some([_, last]) if last < self.last_frame() => {
                let last = f64::from(last);
                if self.wraps() { (last + 1.0).min(self.whole_end()) } else { last }
            }
            _ => self.whole_end(),
        }
    }

    /// Returns the position, in frames, at which the whole animation starts again or stops. A loop shows its last
    /// frame for as long as every other.
    pub(super) fn whole_end(&self) -> f64 {
        if let Some(frames) = self.exact_frames() {
            return frames;
        }
        if self.wraps() { f64::from(self.frame_count) } else { f64::from(self.last_frame()) }
    }

    /// Returns the end of the whole animation in seconds.
    pub fn whole_end_secs(&self) -> f64 {
        match self.timing {
            Timing::Keys { secs, .. } if secs.is_finite() => secs.max(0.0),
            Timing::Frames { .. } | Timing::TimedFrames { .. } | Timing::Keys { .. } => {
                self.secs_at(self.whole_end())
            }
        }
    }

    /// Returns the start of the range in seconds of the animation.
    pub fn start_secs(&self) -> f64 {
        match self.range_secs {
            Some([first, _]) => first,
            None => self.range.map_or(0.0, |[first, _]| self.secs_at(first.into())),
        }
    }

    /// Returns the seconds from the start to the end of the range.
    pub fn span_secs(&self) -> f64 {
        if let Some([first, last]) = self.range_secs {
            return last - first;
        }
        match self.range {
            Some([_, last]) => {
                let end = if last < self.last_frame() { self.secs_at(self.end()) } else { self.whole_end_secs() };
                (end - self.start_secs()).max(0.0)
            }
            None => self.whole_end_secs(),
        }
    }

    /// Returns how far, in seconds, an event may be from the ends of the range and still count as at them: times in
    /// files are rounded.
    pub fn range_tolerance_secs(&self) -> f64 {
        const FRAMES: f64 = 1e-3;
        if self.fps > 0.0 { FRAMES / self.fps } else { 0.0 }
    }

    /// Returns true if a loop starts again at the first frame after the range, which is not part of it.
    pub fn leaves_before_end(&self) -> bool {
        let is_early = |[_, last]: [f64; 2]| last < self.whole_end_secs();
        self.wraps()
            && (self.range_secs.is_some_and(is_early)
                || self.range.is_some_and(|[_, last]| last < self.last_frame()))
    }

    /// Returns the seconds of one cycle, after which a repeating animation is at its start again.
    pub fn cycle_secs(&self) -> f64 {
        if self.mode() == LoopMode::PingPong { 2.0 * self.span_secs() } else { self.span_secs() }
    }
}
