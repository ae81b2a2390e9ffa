//! Options of the window.

use std::path::PathBuf;

pub use egui::ThemePreference;

use crate::files::ReadScene;
use pchr::export::{Look, Subject};
use pchr::formats::ReadOptions;

/// Options of the window. The default is an empty window.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct WindowOptions {
    /// The files, in the order of the list; the first one is shown. Only the first animation and the first frame
    /// are used: the window opens with them, and is paused if a frame or a time is given. A time may lie between
    /// frames. `loops` is ignored.
    pub subject: Subject,
    /// How to read the files.
    pub read: ReadOptions,
    /// The look of the character. Size, fit and alpha only apply to files.
    pub look: Look,
    /// Start paused.
    pub paused: bool,
    /// Compare the first file with the second.
    pub compare: bool,
    /// Show all files on one stage.
    pub lineup: bool,
    /// Reads a scene with several characters and its files; `None`: scenes cannot be opened.
    pub read_scene: Option<ReadScene>,
    /// Start in full screen.
    pub fullscreen: bool,
    /// Do not reload files when they change.
    pub no_watch: bool,
    /// Dark or light theme; `None`: as kept in the settings, or else the system's.
    pub theme: Option<ThemePreference>,
    /// Scale of text and buttons relative to the system's; `None`: as kept in the settings, or else 1.
    pub ui_scale: Option<f32>,
    /// The background of [`Self::look`] overrides the kept one even if it is transparent; a colour always does.
    pub background_given: bool,
    /// The file in which settings are kept; `None`: they are neither read nor written.
    pub settings: Option<PathBuf>,
}
