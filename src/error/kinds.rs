//! The kinds of errors: who is at fault.

use std::fmt;
use std::io;

use super::{Excess, Fault, Place, escaped};

/// The result of a fallible operation of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The errors of this crate, by who is at fault.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system could not read or write.
    #[error("{place}{}", escaped(&source.to_string()))]
    Io {
        /// The file that was being read or written.
        place: Box<Place>,
        /// The operating system's error.
        source: io::Error,
    },
    /// The file breaks a rule of its format.
    #[error("{0}")]
    Malformed(Box<Fault>),
    /// The file may be valid, but this crate does not support it.
    #[error("{0}")]
    Unsupported(Box<Fault>),
    /// The file exceeds one of the [`Limits`](crate::limits::Limits).
    #[error("{0}")]
    LimitExceeded(Box<Excess>),
    /// The caller passed an invalid argument.
    #[error("{0}")]
    Misuse(Box<Fault>),
    /// The caller cancelled reading with [`Progress::cancel`](crate::progress::Progress::cancel).
    #[error("reading was cancelled")]
    Cancelled,
}

impl Error {
    /// Creates an error of the operating system about `file`.
    pub fn io(file: impl fmt::Display, source: io::Error) -> Self {
        Self::Io { place: Box::new(Place::file(file)), source }
    }

    /// Creates an error for a file that breaks a rule. `code` is stable; `message` says what was found and what
    /// would be right.
    pub fn malformed(code: &'static str, place: Place, message: impl Into<String>) -> Self {
        Self::Malformed(Box::new(Fault { code, place, message: message.into() }))
    }

    /// Creates an error for a file that this crate does not support.
    pub fn unsupported(code: &'static str, place: Place, message: impl Into<String>) -> Self {
        Self::Unsupported(Box::new(Fault { code, place, message: message.into() }))
    }

    /// Creates an error for a mistake of the caller.
    pub fn misuse(code: &'static str, message: impl Into<String>) -> Self {
        Self::Misuse(Box::new(Fault { code, place: Place::default(), message: message.into() }))
    }

    /// Returns the stable code of this error, such as `bone-out-of-range`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Io { .. } => "io",
            Self::Malformed(fault) | Self::Unsupported(fault) | Self::Misuse(fault) => fault.code,
            Self::LimitExceeded(_) => "limit-exceeded",
            Self::Cancelled => "cancelled",
        }
    }

    /// Returns the place of the error; `None` for [`Error::Misuse`] and [`Error::Cancelled`].
    pub fn place(&self) -> Option<&Place> {
        match self {
            Self::Io { place, .. } => Some(place),
            Self::Malformed(fault) | Self::Unsupported(fault) => Some(&fault.place),
            Self::LimitExceeded(excess) => Some(&excess.place),
            Self::Misuse(_) | Self::Cancelled => None,
        }
    }

    /// Appends `hint` to the message, if the variant has one.
    #[must_use]
    pub fn with_hint(mut self, hint: &str) -> Self {
        match &mut self {
            Self::Malformed(fault) | Self::Unsupported(fault) | Self::Misuse(fault) => {
                fault.message.push_str(hint)
            }
            Self::Io { .. } | Self::LimitExceeded(_) | Self::Cancelled => {}
        }
        self
    }

    /// Sets the file of the error, unless it already has one.
    #[must_use]
    pub fn in_file(mut self, file: impl fmt::Display) -> Self {
        if let Some(place) = self.place_mut() {
            place.file.get_or_insert_with(|| file.to_string());
        }
        self
    }

    /// Sets the byte offset of the error from its JSON pointer, unless it already has one.
    #[cfg(feature = "spine")]
    #[must_use]
    pub(crate) fn located(mut self, offset_of: impl FnOnce(&str) -> Option<u64>) -> Self {
        if let Some(place) = self.place_mut()
            && let Some(pointer) = place.unlocated()
        {
            place.offset = offset_of(pointer);
        }
        self
    }

    /// Returns the place inside the file; `None` for errors that have none.
    #[cfg(any(feature = "aseprite", feature = "skelform"))]
    pub(crate) fn place_inside_mut(&mut self) -> Option<&mut Place> {
        if matches!(self, Self::Io { .. }) { None } else { self.place_mut() }
    }

    fn place_mut(&mut self) -> Option<&mut Place> {
        match self {
            Self::Io { place, .. } => Some(place),
            Self::Malformed(fault) | Self::Unsupported(fault) => Some(&mut fault.place),
            Self::LimitExceeded(excess) => Some(&mut excess.place),
            Self::Misuse(_) | Self::Cancelled => None,
        }
    }
}
