//! What the window is opened with.

use crate::export::{self, Look, Subject};
use crate::formats::ReadOptions;

/// What the window is opened with. The default is an empty window.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct WindowOptions {
    /// The files, in the order of the list; the first is shown. Of the animations the first one is shown, of the frames it
    /// begins at the first, paused, and at a time paused and between frames. A window plays on by itself, so that it does
    /// not look at `loops`.
    pub subject: Subject,
    /// How to read the files.
    pub read: ReadOptions,
    /// How the character looks. Size, part of the world and alpha are those of files.
    pub look: Look,
    /// Do not play.
    pub paused: bool,
    /// Fill the screen.
    pub fullscreen: bool,
    /// Read a file again when it changes.
    pub watch: bool,
    /// Dark or light.
    pub theme: Theme,
    /// How much larger than the system's size text and buttons are.
    pub ui_scale: f32,
}

impl Default for WindowOptions {
    fn default() -> Self {
        Self {
            subject: Subject::default(),
            read: ReadOptions::default(),
            look: Look::default(),
            paused: false,
            fullscreen: false,
            watch: true,
            theme: Theme::System,
            ui_scale: 1.0,
        }
    }
}

/// What is behind the character.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Background {
    /// Nothing: squares show where nothing is, and screenshots are transparent there.
    #[default]
    Checker,
    /// A colour, red, green, blue.
    Color([u8; 3]),
}

impl From<export::Background> for Background {
    /// What is transparent in a file shows squares in a window.
    fn from(background: export::Background) -> Self {
        match background {
            export::Background::Transparent | export::Background::Checker(_) => Self::Checker,
            export::Background::Color([r, g, b, _]) => Self::Color([r, g, b]),
        }
    }
}

/// Dark or light.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Theme {
    /// What the system says, dark when it says nothing.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}
