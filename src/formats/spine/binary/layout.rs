//! The layouts of binary skeletons.

use std::fmt;

use crate::formats::spine::version::Version;

/// A layout; it is named after the version that introduced it, and ordered by age.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layout {
    V3_8,
    V4_0,
    V4_1,
    V4_2,
}

impl Layout {
    /// All layouts, oldest first.
    pub const ALL: [Self; 4] = [Self::V3_8, Self::V4_0, Self::V4_1, Self::V4_2];

    /// Returns the layout of a version, or `None` if it is not supported.
    pub fn of(version: Version) -> Option<Self> {
        match version {
            Version::Three(8) => Some(Self::V3_8),
            Version::Four(0) => Some(Self::V4_0),
            Version::Four(1) => Some(Self::V4_1),
            Version::Four(2) => Some(Self::V4_2),
            Version::Three(_) | Version::Four(_) | Version::Unknown => None,
        }
    }

    /// Returns the version by whose rules such a file is played.
    pub fn version(self) -> Version {
        match self {
            Self::V3_8 => Version::Three(8),
            Self::V4_0 => Version::Four(0),
            Self::V4_1 => Version::Four(1),
            Self::V4_2 => Version::Four(2),
        }
    }

    /// Returns true for 4.0 and later.
    pub fn is_four(self) -> bool {
        self >= Self::V4_0
    }

    /// Returns true for 4.2, which packs switches into flags.
    pub fn has_flags(self) -> bool {
        self >= Self::V4_2
    }

    /// Returns true if attachments can have sequences: 4.1 and later.
    pub fn has_sequences(self) -> bool {
        self >= Self::V4_1
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.version().fmt(f)
    }
}
