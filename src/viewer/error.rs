//! Why there is no window.

use crate::export::Backend;

/// Why there is no window, and what would help.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ViewerError {
    /// Neither Wayland nor X11 can be reached.
    #[error(
        "there is no display to open a window on: neither WAYLAND_DISPLAY nor DISPLAY leads to one; \
         with `-o FILE.png` the same command renders without a window"
    )]
    NoDisplay,
    /// A system library that opens windows is missing.
    #[error("the library {library} is missing, windows need it; install it: {install}")]
    MissingLibrary {
        /// The file's name.
        library: &'static str,
        /// The packages that have it.
        install: &'static str,
    },
    /// The window system said no.
    #[error("the window system cannot open a window")]
    Window(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The backend that was asked for draws nothing here.
    #[error("{backend:?} was asked for and cannot draw here: {reason}; `--backend auto` takes what there is")]
    NoAdapter {
        /// What was asked for.
        backend: Backend,
        /// What is missing.
        reason: String,
    },
}
