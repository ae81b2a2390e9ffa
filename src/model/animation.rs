//! The list of animations. What moves the bones is in [`motion`](crate::motion).

use super::FrameTimes;

/// One animation of the list.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Animation {
    /// The name in the file.
    pub name: String,
    /// The last frame is followed by the first.
    pub looping: bool,
    /// Stored frames; never negative time, may be 0.
    pub frame_count: u32,
    /// Stored frames a second; 0 for a still picture. The mean where [`Self::times`] says more.
    pub fps: f64,
    /// How long each stored frame is shown, where that differs.
    pub times: Option<FrameTimes>,
    /// Seconds, where that is not a number of frames.
    pub exact_secs: Option<f64>,
    /// Holds the bind pose and is no motion: not the default, not in `all`.
    pub is_bind_pose: bool,
}

impl Animation {
    /// Seconds until a looping animation begins again, or until the last frame of one that does not loop.
    pub fn duration_secs(&self) -> f64 {
        self.exact_secs.unwrap_or_else(|| self.seconds_at(f64::from(self.steps())))
    }

    /// True for motion that has keys: its frames are counted, not stored, and between them it is as it was made.
    pub fn is_keyed(&self) -> bool {
        self.exact_secs.is_some()
    }

    /// Steps from frame to frame before the animation begins again or ends.
    pub fn steps(&self) -> u32 {
        if self.looping { self.frame_count } else { self.frame_count.saturating_sub(1) }
    }

    /// Seconds from the first frame to `position`, in stored frames; 0 for a still picture.
    pub fn seconds_at(&self, position: f64) -> f64 {
        match &self.times {
            Some(times) => times.ms_at(position) / 1000.0,
            None if self.fps > 0.0 => position / self.fps,
            None => 0.0,
        }
    }

    /// Where it is, in stored frames, so many seconds after its first.
    pub fn position_at(&self, seconds: f64) -> f64 {
        match &self.times {
            Some(times) => times.position_at_ms(seconds * 1000.0),
            None => seconds * self.fps,
        }
    }
}
