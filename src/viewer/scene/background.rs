//! The background of the canvas.

use crate::export;

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
