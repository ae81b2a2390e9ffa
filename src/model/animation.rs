//! The list of animations. What moves the bones is in [`motion`](crate::motion).

use super::FrameTimes;

/// One animation of the list.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Animation {
    /// The name in the file.
    pub name: String,
    /// The last frame is followed by the first.
    pub looping: bool,
    /// How long it is, and at which times it has frames.
    pub timing: Timing,
    /// Holds the bind pose and is no motion: not the default, not in `all`.
    pub is_bind_pose: bool,
}

/// How long an animation is, and at which times it has frames.
#[derive(Debug, Clone, PartialEq)]
pub enum Timing {
    /// Stored frames that are all shown for the same time.
    Frames {
        /// How many; may be 0.
        count: u32,
        /// Frames per second; 0 for a still picture.
        fps: f64,
    },
    /// Stored frames that are not all shown for the same time.
    TimedFrames {
        /// How many. Beyond one cycle of `times` they are shown for the same times again.
        count: u32,
        /// For how long each of them is shown.
        times: FrameTimes,
    },
    /// Keys, between which it looks different at every instant. Frames are counted, not stored.
    Keys {
        /// Seconds up to the last key.
        secs: f64,
        /// Frames per second, as they are counted.
        fps: f64,
    },
}

impl Default for Timing {
    fn default() -> Self {
        Self::Frames { count: 0, fps: 0.0 }
    }
}

impl Animation {
    /// Seconds until a looping animation begins again, or until the last frame of one that does not loop.
    pub fn duration_secs(&self) -> f64 {
        match self.timing {
            Timing::Keys { secs, .. } => secs,
            Timing::Frames { .. } | Timing::TimedFrames { .. } => self.seconds_at(f64::from(self.steps())),
        }
    }

    /// How many frames it has. Where motion has keys it is the number of frames, rounded, that its seconds amount to,
    /// and never 0.
    pub fn frame_count(&self) -> u32 {
        match self.timing {
            Timing::Frames { count, .. } | Timing::TimedFrames { count, .. } => count,
            Timing::Keys { secs, fps } => ((secs * fps + 0.5).floor() as u32).max(1),
        }
    }

    /// Frames per second, on average where they are not all shown for the same time; 0 for a still picture.
    pub fn fps(&self) -> f64 {
        match &self.timing {
            Timing::Frames { fps, .. } | Timing::Keys { fps, .. } => *fps,
            Timing::TimedFrames { times, .. } => times.mean_fps(),
        }
    }

    /// For how long each frame is shown, where that differs.
    pub fn times(&self) -> Option<&FrameTimes> {
        match &self.timing {
            Timing::TimedFrames { times, .. } => Some(times),
            Timing::Frames { .. } | Timing::Keys { .. } => None,
        }
    }

    /// True for motion that has keys: its frames are counted, not stored, and between them it is as it was made.
    pub fn is_keyed(&self) -> bool {
        matches!(self.timing, Timing::Keys { .. })
    }

    /// Steps from frame to frame before the animation begins again or ends.
    pub fn steps(&self) -> u32 {
        if self.looping { self.frame_count() } else { self.frame_count().saturating_sub(1) }
    }

    /// Seconds from the first frame to `position`, in stored frames; 0 for a still picture.
    pub fn seconds_at(&self, position: f64) -> f64 {
        match &self.timing {
            Timing::TimedFrames { times, .. } => times.ms_at(position) / 1000.0,
            Timing::Frames { fps, .. } | Timing::Keys { fps, .. } if *fps > 0.0 => position / fps,
            Timing::Frames { .. } | Timing::Keys { .. } => 0.0,
        }
    }

    /// Where it is, in stored frames, so many seconds after its first.
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
    fn frames_last_as_long_as_their_rate_says() {
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
    fn keys_have_frames_that_are_counted() {
        for (secs, fps, count) in [(1.02, 24.0, 24), (1.03, 24.0, 25), (0.0, 30.0, 1), (f64::NAN, 30.0, 1)] {
            let keyed = animation(true, Timing::Keys { secs, fps });
            assert_eq!((keyed.frame_count(), keyed.fps(), keyed.is_keyed()), (count, fps, true), "{secs}");
            assert_eq!(keyed.duration_secs().to_bits(), secs.to_bits());
        }
    }
}
