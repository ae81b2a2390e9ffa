//! How animations are played. The speed is not kept.

use serde::{Deserialize, Serialize};

use crate::settings::options::WindowOptions;
use pchr::Animator;
use pchr::player::LoopMode;

/// Loop mode and interpolation.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlaybackSettings {
    /// The loop mode.
    #[serde(with = "LoopSetting")]
    pub loop_mode: LoopMode,
    /// Stored frames are interpolated.
    pub interpolate: bool,
}

/// The names of the loop modes in the settings.
#[derive(Serialize, Deserialize)]
#[serde(remote = "LoopMode", rename_all = "kebab-case")]
enum LoopSetting {
    Authored,
    Loop,
    Once,
    PingPong,
}

impl PlaybackSettings {
    pub fn of(animator: &Animator) -> Self {
        Self { loop_mode: animator.loop_mode(), interpolate: animator.interpolates() }
    }

    pub fn apply(&self, animator: &mut Animator, options: &WindowOptions) {
        animator.set_loop_mode(self.loop_mode);
        animator.set_interpolate(self.interpolate || options.subject.interpolate);
    }
}
