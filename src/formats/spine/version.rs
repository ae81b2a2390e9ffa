//! The Spine version of a file.
//!
//! A stated version is trusted unless the keys of the file contradict it, see `evidence`. A file without one is read
//! as 3.8 unless its keys say otherwise.

use std::fmt;

use super::binary::Layout;

/// The version that a file was exported for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Version {
    /// 2.0 and 2.1, by minor version.
    Two(u32),
    /// 3.0 to 3.8, by minor version.
    Three(u32),
    /// 4.0 to 4.3, by minor version.
    Four(u32),
    /// No version is stated, or one that was never released.
    #[default]
    Unknown,
}

/// The oldest version 3 that differs from 3.8 only in its skins and curves.
const SAME_FORM: u32 = 6;

impl Version {
    /// Parses `skeleton.spine`; `None` for an unsupported version. Only the first two numbers count, so
    /// `3.8-from-4.0.64` is 3.8.
    pub fn parse(text: &str) -> Option<Self> {
        let (major, rest) = leading_number(text.trim());
        let minor = rest.strip_prefix('.').and_then(|rest| leading_number(rest).0);
        match (major, minor) {
            (None | Some(0), _) | (Some(3), None) => Some(Self::Unknown),
            (Some(2), Some(minor @ 0..=1)) => Some(Self::Two(minor)),
            (Some(3), Some(minor @ 0..=8)) => Some(Self::Three(minor)),
            (Some(4), Some(minor @ 0..=3)) => Some(Self::Four(minor)),
            _ => None,
        }
    }

    /// Returns true if the version predates 3.6, so that names and forms may have to be converted.
    pub fn is_old(self) -> bool {
        matches!(self, Self::Two(_) | Self::Three(..SAME_FORM))
    }

    /// Returns true for versions of which no program and no file was at hand. They are read and played as the next one.
    pub fn is_unproven(self) -> bool {
        matches!(self, Self::Two(0) | Self::Three(0 | 3))
    }

    /// Returns true before 3.5, which brought modes of inheritance and the order of constraints.
    pub fn is_early(self) -> bool {
        matches!(self, Self::Two(_) | Self::Three(..=4))
    }

    /// Returns true for 4.0 and later.
    pub fn is_four(self) -> bool {
        matches!(self, Self::Four(_))
    }

    /// The note for a file that states `text`; `None` if nothing about it is odd.
    pub fn remark(self, text: &str) -> Option<String> {
        match self {
            Self::Unknown => None,
            version if version.is_unproven() => {
                Some(format!("this file is from Spine {text}; it is played as {}", Layout::played(self)))
            }
            Self::Two(_) | Self::Three(_) | Self::Four(_) if text.contains("-from-") => {
                Some(format!("`{text}`: a newer Spine exported this file for {self}; it is read as {self}"))
            }
            Self::Two(_) | Self::Three(_) | Self::Four(_) => None,
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Two(minor) => write!(f, "2.{minor}"),
            Self::Three(minor) => write!(f, "3.{minor}"),
            Self::Four(minor) => write!(f, "4.{minor}"),
            Self::Unknown => f.write_str("3.8"),
        }
    }
}

/// How a file of unknown version is read.
pub const READ_AS_3_8: &str = "it is read as 3.8, since no key belongs to another version";

/// The leading digits of `text`, and the rest.
fn leading_number(text: &str) -> (Option<u32>, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    (text[..end].parse().ok(), &text[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_two_numbers_count() {
        for (text, version) in [
            ("3.8.75", Some(Version::Three(8))),
            ("3.8", Some(Version::Three(8))),
            ("3.8-from-4.0.64", Some(Version::Three(8))),
            ("3.8.99-from-4.1.20", Some(Version::Three(8))),
            ("3.7.94-beta", Some(Version::Three(7))),
            ("3.0.10", Some(Version::Three(0))),
            ("Dev", Some(Version::Unknown)),
            ("0.0.00", Some(Version::Unknown)),
            ("", Some(Version::Unknown)),
            ("3", Some(Version::Unknown)),
            ("2.1.27", Some(Version::Two(1))),
            ("1.9", None),
            ("3.9.02", None),
            ("4.0-from-4.1.20", Some(Version::Four(0))),
            ("4.2.43", Some(Version::Four(2))),
            ("4.3.01", Some(Version::Four(3))),
            ("4.4.01", None),
            ("4", None),
            ("99999999999", Some(Version::Unknown)),
        ] {
            assert_eq!(Version::parse(text), version, "{text}");
        }
    }

    #[test]
    fn plain_versions_need_no_note() {
        let note = |text: &str| Version::parse(text).and_then(|version| version.remark(text)).unwrap_or_default();
        assert_eq!(note("3.8.99") + &note("3.6.53") + &note("3.7.94-beta"), "");
        assert!(note("3.8-from-4.0.64").contains("for 3.8"));
        assert!(note("4.1-from-4.2.43").contains("for 4.1"));
        assert_eq!(note("2.1.27") + &note("3.5.51"), "");
        assert!(note("3.3.07").contains("played as 3.4") && note("3.0.10").contains("played as 3.1"));
    }
}
