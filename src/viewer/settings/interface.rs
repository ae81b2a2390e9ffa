//! Theme and size of the interface.

use serde::{Deserialize, Serialize};

use crate::viewer::state::State;
use crate::viewer::{Theme, WindowOptions};

/// Theme and size of the interface.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct InterfaceSettings {
    /// The theme.
    pub theme: ThemeSetting,
    /// Scale of text and buttons relative to the system's.
    pub scale: f64,
}

/// A theme.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ThemeSetting {
    /// The system's theme.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Default for InterfaceSettings {
    fn default() -> Self {
        Self { theme: ThemeSetting::System, scale: 1.0 }
    }
}

impl InterfaceSettings {
    pub(super) fn of(state: &State) -> Self {
        let theme = match state.interface.theme {
            Theme::System => ThemeSetting::System,
            Theme::Light => ThemeSetting::Light,
            Theme::Dark => ThemeSetting::Dark,
        };
        // Without the digits that single precision does not have.
        Self { theme, scale: (f64::from(state.interface.scale) * 1000.0).round() / 1000.0 }
    }

    pub(super) fn apply(&self, state: &mut State, options: &WindowOptions) {
        if !options.given.theme && options.theme == Theme::default() {
            state.interface.theme = match self.theme {
                ThemeSetting::System => Theme::System,
                ThemeSetting::Light => Theme::Light,
                ThemeSetting::Dark => Theme::Dark,
            };
        }
        if !options.given.ui_scale && options.ui_scale == 1.0 && self.scale.is_finite() {
            state.interface.scale = self.scale as f32;
        }
    }
}
