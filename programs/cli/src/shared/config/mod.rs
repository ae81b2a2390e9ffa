//! Configuration files: TOML whose keys are long option names.
//!
//! Every value becomes an argument and is parsed by the same code as on the command line. A file is input: its errors
//! name the file, the line and column, and the key.

mod options;
mod value;

use std::ops::Range;
use std::path::{Path, PathBuf};

use ::bytes::Bytes;
use toml::de::DeTable;

use super::failure::Failure;
use super::stdio::shown_name;
use pchr::Error;
use pchr::error::Place;
use pchr::formats::{Folder, read_file};
use pchr::limits::Limits;

pub use options::{Options, message};

/// Error code of all errors in configuration files.
const CODE: &str = "bad-config";

/// Maximum size in bytes. Such files are written by hand.
const MAX_BYTES: u64 = 1 << 20;

/// Which keys a file may contain.
#[derive(Debug, Clone, Copy)]
pub struct Rules<'a> {
    /// Options that cannot be set in a file.
    pub refused: &'a [&'a str],
    /// Options whose values are paths, which are relative to the folder of the file.
    pub paths: &'a [(&'a str, PathKind)],
}

/// What a path in a configuration file may contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathKind {
    /// Nothing special.
    Plain,
    /// Wildcards.
    Pattern,
    /// Placeholders in braces.
    Template,
}

/// The text of a configuration file.
#[derive(Debug)]
pub struct ConfigFile {
    /// Path as given.
    path: PathBuf,
    text: String,
    /// The part of the text that errors are about, if they name it.
    part: String,
}

/// Reads a regular file, or fails with `too_large` if it has more than `max` bytes. Does not wait for a pipe.
pub fn read_bounded(path: &Path, max: u64, too_large: impl Fn() -> Failure) -> Result<Bytes, Failure> {
    let mut limits = Limits::default();
    limits.set("file-bytes", max);
    read_file(path, &limits).map_err(|error| match error {
        Error::LimitExceeded(_) => too_large(),
        error => Failure::Input(error),
    })
}

impl ConfigFile {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let bytes = read_bounded(path, MAX_BYTES, || {
            let message = format!("a configuration file has at most {MAX_BYTES} bytes");
            Failure::Input(Error::malformed(CODE, Place::file(path.display()), message))
        })?;
        let text = String::from_utf8(bytes.into()).map_err(|error| {
            let offset = error.utf8_error().valid_up_to() as u64;
            let place = Place { offset: Some(offset), ..Place::file(path.display()) };
            Failure::Input(Error::malformed(CODE, place, "expected UTF-8 text, found an invalid byte"))
        })?;
        Ok(Self { path: path.to_owned(), text, part: String::new() })
    }

    /// Wraps settings that are part of the program.
    pub fn built_in(text: &str) -> Self {
        Self { path: "built-in settings".into(), text: text.to_owned(), part: String::new() }
    }

    /// Returns the same text; its errors name a part of it.
    pub fn within(&self, part: impl std::fmt::Display) -> Self {
        Self { path: self.path.clone(), text: self.text.clone(), part: format!(", {part}") }
    }

    /// Parses the text.
    pub fn table(&self) -> Result<DeTable<'_>, Failure> {
        // Editors on Windows may write a byte order mark, which the parser skips.
        let parsed = DeTable::parse(&self.text);
        parsed.map(toml::Spanned::into_inner).map_err(|error| {
            let message = format!("invalid TOML: {}", error.message().replace('\n', "; "));
            self.error(error.span().unwrap_or(0..0), message)
        })
    }

    /// Returns the error for the part of the text in `span`.
    pub fn error(&self, span: Range<usize>, message: impl Into<String>) -> Failure {
        Failure::Input(Error::malformed(CODE, self.place(span.start), message))
    }

    /// Returns the place at a byte of the text.
    pub fn place(&self, at: usize) -> Place {
        let start = self.text.floor_char_boundary(at.min(self.text.len()));
        let before = &self.text[..start];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        Place { path: format!("line {line}, column {column}{}", self.part), ..Place::file(shown_name(&self.path)) }
    }

    /// Returns true if `path`, which may not exist, is in the folder of the file or below, also if it is a link.
    pub fn contains(&self, path: &Path) -> bool {
        let below = path.strip_prefix(self.folder()).ok().filter(|below| below.is_relative());
        below.is_some_and(|below| Folder::of(&self.path).contains(&below.to_string_lossy()))
    }

    /// Returns the folder of the file; empty for the working folder.
    pub fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }
}
