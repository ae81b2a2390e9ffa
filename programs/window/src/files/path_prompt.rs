//! State of the field for a path, which replaces the file dialog on systems that have none.

use crate::widgets::actions::Dialog;

/// The path of a file that the user is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathPrompt {
    /// The dialog that it replaces.
    pub replaces: Dialog,
    /// What the user has typed.
    pub text: String,
    /// A file exists at the path: the user replaces it, or types another path.
    pub is_taken: bool,
    /// It was opened since it was last laid out.
    pub is_new: bool,
}

impl PathPrompt {
    /// Returns an empty field instead of the dialog that was requested.
    pub fn new(replaces: Dialog) -> Self {
        Self { replaces, text: String::new(), is_taken: false, is_new: true }
    }

    /// Returns the heading.
    pub fn title(&self) -> &'static str {
        if self.replaces == Dialog::Open { "Open a file" } else { self.replaces.title() }
    }
}
