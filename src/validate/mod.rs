//! Checks files: reports errors and questionable data with their locations, and whether a file is valid.
//!
//! The format is detected from the content. A reader stops at the first error; a check continues as far as
//! possible, and also runs the lints of the format. All finding codes are listed in
//! [`formats::findings`](crate::formats::findings).
//!
//! ```
//! use pchr::validate::{Options, check_file};
//!
//! let checked = check_file("assets/paper-knight.pchr".as_ref(), &Options::default())?;
//! for finding in &checked.findings {
//!     println!("{}: {}: {}", finding.code, finding.inside(), finding.message);
//! }
//! assert_eq!(checked.format, "PCHR v1");
//! assert!(checked.is_valid);
//! # Ok::<(), pchr::Error>(())
//! ```

#[cfg(feature = "export")]
mod blank;
mod check;
#[cfg(feature = "convert")]
mod keys;
mod location;
mod text;

use std::collections::BTreeMap;

use crate::diagnostics::Severity;
use crate::formats::ReadOptions;

pub use check::{check, check_file, check_unread};
pub use text::{Excerpt, Position};

/// Options for checking a file.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Reading options.
    pub read: ReadOptions,
    /// Codes of findings to ignore; they do not make the file invalid.
    pub ignored: Vec<String>,
    /// Whether warnings make the file invalid, like errors.
    pub deny_warnings: bool,
    /// Whether to fill in [`Finding::excerpt`] for JSON files.
    pub excerpts: bool,
}

/// The result of checking a file.
#[derive(Debug)]
pub struct Checked {
    /// Display name of the format.
    pub format: &'static str,
    /// Findings in the order in which they were found, without ignored ones. If there are very many, only the
    /// first are stored.
    pub findings: Vec<Finding>,
    /// Number of findings, including those that were not stored.
    pub counts: Counts,
    /// Number of findings that were not stored, by code.
    pub omitted: BTreeMap<&'static str, usize>,
    /// True if there are no errors, nor warnings with [`Options::deny_warnings`].
    pub is_valid: bool,
}

/// A finding about a file.
// In JSON, the keys are sorted because the fields are.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "schemas", derive(serde::Serialize, schemars::JsonSchema))]
pub struct Finding {
    /// Stable name of the rule.
    pub code: &'static str,
    /// Line and column; only in text files.
    #[cfg_attr(feature = "schemas", serde(flatten))]
    pub position: Option<Position>,
    /// What was found and what would be right.
    pub message: String,
    /// Offset in bytes from the start of the file.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Option::is_none"))]
    pub offset: Option<u64>,
    /// The other file that is at fault, such as an atlas or an image, relative to the folder of the checked file. The
    /// location is in it.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Option::is_none"))]
    pub other_file: Option<String>,
    /// Path inside a binary file, in the terms of the format.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Option::is_none"))]
    pub path: Option<String>,
    /// JSON pointer (RFC 6901).
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Option::is_none"))]
    pub pointer: Option<String>,
    /// Severity.
    pub severity: Severity,
    /// The text at the location; only in JSON files and with [`Options::excerpts`].
    #[cfg_attr(feature = "schemas", serde(skip))]
    pub excerpt: Option<Excerpt>,
}

impl Finding {
    /// Returns the path inside the file: the JSON pointer if there is one. May be empty.
    pub fn inside(&self) -> &str {
        self.pointer.as_deref().or(self.path.as_deref()).unwrap_or_default()
    }
}

/// Number of findings of each severity.
#[derive(Debug, Clone, Copy, Default)]
pub struct Counts {
    /// Violations of the format.
    pub errors: usize,
    /// Data that is playable, but probably not as intended.
    pub warnings: usize,
    /// Valid data that is worth knowing about.
    pub notes: usize,
}

impl Counts {
    /// Returns the total over all severities.
    pub fn all(&self) -> usize {
        self.errors + self.warnings + self.notes
    }
}
