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
