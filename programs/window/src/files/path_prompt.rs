//! State of the field for a path, which replaces the file dialog on systems that have none.

use crate::widgets::actions::Request;

/// The path of a file that the user is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathPrompt {
    /// The dialog that it replaces.
    pub replaces: Request,
    /// What the user has typed.
    pub text: String,
    /// It was opened since it was last laid out.
    pub is_new: bool,
}

impl PathPrompt {
    /// Returns an empty field instead of the dialog that was requested.
    pub fn new(replaces: Request) -> Self {
        Self { replaces, text: String::new(), is_new: true }
    }

    /// Returns the heading.
    pub fn title(&self) -> &'static str {
        match self.replaces {
            Request::CompareDialog => "Compare with",
            Request::StageDialog => "Add to the stage",
            Request::UnderlayDialog => "Picture behind the character",
            Request::FolderDialog => "Open a folder of characters",
            Request::AtlasDialog => "Choose the atlas",
            Request::ScreenshotFolder => "Folder for screenshots",
            Request::OpenDialog
            | Request::SaveDialog
            | Request::ReadUnderlay(_)
            | Request::OpenFolder(_)
            | Request::CopyPicture
            | Request::Paste
            | Request::FullScreen
            | Request::Quit => "Open a file",
        }
    }
}
