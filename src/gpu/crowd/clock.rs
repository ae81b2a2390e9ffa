//! Time and positions in fixed point, which the shaders compute exactly.
//!
//! A position is counted in cycles of an animation. Whole cycles and their fraction are separate words, so that a
//! crowd that has been playing for days is as exact as a new one.

use crate::gpu::shaders::crowd_data::Play;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ModelBuilder, Timing};

    /// The function of the same name in `shaders/crowd.wgsl`.
    fn cycles_after(rate: [u32; 2], time: Time) -> i64 {
        let rate = (u64::from(rate[0]) | u64::from(rate[1]) << 32) as i64;
        ((i128::from(rate) * i128::from(time.0)) >> 48) as i64
    }

    #[test]
    fn positions_are_exact_after_days() {
        let mut builder = ModelBuilder::default();
        let animation =
            Animation { looping: true, timing: Timing::Frames { count: 7, fps: 24.0 }, ..Animation::default() };
        let id = builder.animation(animation.clone());
        for (start, speed, frames) in [(0.0, 1.0, 7.0), (-3.25, 0.37, 7.0), (1e5, -2.5, 7.0)] {
            let play = Play::new(id, &animation, LoopMode::Loop, start, speed);
            let started = (u64::from(play.start[0]) | u64::from(play.start[1]) << 32) as i64;
            for secs in [0.0, 1.0 / 24.0, 3600.0, 1e6 + 0.125] {
                let cycles = (started + cycles_after(play.rate, Time::from_secs(secs))) as f64 / SECOND;
                let expected = (start + speed * secs) * 24.0 / frames;
                let off_frames = (cycles - expected).abs() * frames;
                assert!(off_frames < 1e-6, "{start} {speed} {secs}: {off_frames} frames");
            }
        }
    }

    #[test]
    fn times_saturate() {
        assert_eq!([-1.0, f64::NAN, 0.0].map(Time::from_secs), [Time(0); 3]);
        assert_eq!(Time::from_secs(1e300), Time(u64::MAX));
        assert_eq!(Time::from_secs(2.5).words(), [1 << 31, 2]);
    }
}
