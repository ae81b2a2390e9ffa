//! The list of animations. Their keys and frames are in [`motion`](crate::motion).

use super::{FrameTimes, Id};

/// Id of an animation.
pub type AnimationId = Id<Animation>;

/// Name and timing of an animation.
#[derive(Debug, Clone, Default)]
pub struct Animation {
    /// The name in the file.
    pub name: String,
    /// True if it loops.
    pub looping: bool,
    /// Duration and frame times.
    pub timing: Timing,
    /// True if it only stores the bind pose; it is then never the default and not part of `all`.
    pub is_bind_pose: bool,
}

/// Duration and frame times of an animation.
#[derive(Debug, Clone, PartialEq)]
pub enum Timing {
    /// Stored frames of equal duration.
    Frames {
        /// Number of frames; may be 0.
        count: u32,
        /// Frames per second; 0 for a still image.
        fps: f64,
    },
    /// Stored frames of different durations.
    TimedFrames {
        /// Number of frames. Beyond one cycle of `times` the durations repeat.
        count: u32,
        /// The durations.
        times: FrameTimes,
    },
    /// Interpolated keys. Frames are derived from the rate, not stored.
    Keys {
        /// Time of the last key, in seconds.
        secs: f64,
        /// Nominal frames per second.
        fps: f64,
    },
}

impl Default for Timing {
    fn default() -> Self {
        Self::Frames { count: 0, fps: 0.0 }
    }
}

impl Timing {
    /// Returns the frame durations, if they differ.
    pub(crate) fn times(&self) -> Option<&FrameTimes> {
        match self {
            Self::TimedFrames { times, .. } => Some(times),
            Self::Frames { .. } | Self::Keys { .. } => None,
        }
    }
}

impl Animation {
    /// Returns the duration of a loop, or the time of the last frame if the animation does not loop, in seconds.
    pub fn duration_secs(&self) -> f64 {
        match self.timing {
            Timing::Keys { secs, .. } => secs,
            Timing::Frames { .. } | Timing::TimedFrames { .. } => self.seconds_at(f64::from(self.steps())),
        }
    }

    /// Returns the number of frames. For keyed animations it is derived from the duration, rounded, and never 0.
    pub fn frame_count(&self) -> u32 {
        match self.timing {
            Timing::Frames { count, .. } | Timing::TimedFrames { count, .. } => count,
            Timing::Keys { secs, fps } => ((secs * fps + 0.5).floor() as u32).max(1),
        }
    }

    /// Returns the frames per second, on average if durations differ; 0 for a still image.
    pub fn fps(&self) -> f64 {
        match &self.timing {
            Timing::Frames { fps, .. } | Timing::Keys { fps, .. } => *fps,
            Timing::TimedFrames { times, .. } => times.mean_fps(),
        }
    }

    /// Returns the frame durations, if they differ.
    pub fn times(&self) -> Option<&FrameTimes> {
        self.timing.times()
    }

    /// Returns true if the animation has keys, which can be sampled at any time, instead of stored frames.
    pub fn is_keyed(&self) -> bool {
        matches!(self.timing, Timing::Keys { .. })
    }

    /// Returns the number of frame steps until the animation loops or ends.
    pub fn steps(&self) -> u32 {
        if self.looping { self.frame_count() } else { self.frame_count().saturating_sub(1) }
    }

    /// Converts `position`, a stored frame with fraction, to seconds since the first frame; 0 for a still image.
    pub fn seconds_at(&self, position: f64) -> f64 {
        match &self.timing {
            Timing::TimedFrames { times, .. } => times.ms_at(position) / 1000.0,
            Timing::Frames { fps, .. } | Timing::Keys { fps, .. } if *fps > 0.0 => position / fps,
            Timing::Frames { .. } | Timing::Keys { .. } => 0.0,
        }
    }

    /// Converts seconds since the first frame to a stored frame with fraction.
    pub fn position_at(&self, seconds: f64) -> f64 {
        match &self.timing {
            Timing::TimedFrames { times, .. } => times.position_at_ms(seconds * 1000.0),
            Timing::Frames { fps, .. } | Timing::Keys { fps, .. } => seconds * fps,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Order, Strip};

    fn animation(looping: bool, timing: Timing) -> Animation {
        Animation { looping, timing, ..Animation::default() }
    }

    #[test]
    fn frame_rate_determines_the_duration() {
        let frames = Timing::Frames { count: 12, fps: 24.0 };
        assert_eq!(animation(true, frames.clone()).duration_secs(), 0.5);
        assert_eq!(animation(false, frames).duration_secs(), 11.0 / 24.0);
        assert_eq!(animation(true, Timing::Frames { count: 12, fps: 0.0 }).duration_secs(), 0.0);
    }

    #[test]
    fn timed_frames_have_a_mean_rate() {
        let times = FrameTimes::new([0.0, 100.0, 400.0].into(), Strip::new(0, 2, Order::Forward)).unwrap();
        let timed = animation(true, Timing::TimedFrames { count: 4, times });
        assert_eq!((timed.frame_count(), timed.fps(), timed.duration_secs()), (4, 5.0, 0.8));
        assert!(timed.times().is_some() && !timed.is_keyed());
    }

    #[test]
    fn frames_of_keyed_animations_are_derived() {
        for (secs, fps, count) in [(1.02, 24.0, 24), (1.03, 24.0, 25), (0.0, 30.0, 1), (f64::NAN, 30.0, 1)] {
            let keyed = animation(true, Timing::Keys { secs, fps });
            assert_eq!((keyed.frame_count(), keyed.fps(), keyed.is_keyed()), (count, fps, true), "{secs}");
            assert_eq!(keyed.duration_secs().to_bits(), secs.to_bits());
        }
    }
}
