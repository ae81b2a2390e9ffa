//! What is around the character: the picture behind it, its picture for the clipboard, and pasted paths.

use std::path::PathBuf;

use super::State;
use crate::draw::Picture;
use crate::error::Result;
use crate::viewer::pasted;
use crate::viewer::scene;
use crate::viewer::screenshot;
use crate::viewer::underlay::{Placement, Underlay};

/// Maximum length of a path in a message, in characters.
const MAX_NAMED: usize = 120;

impl State {
    /// Shows a picture that was read behind the character, or says why it could not be read.
    pub fn lay_under(&mut self, read: Result<Underlay>) {
        match read {
            Ok(underlay) => {
                let placement = Placement::amid(self.content());
                self.notify(format!("{} is shown behind the character", underlay.name));
                self.underlay = Some(Underlay { placement, ..underlay });
            }
            Err(error) => self.notify_error(format!("Cannot show the picture: {error}")),
        }
    }

    /// Returns the picture of the canvas with straight alpha, as it is saved and copied; `None` if there is no
    /// character.
    pub fn screenshot(&mut self) -> Option<Picture> {
        let scene = self.scene()?;
        Some(screenshot::straight(scene::picture(&scene, self.background)))
    }

    /// Opens the files whose paths are in `text`, one per line.
    pub fn open_pasted(&mut self, text: &str) {
        let paths = pasted::paths(text, std::env::home_dir().as_deref());
        let (files, missing): (Vec<PathBuf>, Vec<PathBuf>) = paths.into_iter().partition(|path| path.exists());
        match (files.len(), &missing[..]) {
            (0, []) => self.notify_error("There is no path in the clipboard"),
            (0, [path]) => {
                let name: String = path.to_string_lossy().chars().take(MAX_NAMED).collect();
                self.notify_error(format!("File not found: “{name}”"));
            }
            (0, _) => self.notify_error("None of the pasted lines is the path of an existing file"),
            (_, []) => self.open(files),
            (_, missing) => {
                self.open(files);
                let lines = if missing.len() == 1 { "line is" } else { "lines are" };
                self.notify_error(format!("{} pasted {lines} not the path of a file", missing.len()));
            }
        }
    }
}
