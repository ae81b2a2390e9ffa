//! Theme and size of the interface.

use egui::{Context, ThemePreference};

/// The sizes that the commands step through.
const SCALES: [f32; 9] = [0.5, 0.75, 0.9, 1.0, 1.1, 1.25, 1.5, 2.0, 3.0];
/// The smallest and the largest size.
const RANGE: [f32; 2] = [0.25, 4.0];

/// Theme and size of the interface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interface {
    /// Dark or light theme.
    pub theme: ThemePreference,
    /// Scale of text and buttons relative to the system's.
    pub scale: f32,
}

impl Interface {
    /// Applies both to `ctx`. Has no effect if nothing has changed.
    pub fn apply(self, ctx: &Context) {
        if ctx.options(|options| options.theme_preference) != self.theme {
            ctx.set_theme(self.theme);
            ctx.request_repaint();
        }
        if self.scale.is_finite() {
            ctx.set_zoom_factor(self.scale.clamp(RANGE[0], RANGE[1]));
        }
    }

    /// Steps to the next larger or smaller size.
    pub fn step(&mut self, larger: bool) {
        let next = if larger {
            SCALES.into_iter().find(|&step| step > self.scale + 1e-3)
        } else {
            SCALES.into_iter().rfind(|&step| step < self.scale - 1e-3)
        };
        self.scale = next.unwrap_or(self.scale);
    }
}
