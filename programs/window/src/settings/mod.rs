//! Settings that are kept from one session to the next, in a TOML file. Each group is a struct here and a
//! table there.

pub mod opened;
pub mod options;
pub mod panels;
pub mod store;
pub mod view;
pub mod window;

use std::path::PathBuf;

use etcetera::BaseStrategy;
use serde::{Deserialize, Serialize};

pub use opened::{FilePlace, FilePlaces, GallerySettings, RecentSettings, ScreenshotSettings};
pub use panels::PanelSettings;
pub use store::Store;
pub use view::{CanvasSettings, InterfaceSettings, PlaybackSettings};
pub use window::WindowPlace;

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
    pub window: WindowPlace,
    /// Background and overlays.
    pub canvas: CanvasSettings,
    /// Loop mode and interpolation.
    pub playback: PlaybackSettings,
    /// The panels around the canvas.
    pub panels: PanelSettings,
    /// The gallery.
    pub gallery: GallerySettings,
    /// Recently opened files.
    pub recent: RecentSettings,
    /// Where screenshots are saved.
    pub screenshots: ScreenshotSettings,
    /// How they were looked at.
    pub places: FilePlaces,
}

#[cfg(test)]
pub mod tests;
