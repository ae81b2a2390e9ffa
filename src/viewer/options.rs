//! Options of the window.

use std::path::PathBuf;

use crate::export::{self, Look, Subject};
use crate::formats::ReadOptions;

/// Options of the window. The default is an empty window.
#[derive(Debug, Clone)]
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
    /// Start in full screen.
    pub fullscreen: bool,
    /// Reload files when they change.
    pub watch: bool,
    /// Dark or light theme.
    pub theme: Theme,
    /// Scale of text and buttons relative to the system's.
    pub ui_scale: f32,
    /// The file in which settings are kept; `None`: they are neither read nor written.
    pub settings: Option<PathBuf>,
    /// The options that override kept settings even if they equal their defaults. Others always do.
    pub given: Given,
}

/// Options that were specified explicitly.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Given {
    /// [`WindowOptions::theme`].
    pub theme: bool,
    /// [`WindowOptions::ui_scale`].
    pub ui_scale: bool,
    /// The background of [`WindowOptions::look`].
    pub background: bool,
}

impl Default for WindowOptions {
    fn default() -> Self {
        Self {
            subject: Subject::default(),
            read: ReadOptions::default(),
            look: Look::default(),
            paused: false,
            compare: false,
            fullscreen: false,
            watch: true,
            theme: Theme::System,
            ui_scale: 1.0,
            settings: None,
            given: Given::default(),
        }
    }
}

/// The background of the canvas.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Background {
    /// Transparent: shown as a checkerboard, and left transparent in screenshots.
    #[default]
    Checker,
    /// An RGB colour.
    Color([u8; 3]),
}

impl From<export::Background> for Background {
    /// Transparent backgrounds of files are shown as a checkerboard.
    fn from(background: export::Background) -> Self {
        match background {
            export::Background::Transparent | export::Background::Checker(_) => Self::Checker,
            export::Background::Color([r, g, b, _]) => Self::Color([r, g, b]),
        }
    }
}

/// A theme.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Theme {
    /// The system's theme; dark if it has none.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}
