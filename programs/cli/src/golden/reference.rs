//! Reading references, which may be missing or damaged.

use pchr::draw::Picture;
use pchr::error::with_sources;
use pchr::golden::{Frames, GoldenFrame};
use pchr::{Error, Result};

/// What was found in place of a reference.
pub enum Reference<T = GoldenFrame> {
    /// The reference.
    Found(T),
    /// Nothing.
    Missing,
    /// Something that cannot be read, and why.
    Unreadable(String),
}

impl<T> Reference<T> {
    /// Returns the result of reading a reference.
    pub fn of(read: Result<T>) -> Self {
        match read {
            Ok(found) => Self::Found(found),
            Err(error) if is_missing(&error) => Self::Missing,
            Err(error) => Self::Unreadable(with_sources(&error)),
        }
    }

    /// Returns the reference, if it was found.
    pub fn found(&self) -> Option<&T> {
        match self {
            Self::Found(found) => Some(found),
            Self::Missing | Self::Unreadable(_) => None,
        }
    }
}

impl Reference {
    /// Returns the picture, if it was found.
    pub fn picture(&self) -> Option<&Picture> {
        self.found().map(|frame| &frame.picture)
    }
}

impl Reference<Frames> {
    /// Returns the next frame. After one that cannot be read, all others cannot be read for the same reason.
    pub fn next(&mut self) -> Reference {
        let next = match self {
            Self::Found(frames) => frames.next(),
            Self::Missing => None,
            Self::Unreadable(message) => return Reference::Unreadable(message.clone()),
        };
        let next = next.map_or(Reference::Missing, Reference::of);
        if let Reference::Unreadable(message) = &next {
            *self = Self::Unreadable(message.clone());
        }
        next
    }
}

/// Returns true if a file does not exist.
pub fn is_missing(error: &Error) -> bool {
    matches!(error, Error::Io { source, .. } if source.kind() == std::io::ErrorKind::NotFound)
}
