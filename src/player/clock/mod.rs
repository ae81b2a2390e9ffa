//! The position in one animation as time passes: loop mode, speed, seeking and stepping.

mod loop_mode;
mod passes;
mod position;
mod range;
#[cfg(test)]
mod tests;

use crate::math::wrap;
use crate::model::{Animation, Timing};
use crate::motion::finite;
pub use loop_mode::LoopMode;
use position::snap;

/// The time of one animation, and its conversion to a position.
///
/// The time of a looping animation continues beyond its end; the position is the time wrapped into the animation.
/// A position within a millionth of a frame of a stored frame is that frame, so that rounding errors never show the
/// previous frame.
#[derive(Debug, Clone)]
pub(super) struct Clock {
    authored_looping: bool,
    timing: Timing,
    frame_count: u32,
    /// Finite, not negative.
    fps: f64,
    loop_mode: LoopMode,
    /// Finite.
    speed: f64,
    /// Stored frames are blended.
    interpolates: bool,
    /// The frames to which playback is restricted: first and last, less than the whole animation.
    range: Option<[u32; 2]>,
    /// The seconds to which keyed motion is restricted instead, less than the whole animation.
    range_secs: Option<[f64; 2]>,
    /// Seconds from the first frame of the range, at normal speed. For looping animations, counted across loops.
    time: f64,
    /// A position outside the range, in frames, shown until time passes.
    outside: Option<f64>,
}

impl Clock {
    pub fn new(animation: &Animation, loop_mode: LoopMode, interpolates: bool) -> Self {
        Self {
            authored_looping: animation.looping,
            timing: animation.timing.clone(),
            frame_count: animation.frame_count(),
            fps: finite(animation.fps()).max(0.0),
            loop_mode,
            speed: 1.0,
            interpolates,
            range: None,
            range_secs: None,
            time: 0.0,
            outside: None,
        }
    }

    /// Returns the seconds played since the first frame of the range.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// The same time of another version of the animation, played in the same way.
    pub fn of(&self, animation: &Animation) -> Self {
        let mut clock = Self::new(animation, self.loop_mode, self.interpolates);
        clock.speed = self.speed;
        clock.range = self.range.and_then(|[first, last]| clock.clamped_range(first, last));
        clock.range_secs = self.range_secs.and_then(|[first, last]| clock.clamped_secs(first, last));
        clock.outside = self.outside.filter(|position| clock.has_range() && *position <= clock.length());
        clock.time = if clock.repeats() { self.time } else { self.time.clamp(0.0, clock.span_secs()) };
        let firsts =
            |clock: &Self| (clock.range.map(|[first, _]| first), clock.range_secs.map(|[first, _]| first));
        if firsts(&clock) != firsts(self) {
            // Time counts from the first frame of the range.
            clock.seek(self.position());
        }
        clock
    }

    /// Returns the seconds of the animation until its end, or until the end of its current loop.
    pub fn remaining_secs(&self) -> f64 {
        if self.outside.is_some() {
            // As soon as time passes, playback is at the start of the range.
            return self.cycle_secs();
        }
        let cycle = self.cycle_secs();
        let along = if self.repeats() && cycle > 0.0 { wrap(self.time, cycle) } else { self.time.min(cycle) };
        if self.speed >= 0.0 {
            cycle - along
        } else if along > 0.0 || !self.repeats() {
            along
        } else {
            cycle
        }
    }

    /// Moves the animation by `moved` seconds. Returns the seconds by which it has moved, and the seconds that were added
    /// to keep the time of a looping animation from becoming negative.
    pub fn move_by(&mut self, moved: f64) -> (f64, f64) {
        // From outside, playback enters the range at its beginning.
        let entered = if moved < 0.0 { self.span_secs() } else { 0.0 };
        let from = if self.outside.is_some() && moved != 0.0 { entered } else { self.time };
        let mut time = from + moved;
        if !time.is_finite() {
            return (0.0, 0.0);
        }
        if moved != 0.0 {
            self.outside = None;
        }
        let cycle = self.cycle_secs();
        let mut added = 0.0;
        if !self.repeats() {
            time = time.clamp(0.0, self.span_secs());
        } else if time < 0.0 && cycle > 0.0 && cycle.is_finite() {
            added = (-time / cycle).ceil() * cycle;
            time += added;
        }
        self.time = time;
        (moved, added)
    }

    pub fn set_interpolates(&mut self, interpolates: bool) {
        self.interpolates = interpolates;
    }

    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// Sets the speed. Non-finite values are ignored.
    pub fn set_speed(&mut self, speed: f64) {
        if speed.is_finite() {
            self.speed = speed;
        }
    }

    pub fn loop_mode(&self) -> LoopMode {
        self.loop_mode
    }

    /// Sets the loop mode, keeping the position.
    pub fn set_loop_mode(&mut self, loop_mode: LoopMode) {
        let position = self.position();
        self.loop_mode = loop_mode;
        self.seek(position);
    }

    /// Resolves [`LoopMode::Authored`].
    fn mode(&self) -> LoopMode {
        match (self.loop_mode, self.authored_looping) {
            (LoopMode::Authored, true) => LoopMode::Loop,
            (LoopMode::Authored, false) => LoopMode::Once,
            (mode, _) => mode,
        }
    }

    /// Returns true if the last frame is followed by the first.
    pub fn wraps(&self) -> bool {
        self.mode() == LoopMode::Loop
    }

    /// Returns true if the animation never ends by itself.
    pub fn repeats(&self) -> bool {
        matches!(self.mode(), LoopMode::Loop | LoopMode::PingPong)
    }

    pub fn is_keyed(&self) -> bool {
        matches!(self.timing, Timing::Keys { .. })
    }

    pub fn frame_count(&self) -> u32 {
        self.frame_count
    }

    fn last_frame(&self) -> u32 {
        self.frame_count.saturating_sub(1)
    }

    /// Returns the length of keyed motion in frames, which need not be whole.
    fn exact_frames(&self) -> Option<f64> {
        match self.timing {
            Timing::Keys { secs, .. } => Some((secs * self.fps).max(0.0)),
            Timing::Frames { .. } | Timing::TimedFrames { .. } => None,
        }
    }

    /// Returns the length in frames.
    pub fn length(&self) -> f64 {
        self.exact_frames().unwrap_or_else(|| self.frame_count.into())
    }

    /// Returns true if there is anything to play: more than one frame, and a rate.
    pub fn has_length(&self) -> bool {
        let is_long = || {
            self.range.is_none_or(|[first, last]| first < last)
                && self.range_secs.is_none_or(|[first, last]| first < last)
        };
        self.fps > 0.0 && self.exact_frames().map_or(self.frame_count > 1, |frames| frames > 0.0) && is_long()
    }

    /// Returns true at the end of an animation that does not repeat, or at its start if it is played backwards.
    pub fn is_finished(&self, speed: f64) -> bool {
        let speed = self.speed * speed;
        self.mode() == LoopMode::Once
            && self.outside.is_none()
            && if speed < 0.0 { self.time <= 0.0 } else { snap(self.folded_position().0) >= self.end() }
    }
}
