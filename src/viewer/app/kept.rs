//! What is kept in the settings, and how kept settings are applied.

use super::state::State;
use crate::viewer::settings::options::WindowOptions;
use crate::viewer::settings::{
    CanvasSettings, InterfaceSettings, PanelSettings, PlaybackSettings, RecentSettings, ScreenshotSettings,
    Settings, WindowSettings,
};

impl State {
    /// Returns the settings to keep of the window.
    pub fn settings(&self) -> Settings {
        Settings {
            interface: InterfaceSettings::of(self.interface),
            window: WindowSettings::of(self.place),
            canvas: CanvasSettings::of(&self.overlays, &self.canvas),
            playback: PlaybackSettings::of(&self.playback.animator),
            panels: PanelSettings::of(self.panels, &self.sheet, &self.timeline, &self.mixer, &self.parts.side),
            recent: RecentSettings::of(&self.files.recent),
            screenshots: ScreenshotSettings::of(self.screenshots.as_deref()),
        }
    }

    /// Applies kept settings, except those that `options` specify.
    pub fn apply_settings(&mut self, settings: &Settings, options: &WindowOptions) {
        let Settings { interface, window, canvas, playback, panels, recent, screenshots } = settings;
        interface.apply(&mut self.interface, options);
        self.place = window.place();
        canvas.apply(&mut self.overlays, &mut self.canvas, options);
        playback.apply(&mut self.playback.animator, options);
        self.panels = panels.shown;
        panels.apply(&mut self.sheet, &mut self.timeline, &mut self.mixer, &mut self.parts.side);
        recent.apply(&mut self.files.recent);
        self.screenshots = screenshots.folder();
    }
}
