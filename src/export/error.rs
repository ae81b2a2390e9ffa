//! Why nothing comes of an export.

use crate::error::Error;

/// Why pictures could not be made or written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The renderer gave up.
    #[error("the renderer stopped")]
    Render(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A file could not be written, or the limits do not allow what it would hold.
    #[error(transparent)]
    File(#[from] Error),
}
