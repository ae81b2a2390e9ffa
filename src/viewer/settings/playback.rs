//! How animations are played. The speed is not kept.

use serde::{Deserialize, Serialize};

use crate::Animator;
use crate::player::LoopMode;
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

/// A loop mode.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LoopSetting {
    /// As authored in the file.
    #[default]
    Authored,
    /// Start again from the first frame.
    Loop,
    /// Stop at the last frame.
    Once,
    /// Forwards and backwards.
    PingPong,
}

impl PlaybackSettings {
    pub fn of(animator: &Animator) -> Self {
        let loop_mode = match animator.loop_mode() {
            LoopMode::Authored => LoopSetting::Authored,
            LoopMode::Loop => LoopSetting::Loop,
            LoopMode::Once => LoopSetting::Once,
            LoopMode::PingPong => LoopSetting::PingPong,
        };
        Self { loop_mode, interpolate: animator.interpolates() }
    }

    pub fn apply(&self, animator: &mut Animator, options: &WindowOptions) {
        animator.set_loop_mode(match self.loop_mode {
            LoopSetting::Authored => LoopMode::Authored,
            LoopSetting::Loop => LoopMode::Loop,
            LoopSetting::Once => LoopMode::Once,
            LoopSetting::PingPong => LoopMode::PingPong,
        });
        animator.set_interpolate(self.interpolate || options.subject.interpolate);
    }
}
