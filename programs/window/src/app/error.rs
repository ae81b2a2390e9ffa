//! Errors of the window.

use pchr::export::Backend;

/// The reason for which no window can be opened, with a remedy, or for which its settings cannot be saved.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ViewerError {
    /// Neither Wayland nor X11 can be reached.
    #[error(
        "there is no display: neither WAYLAND_DISPLAY nor DISPLAY points to a running server; \
         with `-o FILE.png` the same command renders without a window"
    )]
    NoDisplay,
    /// A system library that windows need is missing.
    #[cfg(all(unix, not(target_vendor = "apple"), not(target_os = "android")))]
    #[error("the library {library}, which windows need, is missing; install {install}")]
    MissingLibrary {
        /// File name of the library.
        library: &'static str,
        /// Packages that contain it.
        install: &'static str,
    },
    /// The window system refused to open a window.
    #[error("the window system cannot open a window")]
    Window(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The requested backend cannot draw here.
    #[error("the backend {backend:?} cannot draw here: {reason}; `--backend auto` selects one that can")]
    NoAdapter {
        /// The requested backend.
        backend: Backend,
        /// What is missing.
        reason: String,
    },
    /// The settings could not be saved when the window was closed.
    #[error("{0}")]
    Settings(String),
}
