//! Errors of an export: of the renderer, or of a file.

use crate::error::Error;

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
