//! The position of a clock in frames, and moving to another one.

use super::{Clock, LoopMode};
use crate::math::wrap;
use crate::motion::{Position, finite};

impl Clock {
    /// Returns the position in frames after `secs` seconds of the animation.
    pub fn position_at(&self, secs: f64) -> f64 {
        self.timing.times().map_or(secs * self.fps, |times| times.position_at_ms(secs * 1000.0))
    }

    /// The inverse of [`Self::position_at`]; 0 for a still picture.
    pub(super) fn secs_at(&self, position: f64) -> f64 {
        let secs = match self.timing.times() {
            Some(times) => times.ms_at(position) / 1000.0,
            None if self.fps > 0.0 => position / self.fps,
            None => 0.0,
        };
        // A very low rate can make this infinite.
        finite(secs)
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
    pub(super) fn folded_position(&self) -> (f64, bool) {
        if let Some(position) = self.outside {
            return (position, false);
        }
        let (secs, is_returning) = self.folded();
        let position = self.position_at(self.start_secs() + secs).min(self.end());
        // Rates and lengths in files may be arbitrarily large.
        (finite(position), is_returning)
    }

    /// The frame, and how far it is to the next one, 0 to 1. The frame exists if there are any.
    pub fn split(&self) -> (u32, f64) {
        let (position, is_returning) = self.folded_position();
        let mut position = snap(position);
        if self.has_range() && self.outside.is_none() && self.wraps() && position >= self.end() {
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
            // The last key applies at the end, whose time as a number of frames is rounded.
            let end = self.start_secs() + self.span_secs();
            let is_over = !self.repeats() && self.outside.is_none() && self.time >= self.span_secs();
            return Position::Seconds(if is_over { end } else { self.seconds() });
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
        self.outside = Some(position).filter(|_| self.has_range() && !is_in);
        self.time = match self.has_range() {
            true => (self.secs_at(position) - self.start_secs()).clamp(0.0, self.span_secs()),
            false => self.secs_at(position),
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
        let secs =
            self.timing.times().map_or(frames / self.fps, |times| frames * times.frame_ms(frame as u64) / 1000.0);
        secs / speed.abs()
    }
}

/// Returns `position`, or the nearest whole frame if that is less than a millionth of a frame away.
pub(super) fn snap(position: f64) -> f64 {
    const NEAR: f64 = 1e-6;
    let nearest = position.round();
    if (position - nearest).abs() < NEAR { nearest } else { position }
}
