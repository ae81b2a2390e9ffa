//! Size and position of the window.

use serde::{Deserialize, Serialize};

use super::window_place::WindowPlace;

/// Size and position of the window.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct WindowSettings {
    /// Size of the contents in logical pixels.
    pub size: Option<[u32; 2]>,
    /// Upper-left corner of the window on the desktop in physical pixels. Not known on Wayland.
    pub position: Option<[i32; 2]>,
    /// The window fills its monitor.
    pub maximized: bool,
}

impl WindowSettings {
    pub fn of(place: WindowPlace) -> Self {
        let WindowPlace { size, position, is_maximized } = place;
        Self { size, position, maximized: is_maximized }
    }

    pub fn place(&self) -> WindowPlace {
        WindowPlace { size: self.size, position: self.position, is_maximized: self.maximized }
    }
}
