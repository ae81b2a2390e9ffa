//! A loop mode in the settings.

use serde::{Deserialize, Serialize};

use crate::player::LoopMode;

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

impl From<LoopMode> for LoopSetting {
    fn from(mode: LoopMode) -> Self {
        match mode {
            LoopMode::Authored => Self::Authored,
            LoopMode::Loop => Self::Loop,
            LoopMode::Once => Self::Once,
            LoopMode::PingPong => Self::PingPong,
        }
    }
}

impl From<LoopSetting> for LoopMode {
    fn from(setting: LoopSetting) -> Self {
        match setting {
            LoopSetting::Authored => Self::Authored,
            LoopSetting::Loop => Self::Loop,
            LoopSetting::Once => Self::Once,
            LoopSetting::PingPong => Self::PingPong,
        }
    }
}
