//! Errors, classified by who is at fault.
//!
//! An error about a file names the file, the path inside it in the format's own terms and the byte offset,
//! then what was found and what would be right:
//! `hero.pchr: meshes[3].vertices[120].boneIds[2] (byte 18244): bone 57 does not exist, the skeleton has 24`.
//!
//! Fields contain raw names and messages. `Display` escapes and truncates them with [`escaped`], so any error about
//! any file is safe to print to a log or a terminal.
//!
//! [`Error`] itself is at the root of the crate; this module has its parts.

pub(crate) mod kinds;

use std::fmt;

pub(crate) use kinds::{Error, Result};

/// A broken rule, with its place and an explanation.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    /// Stable name of the rule.
    pub code: &'static str,
    /// Where the rule is broken.
    pub place: Place,
    /// What was found and what was expected.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.place, escaped(&self.message))
    }
}

/// An exceeded limit.
#[derive(Debug, Clone)]
pub struct Excess {
    /// Where in the file the amount is declared.
    pub place: Place,
    /// The name of the limit, as in `--limit NAME=VALUE`.
    pub limit: &'static str,
    /// The total amount needed, including what was charged before.
    pub asked: u64,
    /// The value of the limit.
    pub allowed: u64,
}

impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, limit, asked, allowed } = self;
        write!(f, "{place}limit `{limit}` exceeded: at least {asked} needed, {allowed} allowed")
    }
}

/// A place in a file. Its `Display` output is a prefix that ends in `: `, or empty.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Place {
    /// The file, as the user named it.
    pub file: Option<String>,
    /// The path inside the file in the format's own terms, such as `meshes[3].indices[7]`.
    pub path: String,
    /// Byte offset from the start of the file.
    pub offset: Option<u64>,
}

impl Place {
    /// Creates a place from a path and a byte offset. The file is set later, by [`Error::in_file`].
    pub fn at(path: impl Into<String>, offset: u64) -> Self {
        Self { file: None, path: path.into(), offset: Some(offset) }
    }

    /// Creates a place from a path.
    pub(crate) fn inside(path: impl Into<String>) -> Self {
        Self { path: path.into(), ..Self::default() }
    }

    /// The JSON pointer of a place that has no byte offset.
    #[cfg(feature = "spine")]
    pub(crate) fn unlocated(&self) -> Option<&str> {
        let is_pointer = self.file.is_none() && self.offset.is_none() && self.path.starts_with('/');
        // Readers append the name of an invalid image to the pointer.
        is_pointer.then(|| self.path.split(" (`").next().unwrap_or_default())
    }

    /// Creates a place for a whole file.
    pub fn file(file: impl fmt::Display) -> Self {
        Self { file: Some(file.to_string()), ..Self::default() }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{}: ", escaped(file))?;
        }
        match (self.path.as_str(), self.offset) {
            ("", None) => Ok(()),
            ("", Some(offset)) => write!(f, "byte {offset}: "),
            (path, None) => write!(f, "{}: ", escaped(path)),
            (path, Some(offset)) => write!(f, "{} (byte {offset}): ", escaped(path)),
        }
    }
}

/// Returns true if a terminal or a label would interpret `c` instead of displaying it.
pub fn needs_escape(c: char) -> bool {
    let is_invisible = matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{feff}');
    let is_format = matches!(c, '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fff9}'..='\u{fffb}');
    let is_no_character = u32::from(c) & 0xfffe == 0xfffe;
    c.is_control() || is_invisible || is_format || is_no_character
}

/// Maximum length of a displayed text, in bytes. Longer texts are truncated in the middle.
const MAX_ESCAPED: usize = 1000;
/// Length of the displayed start of a truncated text, in bytes.
const ESCAPED_HEAD: usize = 680;
/// Length of the displayed end of a truncated text, in bytes.
const SHOWN_TAIL: usize = 280;

/// Makes text from files and paths safe to print. Escapes control characters and characters that break lines, are
/// invisible or change the reading direction. Truncates the text in the middle if it exceeds 1000 bytes.
///
/// The function is idempotent.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len().min(MAX_ESCAPED));
    let mut head = 0;
    for c in text.chars() {
        push_escaped(&mut escaped, c);
        if escaped.len() <= ESCAPED_HEAD {
            head = escaped.len();
        }
        if escaped.len() > MAX_ESCAPED {
            escaped.truncate(head);
            escaped.push('…');
            escaped.push_str(&escaped_tail(text));
            break;
        }
    }
    escaped
}

/// Lists the first `most` names, and says how many there are besides: `a, b and 3 more`.
pub fn and_more(names: &[impl AsRef<str>], most: usize) -> String {
    let listed = names.iter().take(most).map(AsRef::as_ref).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(most) {
        0 => listed,
        more => format!("{listed} and {more} more"),
    }
}

/// Returns the messages of `error` and its sources on one line.
pub fn with_sources(error: &(dyn std::error::Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        // Errors that wrap an I/O error already include its text.
        let cause_text = cause.to_string();
        if !text.ends_with(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        source = cause.source();
    }
    text
}

fn escaped_tail(text: &str) -> String {
    let mut tail = String::new();
    let mut start = text.len();
    for (at, c) in text.char_indices().rev() {
        push_escaped(&mut tail, c);
        if tail.len() > SHOWN_TAIL {
            break;
        }
        start = at;
    }
    tail.clear();
    text[start..].chars().for_each(|c| push_escaped(&mut tail, c));
    tail
}

fn push_escaped(escaped: &mut String, c: char) {
    if needs_escape(c) { escaped.extend(c.escape_default()) } else { escaped.push(c) }
}

#[cfg(test)]
mod tests {
    use std::io;

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
    fn text_is_escaped_and_truncated() {
        assert_eq!(escaped("a\u{9b}31m\u{202e}é"), "a\\u{9b}31m\\u{202e}é");
        let long = escaped(&format!("bone `{}` is its own parent", "é".repeat(600_000)));
        assert!(long.starts_with("bone `éé") && long.ends_with("éé` is its own parent"), "{long}");
        assert!(long.contains("é…é") && long.len() <= MAX_ESCAPED, "{} bytes", long.len());
        assert_eq!(escaped(&"x".repeat(MAX_ESCAPED)), "x".repeat(MAX_ESCAPED));
    }

    #[test]
    fn escaping_is_idempotent() {
        for unit in ["\u{1b}[31m", "\u{10fffe}é", "\u{202e}", "x\n", "\\u{1b}"] {
            for count in [1, 90, 99, 100, 101, 166, 167, 250, 333, 334, 5000] {
                let once = escaped(&unit.repeat(count));
                assert!(once.len() <= MAX_ESCAPED, "{unit:?} × {count}: {} bytes", once.len());
                assert!(!once.contains(needs_escape), "{unit:?} × {count}");
                assert_eq!(escaped(&once), once, "{unit:?} × {count}");
            }
        }
    }

    #[test]
    fn every_part_of_an_error_is_escaped() {
        let bad = "\u{1b}]0;gotcha\u{7}\u{9b}31m\u{202e}\n";
        let place = || Place { file: Some(bad.repeat(5000)), path: bad.repeat(5000), offset: Some(7) };
        let excess = Excess { place: place(), limit: "pixels", asked: 2, allowed: 1 };
        let source = io::Error::other(bad.repeat(5000));
        for error in [
            Error::malformed("x", place(), bad.repeat(5000)),
            Error::unsupported("x", place(), bad.repeat(5000)),
            Error::misuse("x", bad.repeat(5000)),
            Error::LimitExceeded(Box::new(excess)),
            Error::Io { place: Box::new(place()), source },
        ] {
            let text = error.to_string();
            assert!(!text.contains(needs_escape), "{text:?}");
            assert!(text.len() <= 3 * MAX_ESCAPED + 100, "{} bytes", text.len());
            assert!(text.contains("gotcha"), "{text}");
        }
    }

    #[test]
    fn in_file_keeps_the_first_file() {
        let error = Error::malformed("x", Place::file("atlas.png"), "broken").in_file("hero.json");
        assert_eq!(error.to_string(), "atlas.png: broken");
    }
}
