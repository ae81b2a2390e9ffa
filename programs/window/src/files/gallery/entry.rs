//! A file of the gallery.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use egui::{ColorImage, TextureHandle};

use crate::base::name;
use crate::base::name::many;

/// A file of the gallery, with what is known about it so far.
#[derive(Debug)]
pub struct Entry {
    /// Its path.
    pub path: Arc<Path>,
    /// Its name for display.
    pub name: String,
    /// Its folder for display, relative to the opened one; empty for the files in that folder.
    pub folder: String,
    /// When it was changed.
    pub modified: Option<SystemTime>,
    /// Facts found while reading it.
    pub facts: Option<Facts>,
    /// Its picture.
    pub thumbnail: Thumbnail,
    /// It is made again while the old one is shown.
    pub is_expired: bool,
    /// How often the file has changed.
    pub changes: u32,
}

/// Facts found while reading a file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Facts {
    /// The name of its format; empty if unknown.
    pub format: String,
    /// The number of errors in parts of animations, which are left out.
    pub errors: usize,
    /// The number of warnings.
    pub warnings: usize,
    /// Why it cannot be read or shown.
    pub error: Option<String>,
}

/// The picture of a file, on its way to the screen.
#[derive(Debug, Default)]
pub enum Thumbnail {
    /// It is made once it is visible: it was not yet, or was dropped because it has not been visible for long.
    #[default]
    Wanted,
    /// Its pixels are there.
    Decoded(ColorImage),
    /// It is a texture, which was last visible in this frame.
    Uploaded(Texture, u64),
    /// There is nothing to show.
    Unavailable,
}

/// A texture of the window, which is freed when it is dropped.
#[derive(Clone)]
pub struct Texture(pub TextureHandle);

impl fmt::Debug for Texture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0.id())
    }
}

impl Facts {
    /// Returns what was found, such as `1 error`; `None` if nothing is wrong.
    pub fn found(&self) -> Option<String> {
        match self {
            Self { error: Some(_), .. } => Some("error".to_owned()),
            Self { errors: 0, warnings: 0, .. } => None,
            Self { errors: 0, warnings, .. } => Some(many(*warnings, "warning")),
            Self { errors, .. } => Some(many(*errors, "error")),
        }
    }
}

impl Entry {
    /// Notes that the file has changed, so that the picture is made again.
    pub fn expire(&mut self) {
        self.is_expired = true;
        self.changes += 1;
    }

    /// Creates an entry for a file that was found in `root`.
    pub fn new(path: &Path, root: &Path) -> Self {
        let below = path.strip_prefix(root).ok().and_then(Path::parent).unwrap_or(Path::new(""));
        Self {
            name: name::file(path),
            folder: name::path(below),
            path: path.into(),
            modified: None,
            facts: None,
            thumbnail: Thumbnail::Wanted,
            is_expired: false,
            changes: 0,
        }
    }

    /// Describes it for screen readers.
    pub fn describe(&self) -> String {
        let mut text = self.name.clone();
        let Some(facts) = &self.facts else { return text };
        if !facts.format.is_empty() {
            text.push_str(&format!(", {}", facts.format));
        }
        match (&facts.error, facts.found()) {
            (Some(error), _) => text.push_str(&format!(", cannot be shown: {error}")),
            (None, Some(found)) => text.push_str(&format!(", {found}")),
            (None, None) => {}
        }
        text
    }
}
