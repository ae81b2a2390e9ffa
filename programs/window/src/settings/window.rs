//! The place of the window on the desktop.

use serde::{Deserialize, Serialize};

/// The place of the window while it is neither maximised nor in full screen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct WindowPlace {
    /// Size of the contents in logical pixels, once known.
    pub size: Option<[u32; 2]>,
    /// Upper-left corner of the window on the desktop in physical pixels. Not known on Wayland.
    pub position: Option<[i32; 2]>,
    /// The window fills its monitor.
    #[serde(rename = "maximized")]
    pub is_maximized: bool,
}

/// A monitor: its rectangle on the desktop in physical pixels, and its scale factor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Monitor {
    /// Upper-left corner.
    pub corner: [i32; 2],
    /// Width and height.
    pub size: [u32; 2],
    /// Physical pixels per logical pixel.
    pub scale: f64,
}

/// The part of the upper edge that has to be on a monitor, so that the window can be grasped, in physical pixels.
const GRASP: [i64; 2] = [96, 32];
/// Share of a monitor that a window covers at most, beside the decorations of the desktop.
const MOST: [f64; 2] = [0.98, 0.94];

impl WindowPlace {
    /// Returns the place on these monitors: without a position off the screen, and not larger than a monitor.
    #[must_use]
    pub fn on(self, monitors: &[Monitor]) -> Self {
        let graspable = |[x, y]: [i32; 2]| {
            let width = self.size.map_or(0, |[width, _]| i64::from(width)).max(GRASP[0]);
            monitors.iter().any(|monitor| {
                let from = monitor.corner.map(i64::from);
                let to = [from[0] + i64::from(monitor.size[0]), from[1] + i64::from(monitor.size[1])];
                let across = (i64::from(x) + width).min(to[0]) - i64::from(x).max(from[0]);
                across >= GRASP[0] && i64::from(y) >= from[1] && i64::from(y) + GRASP[1] <= to[1]
            })
        };
        let room = |axis: usize| {
            let sides = monitors.iter().map(|monitor| f64::from(monitor.size[axis]) / monitor.scale.max(0.1));
            sides.fold(0.0, f64::max) * MOST[axis]
        };
        let limited = |side: u32, axis: usize| match room(axis) {
            room if room > 0.0 => side.min(room as u32),
            _ => side,
        };
        Self {
            size: self.size.map(|[width, height]| [limited(width, 0), limited(height, 1)]),
            position: self.position.filter(|position| graspable(*position)),
            is_maximized: self.is_maximized,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEFT: Monitor = Monitor { corner: [-1920, 0], size: [1920, 1080], scale: 1.0 };
    const MAIN: Monitor = Monitor { corner: [0, 0], size: [2560, 1440], scale: 2.0 };

    fn at(position: [i32; 2]) -> WindowPlace {
        WindowPlace { size: Some([800, 600]), position: Some(position), is_maximized: false }
    }

    #[test]
    fn a_window_on_a_monitor_stays_where_it_was() {
        for position in [[0, 0], [2400, 100], [-1920, 40], [-700, 1000]] {
            assert_eq!(at(position).on(&[LEFT, MAIN]), at(position), "{position:?}");
        }
    }

    #[test]
    fn a_window_off_the_screen_is_placed_by_the_system() {
        for position in [[2500, 0], [0, -40], [0, 1430], [-2700, 0], [i32::MAX, i32::MAX], [i32::MIN, i32::MIN]] {
            assert_eq!(at(position).on(&[LEFT, MAIN]).position, None, "{position:?}");
        }
        assert_eq!(
            at([-700, 0]).on(&[MAIN]).position,
            Some([-700, 0]),
            "100 pixels are still on the main monitor"
        );
        assert_eq!(at([-1900, 40]).on(&[MAIN]).position, None, "its monitor is gone");
        assert_eq!(at([0, 0]).on(&[]).position, None);
    }

    #[test]
    fn a_window_is_not_larger_than_the_largest_monitor() {
        let huge = WindowPlace { size: Some([u32::MAX, 4000]), ..WindowPlace::default() };
        assert_eq!(huge.on(&[LEFT, MAIN]).size, Some([1881, 1015]));
        assert_eq!(huge.on(&[]).size, huge.size);
    }
}
