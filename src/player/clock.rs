//! The position in one animation as time passes: loop mode, speed, seeking and stepping.

use std::ops::RangeInclusive;

use crate::model::{Animation, FrameTimes, Timing};
use crate::motion::Position;

/// What happens at the end of an animation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LoopMode {
    /// As authored in the file: loop or stop.
    #[default]
    Authored,
    /// Start again from the first frame.
    Loop,
    /// Stop at the last frame.
    Once,
    /// Play backwards to the first frame, then forwards again.
    PingPong,
}

impl LoopMode {
    /// Every mode, in the order in which [`Self::next`] cycles through them.
    pub const ALL: [Self; 4] = [Self::Authored, Self::Loop, Self::Once, Self::PingPong];

    /// Returns the next mode.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Authored => Self::Loop,
            Self::Loop => Self::Once,
            Self::Once => Self::PingPong,
            Self::PingPong => Self::Authored,
        }
    }
}

/// The time of one animation, and its conversion to a position.
///
/// The time of an animation that repeats continues beyond its end; the position is the time wrapped into the animation.
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
    /// Seconds from the first frame of the range, at normal speed. Of an animation that repeats, with all of its
    /// cycles.
    time: f64,
    /// A position outside the range, in frames, shown until time passes.
    outside: Option<f64>,
}

impl Clock {
    pub fn new(animation: &Animation, loop_mode: LoopMode, interpolates: bool) -> Self {
        let fps = animation.fps();
        Self {
            authored_looping: animation.looping,
            timing: animation.timing.clone(),
            frame_count: animation.frame_count(),
            fps: if fps.is_finite() { fps.max(0.0) } else { 0.0 },
            loop_mode,
            speed: 1.0,
            interpolates,
            range: None,
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
        clock.outside = self.outside.filter(|position| clock.range.is_some() && *position <= clock.length());
        clock.time = if clock.repeats() { self.time } else { self.time.clamp(0.0, clock.span_secs()) };
        if clock.range.map(|[first, _]| first) != self.range.map(|[first, _]| first) {
            // Time counts from the first frame of the range.
            clock.seek(self.position());
        }
        clock
    }

    /// Returns the seconds of the animation until its end, or that of its current loop.
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

    /// Lets `dt_secs` seconds pass. Returns the seconds by which the animation has moved, and what was added to keep
    /// the time of an animation that repeats from becoming negative.
    pub fn pass(&mut self, dt_secs: f64) -> (f64, f64) {
        let moved = dt_secs * self.speed;
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

    /// Returns the times of frames with different durations.
    fn times(&self) -> Option<&FrameTimes> {
        match &self.timing {
            Timing::TimedFrames { times, .. } => Some(times),
            Timing::Frames { .. } | Timing::Keys { .. } => None,
        }
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

    /// Returns the frames to which playback is restricted.
    pub fn range(&self) -> Option<RangeInclusive<u32>> {
        self.range.map(|[first, last]| first..=last)
    }

    /// Restricts playback to some frames, keeping the position. `None`: the whole animation.
    pub fn set_range(&mut self, range: Option<RangeInclusive<u32>>) {
        let position = self.position();
        self.range = range.and_then(|range| self.clamped_range(*range.start(), *range.end()));
        self.seek(position);
    }

    /// Returns true if the position is outside the range, which playback enters as soon as time passes.
    pub fn is_outside(&self) -> bool {
        self.outside.is_some()
    }

    /// Returns these frames within the animation; `None` if there are none, or all of them.
    fn clamped_range(&self, first: u32, last: u32) -> Option<[u32; 2]> {
        let last = last.min(self.last_frame());
        let is_part = first > 0 || last < self.last_frame();
        (first <= last && self.frame_count > 0 && is_part).then_some([first, last])
    }

    /// Returns the position, in frames, at which playback starts.
    fn start(&self) -> f64 {
        self.range.map_or(0.0, |[first, _]| first.into())
    }

    /// Returns the position, in frames, at which playback starts again or stops. The last frame of a range that ends
    /// before the animation is shown for as long as in the animation, unless playback stops there.
    fn end(&self) -> f64 {
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
    fn whole_end(&self) -> f64 {
        if let Some(frames) = self.exact_frames() {
            return frames;
        }
        if self.wraps() { f64::from(self.frame_count) } else { f64::from(self.last_frame()) }
    }

    /// Returns the end of the whole animation in seconds.
    pub fn whole_end_secs(&self) -> f64 {
        match self.timing {
            Timing::Keys { secs, .. } if secs.is_finite() => secs.max(0.0),
            _ => self.secs_at(self.whole_end()),
        }
    }

    /// Returns the start of the range in seconds of the animation.
    pub fn start_secs(&self) -> f64 {
        self.range.map_or(0.0, |[first, _]| self.secs_at(first.into()))
    }

    /// Returns the seconds from the start to the end of the range.
    pub fn span_secs(&self) -> f64 {
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
        self.wraps() && self.range.is_some_and(|[_, last]| last < self.last_frame())
    }

    /// Returns the seconds of one cycle, after which a repeating animation is at its start again.
    pub fn cycle_secs(&self) -> f64 {
        if self.mode() == LoopMode::PingPong { 2.0 * self.span_secs() } else { self.span_secs() }
    }

    /// Returns the position in frames after `secs` seconds of the animation.
    pub fn position_at(&self, secs: f64) -> f64 {
        self.times().map_or(secs * self.fps, |times| times.position_at_ms(secs * 1000.0))
    }

    /// The inverse of [`Self::position_at`]; 0 for a still picture.
    fn secs_at(&self, position: f64) -> f64 {
        let secs = match self.times() {
            Some(times) => times.ms_at(position) / 1000.0,
            None if self.fps > 0.0 => position / self.fps,
            None => 0.0,
        };
        // A very low rate can make this infinite.
        if secs.is_finite() { secs } else { 0.0 }
    }

    /// Returns the time wrapped into the range, in seconds from its start, and whether [`LoopMode::PingPong`] is on its way
    /// back.
    fn folded(&self) -> (f64, bool) {
        let end = self.span_secs();
        if end <= 0.0 {
            return (0.0, false);
        }
        match self.mode() {
            LoopMode::PingPong => {
                let along = wrap(self.time, 2.0 * end);
                if along > end { (2.0 * end - along, true) } else { (along, false) }
            }
            LoopMode::Once => (self.time.clamp(0.0, end), false),
            LoopMode::Authored | LoopMode::Loop => (wrap(self.time, end), false),
        }
    }

    /// Returns the position in frames, between [`Self::start`] and [`Self::end`] unless it is outside the range, and
    /// whether it is on its way back.
    fn folded_position(&self) -> (f64, bool) {
        if let Some(position) = self.outside {
            return (position, false);
        }
        let (secs, is_returning) = self.folded();
        let position = self.position_at(self.start_secs() + secs).min(self.end());
        // Rates and lengths in files may be arbitrarily large.
        (if position.is_finite() { position } else { 0.0 }, is_returning)
    }

    /// The frame, and how far it is to the next one, 0 to 1. The frame exists if there are any.
    pub fn split(&self) -> (u32, f64) {
        let (position, is_returning) = self.folded_position();
        let mut position = snap(position);
        if self.range.is_some() && self.outside.is_none() && self.wraps() && position >= self.end() {
            // Less than a millionth of a frame before the range starts again.
            position = self.start();
        }
        // On the way back a held frame is shown until the one before it, for as long as on the way there.
        let is_held = !self.interpolates && !self.is_keyed();
        let position = if is_returning && is_held { position.ceil() } else { position };
        let frame = position.floor();
        if self.is_keyed() {
            // Positions after the last whole frame belong to it.
            let frame = frame.min(f64::from(self.last_frame()));
            return (frame as u32, position - frame);
        }
        if frame >= f64::from(self.frame_count) {
            // Only a loop gets here, less than a millionth of a frame before it starts again.
            return (0, 0.0);
        }
        (frame as u32, position - frame)
    }

    /// The position in frames.
    pub fn position(&self) -> f64 {
        let (frame, fraction) = self.split();
        f64::from(frame) + fraction
    }

    /// The position in seconds at normal speed; 0 for a still picture.
    pub fn seconds(&self) -> f64 {
        self.secs_at(self.position())
    }

    /// Returns the position for a cue. It only changes when the animation looks different.
    pub fn cue_position(&self) -> Position {
        if self.is_keyed() {
            return Position::Seconds(self.seconds());
        }
        let (frame, fraction) = self.split();
        Position::Frame { frame, fraction: if self.interpolates { fraction as f32 } else { 0.0 } }
    }

    /// Moves to a position in frames, which is clamped to the animation. It may be outside the range.
    pub fn seek(&mut self, position: f64) {
        let end = self.whole_end();
        let position = if position.is_finite() { position.clamp(0.0, end) } else { 0.0 };
        // The end of a loop is its start; seeking to the end means the last frame.
        let is_start = self.wraps() && position >= end;
        let position = if is_start { f64::from(self.last_frame()).min(end) } else { position };
        let is_in = self.start() <= position && (position < self.end() || !self.wraps() && position <= self.end());
        self.outside = Some(position).filter(|_| self.range.is_some() && !is_in);
        self.time = match self.range {
            Some(_) => (self.secs_at(position) - self.start_secs()).clamp(0.0, self.span_secs()),
            None => self.secs_at(position),
        };
    }

    /// Moves by whole frames. A loop wraps around.
    pub fn step(&mut self, frames: i64) {
        let Some(last) = self.frame_count.checked_sub(1) else { return };
        let target = i64::from(self.split().0).saturating_add(frames);
        let target = if self.wraps() {
            target.rem_euclid(i64::from(self.frame_count))
        } else {
            target.clamp(0, i64::from(last))
        };
        self.seek(target as f64);
    }

    pub fn seek_last(&mut self) {
        self.seek(f64::from(self.last_frame()));
    }

    /// Returns true if there is anything to play: more than one frame, and a rate.
    pub fn has_length(&self) -> bool {
        let is_long = || self.range.is_none_or(|[first, last]| first < last);
        self.fps > 0.0 && self.exact_frames().map_or(self.frame_count > 1, |frames| frames > 0.0) && is_long()
    }

    /// Returns true at the end of an animation that does not repeat, or at its start if it is played backwards.
    pub fn is_finished(&self, speed: f64) -> bool {
        let speed = self.speed * speed;
        self.mode() == LoopMode::Once
            && self.outside.is_none()
            && if speed < 0.0 { self.time <= 0.0 } else { snap(self.folded_position().0) >= self.end() }
    }

    /// Returns the seconds until [`Self::cue_position`] changes, at `speed` times its own speed. Neither may be 0.
    pub fn secs_to_next_position(&self, speed: f64) -> f64 {
        if self.interpolates || self.is_keyed() || self.outside.is_some() {
            return 0.0;
        }
        let speed = self.speed * speed;
        let (position, is_returning) = self.folded_position();
        let position = snap(position);
        let is_falling = is_returning != (speed < 0.0);
        // On the way back a frame is shown until the one before it is reached, see [`Self::split`].
        let frames = match (is_falling, is_returning) {
            (false, false) => position.floor() + 1.0 - position,
            (true, false) => position - position.floor(),
            (true, true) => position - (position.ceil() - 1.0),
            (false, true) => position.ceil() - position,
        };
        let frame = if is_falling { (position.ceil() - 1.0).max(0.0) } else { position.floor() };
        let secs = self.times().map_or(frames / self.fps, |times| frames * times.frame_ms(frame as u64) / 1000.0);
        secs / speed.abs()
    }
}

/// Returns `position`, or the nearest whole frame if that is less than a millionth of a frame away.
fn snap(position: f64) -> f64 {
    const NEAR: f64 = 1e-6;
    let nearest = position.round();
    if (position - nearest).abs() < NEAR { nearest } else { position }
}

/// Wraps `value` to 0 to `length`, exclusive.
fn wrap(value: f64, length: f64) -> f64 {
    let wrapped = value.rem_euclid(length);
    // `rem_euclid` of a tiny negative number rounds to the length itself.
    if wrapped < length { wrapped } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Order, Strip};

    fn clock(looping: bool, count: u32, fps: f64) -> Clock {
        let timing = Timing::Frames { count, fps };
        Clock::new(&Animation { looping, timing, ..Animation::default() }, LoopMode::Authored, false)
    }

    fn frame(clock: &Clock) -> u32 {
        clock.split().0
    }

    #[test]
    fn an_hour_at_sixty_hertz_shows_every_frame_on_time() {
        let mut clock = clock(true, 24, 24.0);
        for tick in 1..=60 * 60 * 60u64 {
            clock.pass(1.0 / 60.0);
            // 24 fps at 60 Hz: tick · 24 / 60 frames, whole every fifth tick.
            assert_eq!(u64::from(frame(&clock)), tick * 24 / 60 % 24, "tick {tick}");
        }
    }

    #[test]
    fn a_loop_shows_its_last_frame_as_long_as_the_others() {
        let mut clock = clock(true, 4, 10.0);
        clock.pass(0.35);
        assert_eq!(frame(&clock), 3);
        clock.pass(0.1);
        assert_eq!((frame(&clock), clock.is_finished(1.0)), (0, false));
    }

    /// Returns the frame shown after each of `ticks` tenths of a second.
    fn frames_of(clock: &mut Clock, ticks: usize) -> Vec<u32> {
        let mut show = || {
            clock.pass(0.1);
            frame(clock)
        };
        (0..ticks).map(|_| show()).collect()
    }

    #[test]
    fn a_range_is_played_in_every_loop_mode_and_direction() {
        let of = |mode, speed, from| {
            let mut clock = clock(true, 10, 10.0);
            clock.set_loop_mode(mode);
            clock.set_range(Some(3..=6));
            clock.set_speed(speed);
            clock.seek(from);
            clock
        };
        assert_eq!(frames_of(&mut of(LoopMode::Loop, 1.0, 3.0), 6), [4, 5, 6, 3, 4, 5]);
        assert_eq!(frames_of(&mut of(LoopMode::Loop, -1.0, 4.0), 6), [3, 6, 5, 4, 3, 6]);
        assert_eq!(frames_of(&mut of(LoopMode::Once, 1.0, 4.0), 4), [5, 6, 6, 6]);
        assert_eq!(frames_of(&mut of(LoopMode::Once, -1.0, 5.0), 4), [4, 3, 3, 3]);
        let mut once = of(LoopMode::Once, 1.0, 4.0);
        assert!(!once.is_finished(1.0));
        once.pass(1.0);
        assert!(once.is_finished(1.0) && !once.is_finished(-1.0));
        let mut there_and_back = of(LoopMode::PingPong, 1.0, 3.0);
        assert_eq!(frames_of(&mut there_and_back, 8), [4, 5, 6, 5, 4, 3, 4, 5]);
    }

    #[test]
    fn a_position_outside_the_range_is_kept_until_time_passes() {
        let mut clock = clock(true, 10, 10.0);
        clock.seek(8.0);
        clock.set_range(Some(3..=6));
        assert_eq!((frame(&clock), clock.range()), (8, Some(3..=6)));
        clock.step(1);
        assert_eq!(frame(&clock), 9);
        clock.pass(0.0);
        assert_eq!(frame(&clock), 9);
        clock.pass(0.05);
        assert_eq!(frame(&clock), 3);
        clock.seek(1.0);
        clock.set_speed(-1.0);
        clock.pass(0.05);
        assert_eq!(frame(&clock), 6);
        clock.set_range(None);
        assert_eq!((frame(&clock), clock.range()), (6, None));
    }

    #[test]
    fn a_range_is_limited_to_the_animation() {
        let mut clock = clock(true, 10, 10.0);
        let mut set = |range| {
            clock.set_range(Some(range));
            clock.range()
        };
        assert_eq!(set(4..=99), Some(4..=9));
        assert_eq!(set(0..=9), None);
        assert_eq!(set(20..=30), None);
        #[allow(clippy::reversed_empty_ranges)]
        let reversed = 6..=2;
        assert_eq!(set(reversed), None);
    }

    #[test]
    fn a_range_of_keyed_motion_ends_before_the_next_frame() {
        let timing = Timing::Keys { secs: 1.05, fps: 10.0 };
        let animation = Animation { looping: true, timing, ..Animation::default() };
        let mut clock = Clock::new(&animation, LoopMode::Authored, false);
        clock.set_range(Some(2..=4));
        clock.seek(2.0);
        clock.pass(0.25);
        assert!((clock.position() - 4.5).abs() < 1e-9, "{}", clock.position());
        clock.pass(0.1);
        assert!((clock.position() - 2.5).abs() < 1e-9, "{}", clock.position());
        // A range up to the end contains the last part of a frame.
        clock.set_range(Some(5..=10));
        clock.seek(10.0);
        clock.pass(0.04);
        assert!((clock.position() - 10.4).abs() < 1e-9, "{}", clock.position());
        clock.pass(0.02);
        assert!((clock.position() - 5.1).abs() < 1e-9, "{}", clock.position());
    }

    #[test]
    fn without_looping_it_stops_at_the_last_frame() {
        let mut clock = clock(false, 4, 10.0);
        clock.pass(100.0);
        assert_eq!((frame(&clock), clock.is_finished(1.0)), (3, true));
        assert!(!clock.is_finished(-1.0), "it can still play backwards");
        clock.set_speed(-1.0);
        clock.pass(0.1);
        assert_eq!(frame(&clock), 2, "it turns round at the end");
    }

    #[test]
    fn ping_pong_shows_the_ends_as_long_as_the_other_frames() {
        let mut clock = clock(true, 4, 1.0);
        clock.set_loop_mode(LoopMode::PingPong);
        let mut seen = Vec::new();
        for _ in 0..12 {
            seen.push(frame(&clock));
            assert_eq!(clock.secs_to_next_position(1.0), if seen.len() % 2 == 1 { 1.0 } else { 0.5 });
            clock.pass(0.5);
        }
        assert_eq!(seen, [0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 1, 1]);
    }

    #[test]
    fn the_loop_mode_overrides_the_file() {
        let mut once = clock(true, 4, 1.0);
        once.set_loop_mode(LoopMode::Once);
        once.pass(50.0);
        assert_eq!(frame(&once), 3);
        let mut looped = clock(false, 4, 1.0);
        looped.set_loop_mode(LoopMode::Loop);
        looped.pass(4.0);
        assert_eq!((frame(&looped), looped.is_finished(1.0)), (0, false));
    }

    #[test]
    fn on_the_way_back_steps_and_modes_start_from_the_shown_frame() {
        let mut clock = clock(true, 60, 1.0);
        clock.set_loop_mode(LoopMode::PingPong);
        clock.pass(62.5);
        assert_eq!(frame(&clock), 56);
        let mut looped = clock.clone();
        looped.set_loop_mode(LoopMode::Loop);
        assert_eq!(frame(&looped), 56);
        clock.step(1);
        assert_eq!(frame(&clock), 57);
    }

    #[test]
    fn backwards_the_time_of_a_loop_stays_positive() {
        let mut clock = clock(true, 4, 1.0);
        assert_eq!(clock.pass(-1.0), (-1.0, 4.0));
        assert_eq!((clock.time(), clock.pass(-7.0)), (3.0, (-7.0, 4.0)));
        assert_eq!((clock.time(), frame(&clock)), (0.0, 0));
    }

    #[test]
    fn steps_are_whole_frames() {
        let mut clock = clock(true, 10, 24.0);
        clock.pass(0.1);
        for (steps, position) in [(1, 3.0), (-10, 3.0), (-4, 9.0)] {
            clock.step(steps);
            assert_eq!(clock.position(), position);
        }
        clock.set_loop_mode(LoopMode::Once);
        clock.step(10);
        assert_eq!(clock.position(), 9.0);
        clock.step(i64::MIN);
        assert_eq!(clock.position(), 0.0);
    }

    #[test]
    fn backwards_it_wraps_or_stops_at_the_first_frame() {
        let mut looped = clock(true, 4, 1.0);
        looped.set_speed(-1.0);
        looped.pass(1.0);
        assert_eq!(frame(&looped), 3);
        let mut once = clock(false, 4, 1.0);
        once.seek(2.0);
        once.set_speed(-0.5);
        once.pass(10.0);
        assert_eq!((frame(&once), once.is_finished(1.0)), (0, true));
    }

    #[test]
    fn seeking_is_clamped_and_the_end_of_a_loop_is_its_last_frame() {
        let mut clock = clock(true, 65_535, 60.0);
        for frame in [0u32, 1, 40_000, 65_534] {
            clock.seek(frame.into());
            assert_eq!(clock.cue_position(), Position::frame(frame));
        }
        clock.seek(65_535.0);
        assert_eq!(frame(&clock), 65_534);
        clock.seek(f64::NAN);
        assert_eq!(frame(&clock), 0);
        clock.seek(12.25);
        assert_eq!(clock.cue_position(), Position::frame(12), "a frame that is held has no fraction");
        clock.set_interpolates(true);
        assert_eq!(clock.cue_position(), Position::Frame { frame: 12, fraction: 0.25 });
    }

    #[test]
    fn the_next_change_is_known() {
        let mut clock = clock(true, 10, 4.0);
        clock.set_speed(2.0);
        clock.seek(3.25);
        assert_eq!(clock.secs_to_next_position(1.0), 0.75 / 8.0);
        assert_eq!(clock.secs_to_next_position(-1.0), 0.25 / 8.0);
        clock.set_interpolates(true);
        assert_eq!(clock.secs_to_next_position(1.0), 0.0);
    }

    #[test]
    fn arbitrary_timings_stay_in_range() {
        const ODD: [f64; 9] =
            [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, 1e-300, -0.0, -1.0, 7.5];
        let times = FrameTimes::new([0.0, 10.0, 25.0].into(), Strip::new(0, 2, Order::PingPong)).unwrap();
        let of_rate = |fps: f64| {
            let counted = [0, 1, 3, u32::MAX].map(|count| Timing::Frames { count, fps });
            counted.into_iter().chain(ODD.map(|secs| Timing::Keys { secs, fps }))
        };
        let timed = [0, 1, 3, u32::MAX].map(|count| Timing::TimedFrames { count, times: times.clone() });
        for timing in ODD.into_iter().flat_map(of_rate).chain(timed) {
            let animation = Animation { timing, looping: true, ..Animation::default() };
            for mode in LoopMode::ALL {
                let mut clock = Clock::new(&animation, mode, false);
                for odd in ODD {
                    clock.pass(odd);
                    clock.set_speed(odd);
                    clock.pass(0.5);
                    let (position, secs) = (clock.position(), clock.seconds());
                    assert!(position.is_finite() && secs.is_finite(), "{animation:?}, {mode:?}, {odd}");
                    assert!(frame(&clock) < clock.frame_count().max(1));
                    clock.seek(odd);
                    clock.step(-1);
                    clock.seek_last();
                    _ = (clock.cue_position(), clock.secs_to_next_position(odd), clock.cycle_secs());
                }
            }
        }
    }
}
