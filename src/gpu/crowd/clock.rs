//! Time and positions in fixed point, which the shaders compute exactly.
//!
//! A position is counted in cycles of an animation. Whole cycles and their fraction are separate words, so that a
//! crowd that has been playing for days is as exact as a new one.

use super::gpu_data::Play;
use crate::model::{Animation, AnimationId};
use crate::player::LoopMode;

/// Units of a second.
const SECOND: f64 = 4_294_967_296.0;
/// Units of a cycle per second.
const RATE: f64 = 281_474_976_710_656.0;

/// A time in units of 2⁻³² seconds, from 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time(u64);

impl Time {
    /// Negative and non-finite times count as 0.
    pub fn from_secs(secs: f64) -> Self {
        // Saturates after 136 years.
        Self((secs * SECOND + 0.5) as u64)
    }

    pub fn words(self) -> [u32; 2] {
        words(self.0)
    }
}

fn words(value: u64) -> [u32; 2] {
    [value as u32, (value >> 32) as u32]
}

impl Play {
    /// Plays `animation`: `start_secs` seconds into it at time 0, `speed` seconds per second.
    pub fn new(id: AnimationId, animation: &Animation, mode: LoopMode, start_secs: f64, speed: f64) -> Self {
        let mode = match (mode, animation.looping) {
            (LoopMode::Authored, true) => LoopMode::Loop,
            (LoopMode::Authored, false) => LoopMode::Once,
            (mode, _) => mode,
        };
        let last = f64::from(animation.frame_count().saturating_sub(1));
        let (loop_mode, frames) = match mode {
            LoopMode::Authored | LoopMode::Loop if animation.looping => (Self::LOOP_TO_FIRST, last + 1.0),
            LoopMode::Authored | LoopMode::Loop => (Self::LOOP, last + 1.0),
            LoopMode::Once => (Self::ONCE, last),
            LoopMode::PingPong => (Self::PING_PONG, 2.0 * last),
        };
        let cycles_per_sec = animation.fps() / frames;
        // A still image has no cycles.
        let cycles_per_sec = if cycles_per_sec.is_finite() { cycles_per_sec } else { 0.0 };
        let start = start_secs * cycles_per_sec;
        // Many cycles lose no more than the precision of `start_secs` has lost already.
        let whole = start.floor();
        let fraction = ((start - whole) * SECOND + 0.5) as i64;
        let start = (whole as i64).saturating_mul(1 << 32).saturating_add(fraction);
        let rate = (speed * cycles_per_sec * RATE).round() as i64;
        Self { start: words(start as u64), rate: words(rate as u64), animation: id.index() as u32, loop_mode }
    }
}
