//! Settings that are kept from one session to the next, in a TOML file. Each group is one file here and one table
//! there.

pub mod canvas;
pub mod interface;
pub mod panels;
pub mod playback;
pub mod recent;
pub mod store;
pub mod window;
pub mod window_place;

use std::path::PathBuf;

use etcetera::BaseStrategy;
use serde::{Deserialize, Serialize};

use crate::viewer::WindowOptions;
use crate::viewer::app::state::State;

pub use canvas::CanvasSettings;
pub use interface::InterfaceSettings;
pub use panels::PanelSettings;
pub use playback::PlaybackSettings;
pub use recent::RecentSettings;
pub use store::Store;
pub use window::WindowSettings;

/// Returns the file in the platform's folder for settings, such as `~/.config/pchr/settings.toml`; `None` if the user
/// has no home folder.
pub fn default_settings_file() -> Option<PathBuf> {
    let folders = etcetera::base_strategy::choose_native_strategy().ok()?;
    Some(folders.config_dir().join("pchr").join("settings.toml"))
}

/// The kept settings. Missing keys have their defaults, unknown keys are ignored.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Theme and size of the interface.
    pub interface: InterfaceSettings,
    /// Size and position of the window.
    pub window: WindowSettings,
    /// Background and overlays.
    pub canvas: CanvasSettings,
    /// Loop mode and interpolation.
    pub playback: PlaybackSettings,
    /// The panels around the canvas.
    pub panels: PanelSettings,
    /// Recently opened files.
    pub recent: RecentSettings,
}

impl Settings {
    /// Returns the settings to keep of the window.
    pub fn of(state: &State) -> Self {
        Self {
            interface: InterfaceSettings::of(state),
            window: WindowSettings::of(state),
            canvas: CanvasSettings::of(state),
            playback: PlaybackSettings::of(state),
            panels: PanelSettings::of(state),
            recent: RecentSettings::of(state),
        }
    }

    /// Applies kept settings, except those that `options` specify.
    pub fn apply(&self, state: &mut State, options: &WindowOptions) {
        let Self { interface, window, canvas, playback, panels, recent } = self;
        interface.apply(state, options);
        window.apply(state);
        canvas.apply(state, options);
        playback.apply(state, options);
        panels.apply(state);
        recent.apply(state);
    }
}

#[cfg(test)]
pub mod tests;
