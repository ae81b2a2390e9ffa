//! How animations are played. The speed is not kept.

use serde::{Deserialize, Serialize};

use crate::Animator;
use crate::viewer::playback::loop_setting::LoopSetting;
use crate::viewer::settings::options::WindowOptions;

/// Loop mode and interpolation.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlaybackSettings {
    /// The loop mode.
    pub loop_mode: LoopSetting,
    /// Stored frames are interpolated.
    pub interpolate: bool,
}

impl PlaybackSettings {
    pub fn of(animator: &Animator) -> Self {
        Self { loop_mode: animator.loop_mode().into(), interpolate: animator.interpolates() }
    }

    pub fn apply(&self, animator: &mut Animator, options: &WindowOptions) {
        animator.set_loop_mode(self.loop_mode.into());
        animator.set_interpolate(self.interpolate || options.subject.interpolate);
    }
}
