//! The layouts of documents and their binary form. Each has all that an older one has.

use std::fmt;

use crate::formats::spine::schema::KINDS;
use crate::formats::spine::version::Version;
use crate::model::ConstraintKind;
use crate::motion::spine::Rules;
use crate::rows::rows;

/// The properties of a layout.
pub struct Row {
    version: Version,
    /// The rules by which it is played.
    pub rules: Rules,
    /// The version that a written file states: 3.8 for the older layouts, which are not written.
    #[cfg_attr(not(feature = "convert"), expect(dead_code, reason = "only written"))]
    pub release: &'static str,
}

const fn row(version: Version, rules: Rules, release: &'static str) -> Row {
    Row { version, rules, release }
}

rows! {
    /// A layout; it is named after the version that introduced it, and ordered by age.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Layout: pub Row {
        V2_1 => row(Version::Two(1), Rules::V2_1, "3.8.99"),
        V3_1 => row(Version::Three(1), Rules::V3_1, "3.8.99"),
        V3_2 => row(Version::Three(2), Rules::V3_2, "3.8.99"),
        V3_4 => row(Version::Three(4), Rules::V3_4, "3.8.99"),
        V3_5 => row(Version::Three(5), Rules::V3_5, "3.8.99"),
        V3_6 => row(Version::Three(6), Rules::V3_6, "3.8.99"),
        V3_7 => row(Version::Three(7), Rules::V3_7, "3.8.99"),
        V3_8 => row(Version::Three(8), Rules::V3_8, "3.8.99"),
        V4_0 => row(Version::Four(0), Rules::V4_0, "4.0.64"),
        V4_1 => row(Version::Four(1), Rules::V4_1, "4.1.24"),
        V4_2 => row(Version::Four(2), Rules::V4_2, "4.2.43"),
        V4_3 => row(Version::Four(3), Rules::V4_3, "4.3.00"),
    }
}

impl Layout {
    pub const OLDEST: Self = Self::V2_1;

    pub const NEWEST: Self = Self::V4_3;

    /// Returns the layout of a version, or `None` if it is not supported. 2.0, 3.0 and 3.3 are read as the version after
    /// them.
    pub fn of(version: Version) -> Option<Self> {
        match version {
            Version::Two(0) => Some(Self::V2_1),
            Version::Three(0) => Some(Self::V3_1),
            Version::Three(3) => Some(Self::V3_4),
            version => Self::ALL.into_iter().find(|layout| layout.version() == version),
        }
    }

    /// Returns the layout in which a document of a version is written: there is none before 3.8.
    #[cfg(feature = "convert")]
    pub fn written(version: Version) -> Option<Self> {
        Self::of(version).filter(|layout| layout.has_shared_strings())
    }

    /// Returns the layout of the version by whose rules a file of `version` is played: 3.8 for one that states no version.
    pub fn played(version: Version) -> Self {
        Self::of(version).unwrap_or(Self::V3_8)
    }

    /// Returns the version by whose rules such a file is played.
    pub fn version(self) -> Version {
        self.row().version
    }

    /// Returns true for 2.1, which mirrors bones.
    pub fn has_flips(self) -> bool {
        self == Self::V2_1
    }

    /// Returns true for 3.2 and later, which have shear, and state rotations first.
    pub fn has_shear(self) -> bool {
        self >= Self::V3_2
    }

    /// Returns true for 3.3 and later, which have paths, and weights in all shapes.
    pub fn has_paths(self) -> bool {
        self >= Self::V3_4
    }

    /// Returns true for 3.5 and later, which order constraints and have modes of inheritance.
    pub fn has_orders(self) -> bool {
        self >= Self::V3_5
    }

    /// Returns true for 3.6 and later, which have dark colours and clipping.
    pub fn has_clipping(self) -> bool {
        self >= Self::V3_6
    }

    /// Returns true for 3.7 and later, which have audio and stretching IK.
    pub fn has_audio(self) -> bool {
        self >= Self::V3_7
    }

    /// Returns true for 3.8 and later, which share strings and in which bones and constraints may need a skin.
    pub fn has_shared_strings(self) -> bool {
        self >= Self::V3_8
    }

    /// Returns true for 4.0 and later.
    pub fn is_four(self) -> bool {
        self >= Self::V4_0
    }

    /// Returns true for 4.2 and later, which pack switches into flags.
    pub fn has_flags(self) -> bool {
        self >= Self::V4_2
    }

    /// Returns true for 4.3 and later, which list constraints of all kinds together.
    pub fn has_one_list(self) -> bool {
        self >= Self::V4_3
    }

    /// The kinds of constraints that its binary form has, in order.
    pub fn binary_kinds(self) -> impl Iterator<Item = ConstraintKind> {
        KINDS.iter().copied().filter(move |kind| kind.row().since <= self)
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
