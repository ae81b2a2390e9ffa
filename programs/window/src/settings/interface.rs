//! Theme and size of the interface.

use serde::{Deserialize, Serialize};

use crate::widgets::interface::Interface;
use egui::ThemePreference;

use crate::settings::options::WindowOptions;

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
    pub fn of(interface: Interface) -> Self {
        let theme = match interface.theme {
            ThemePreference::System => ThemeSetting::System,
            ThemePreference::Light => ThemeSetting::Light,
            ThemePreference::Dark => ThemeSetting::Dark,
        };
        // Without the digits that single precision does not have.
        Self { theme, scale: (f64::from(interface.scale) * 1000.0).round() / 1000.0 }
    }

    pub fn apply(&self, interface: &mut Interface, options: &WindowOptions) {
        if options.theme.is_none() {
            interface.theme = match self.theme {
                ThemeSetting::System => ThemePreference::System,
                ThemeSetting::Light => ThemePreference::Light,
                ThemeSetting::Dark => ThemePreference::Dark,
            };
        }
        if options.ui_scale.is_none() && self.scale.is_finite() {
            interface.scale = self.scale as f32;
        }
    }
}
