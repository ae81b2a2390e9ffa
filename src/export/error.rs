//! Errors of an export: of the renderer, of a file, or of the text of an option.

use crate::Error;

/// An error while rendering or writing pictures.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The renderer failed.
    #[error("rendering failed")]
    Render(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A file could not be written, or its contents would exceed the limits.
    #[error(transparent)]
    File(#[from] Error),
}

/// A text that is not a valid value of an option, such as of a [`FrameSpec`](super::FrameSpec).
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ParseError(pub(super) String);
