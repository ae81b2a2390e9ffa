//! Messages to the user.

use std::path::PathBuf;

use super::State;
use pchr::error::escaped;

/// A temporary message to the user.
#[derive(Debug, Clone, PartialEq)]
pub struct Notice {
    /// The message.
    pub text: String,
    /// True for an error.
    pub is_error: bool,
    /// The file that it is about, whose folder can be shown.
    pub file: Option<PathBuf>,
    /// When it disappears, in egui's seconds; set when it is first shown.
    pub until: Option<f64>,
}

impl State {
    /// Shows a message to the user.
    pub fn notify(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice { text: escaped(&text.into()), is_error: false, file: None, until: None });
    }

    /// Tells the user that a file was saved.
    pub fn notify_file(&mut self, file: PathBuf) {
        let text = escaped(&format!("Saved {}", file.display()));
        self.notice = Some(Notice { text, is_error: false, file: Some(file), until: None });
    }

    /// Shows an error to the user.
    pub fn notify_error(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice { text: escaped(&text.into()), is_error: true, file: None, until: None });
    }
}
