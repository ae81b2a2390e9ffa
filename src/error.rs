//! What can go wrong, whose fault it is, and where.
//!
//! Every error that speaks of a file says the file, the path inside it in the format's own
//! words and the byte offset, then what was found and what would be right:
//! `hero.pchr: meshes[3].vertices[120].boneIds[2] (byte 18244): bone 57 does not exist, the skeleton has 24`.

use std::fmt;
use std::io;

/// The result of anything in this crate that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Everything that can go wrong in this crate, by whose fault it is.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system could not read or write.
    #[error("{place}{source}")]
    Io {
        /// The file that was being read or written.
        place: Box<Place>,
        /// What the operating system said.
        source: io::Error,
    },
    /// The bytes break the rules of their format.
    #[error("{0}")]
    Malformed(Box<Fault>),
    /// The bytes may be fine, but this crate does not read them.
    #[error("{0}")]
    Unsupported(Box<Fault>),
    /// The bytes ask for more than [`Limits`](crate::limits::Limits) allow.
    #[error("{0}")]
    LimitExceeded(Box<Excess>),
    /// The caller asked for something that makes no sense.
    #[error("{0}")]
    Misuse(Box<Fault>),
}

impl Error {
    /// An operating system error about `file`.
    pub fn io(file: impl fmt::Display, source: io::Error) -> Self {
        Self::Io { place: Box::new(Place::file(file)), source }
    }

    /// Bytes that break a rule. `code` is stable, `message` says what was found and what would be right.
    pub fn malformed(code: &'static str, place: Place, message: impl Into<String>) -> Self {
        Self::Malformed(Box::new(Fault { code, place, message: message.into() }))
    }

    /// Bytes of a kind that this crate does not read.
    pub fn unsupported(code: &'static str, place: Place, message: impl Into<String>) -> Self {
        Self::Unsupported(Box::new(Fault { code, place, message: message.into() }))
    }

    /// A mistake of the caller.
    pub fn misuse(code: &'static str, message: impl Into<String>) -> Self {
        Self::Misuse(Box::new(Fault { code, place: Place::default(), message: message.into() }))
    }

    /// The stable code of this error, such as `bone-out-of-range`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Io { .. } => "io",
            Self::Malformed(fault) | Self::Unsupported(fault) | Self::Misuse(fault) => fault.code,
            Self::LimitExceeded(_) => "limit-exceeded",
        }
    }

    /// Where the error was found; `None` for [`Error::Misuse`].
    pub fn place(&self) -> Option<&Place> {
        match self {
            Self::Io { place, .. } => Some(place),
            Self::Malformed(fault) | Self::Unsupported(fault) => Some(&fault.place),
            Self::LimitExceeded(excess) => Some(&excess.place),
            Self::Misuse(_) => None,
        }
    }

    /// The same error with more to say, where it has a message of its own.
    #[must_use]
    pub fn with_hint(mut self, hint: &str) -> Self {
        match &mut self {
            Self::Malformed(fault) | Self::Unsupported(fault) | Self::Misuse(fault) => {
                fault.message.push_str(hint)
            }
            Self::Io { .. } | Self::LimitExceeded(_) => {}
        }
        self
    }

    /// The same error, told of the file named `file` unless it names one already.
    #[must_use]
    pub fn in_file(mut self, file: impl fmt::Display) -> Self {
        let place = match &mut self {
            Self::Io { place, .. } => place,
            Self::Malformed(fault) | Self::Unsupported(fault) => &mut fault.place,
            Self::LimitExceeded(excess) => &mut excess.place,
            Self::Misuse(_) => return self,
        };
        place.file.get_or_insert_with(|| file.to_string());
        self
    }
}

/// One broken rule: where, and what would be right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Stable name of the rule.
    pub code: &'static str,
    /// Where it was broken.
    pub place: Place,
    /// What was found and what would be right.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.place, self.message)
    }
}

/// A limit and what asked for more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excess {
    /// Where in the file the amount stands.
    pub place: Place,
    /// The name of the limit, as `--limit NAME=VALUE` takes it.
    pub limit: &'static str,
    /// What the file asks for, together with what it was given before.
    pub asked: u64,
    /// What the limit allows.
    pub allowed: u64,
}

impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, limit, asked, allowed } = self;
        write!(f, "{place}the limit `{limit}` allows {allowed}, up to here {asked} are needed")
    }
}

/// A place in a file. Displayed as a prefix that ends in `: `, or as nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    /// The file, as the user named it.
    pub file: Option<String>,
    /// The path inside the file in the format's own words, such as `meshes[3].indices[7]`.
    pub path: String,
    /// Byte offset from the start of the file.
    pub offset: Option<u64>,
}

impl Place {
    /// A path at a byte offset; the file's name is added where it is known.
    pub fn at(path: impl Into<String>, offset: u64) -> Self {
        Self { file: None, path: path.into(), offset: Some(offset) }
    }

    /// A whole file.
    pub fn file(file: impl fmt::Display) -> Self {
        Self { file: Some(file.to_string()), ..Self::default() }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}: ")?;
        }
        match (self.path.as_str(), self.offset) {
            ("", None) => Ok(()),
            ("", Some(offset)) => write!(f, "byte {offset}: "),
            (path, None) => write!(f, "{path}: "),
            (path, Some(offset)) => write!(f, "{path} (byte {offset}): "),
        }
    }
}

/// Whether a terminal or a label would obey this instead of showing it.
pub(crate) fn is_obeyed(c: char) -> bool {
    let is_invisible = matches!(c, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{feff}');
    c.is_control() || is_invisible || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Nobody reads more of a name than so many bytes.
const MAX_SHOWN: usize = 1000;

/// Text from files and paths without what a terminal or a label would obey: control characters and
/// those that turn lines or reading direction are written as escapes. Of a very long text the beginning.
pub fn shown(text: &str) -> String {
    let mut shown = String::with_capacity(text.len().min(MAX_SHOWN));
    for (at, c) in text.char_indices() {
        if at >= MAX_SHOWN {
            shown.push('…');
            break;
        }
        if is_obeyed(c) { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_names_file_path_offset_and_message() {
        let place = Place::at("meshes[3].vertices[120].boneIds[2]", 18244);
        let error = Error::malformed("bone-out-of-range", place, "bone 57 does not exist, the skeleton has 24");
        assert_eq!(
            error.in_file("hero.pchr").to_string(),
            "hero.pchr: meshes[3].vertices[120].boneIds[2] (byte 18244): bone 57 does not exist, the skeleton has 24"
        );
    }

    #[test]
    fn what_is_shown_is_harmless_and_no_longer_than_anyone_reads() {
        assert_eq!(shown("a\u{9b}31m\u{202e}é"), "a\\u{9b}31m\\u{202e}é");
        let long = shown(&"é".repeat(600_000));
        assert!(long.ends_with("é…") && long.len() < MAX_SHOWN + 8);
    }

    #[test]
    fn the_first_file_named_stays() {
        let error = Error::malformed("x", Place::file("atlas.png"), "broken").in_file("hero.json");
        assert_eq!(error.to_string(), "atlas.png: broken");
    }
}
