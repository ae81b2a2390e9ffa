//! Checks a file: everything that is wrong with it or odd about it, where that is, and whether the file is valid.
//!
//! The format is detected from the content. A reader stops at the first error; a check goes on as far as that makes
//! sense, and also runs the lints of the format. Every code that a finding can have is listed in
//! [`formats::findings`](crate::formats::findings).
//!
//! ```
//! use pchr::validate::{Options, check_file};
//!
//! let checked = check_file("assets/paper-knight.pchr".as_ref(), &Options::default())?;
//! for finding in &checked.findings {
//!     println!("{}: {}: {}", finding.code, finding.location.inside(), finding.message);
//! }
//! assert_eq!(checked.format, "PCHR v1");
//! assert!(checked.is_valid);
//! # Ok::<(), pchr::Error>(())
//! ```

mod check;
mod location;
mod text;

use std::collections::BTreeMap;

use crate::diagnostics::Severity;
use crate::formats::ReadOptions;

pub use check::{check, check_file};
pub use location::Location;
pub use text::{Excerpt, Position};

/// How to check.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Options {
    /// How to read the file.
    pub read: ReadOptions,
    /// Codes whose findings are dropped; they do not make the file invalid.
    pub ignored: Vec<String>,
    /// Warnings make the file invalid, as errors do.
    pub deny_warnings: bool,
    /// Keep the text of JSON files that findings are about, in [`Location::excerpt`].
    pub excerpts: bool,
}

/// What came of checking a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// The name of the format, for people.
    pub format: &'static str,
    /// In the order in which they were found, without those that are ignored. Of a file with very many only the first
    /// are kept.
    pub findings: Vec<Finding>,
    /// How many findings there are, those that were not kept included.
    pub counts: Counts,
    /// By code: how many findings were not kept.
    pub not_kept: BTreeMap<&'static str, usize>,
    /// Whether there is no error, nor a warning where [`Options::deny_warnings`] is set.
    pub is_valid: bool,
}

/// Something wrong or odd.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// How much it matters.
    pub severity: Severity,
    /// The stable name of the rule; [`findings::rule`](crate::formats::findings::rule) explains it.
    pub code: &'static str,
    /// What was found and what would be right.
    pub message: String,
    /// Where it is.
    pub location: Location,
}

/// How many findings there are of each severity.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// What breaks a rule of the format.
    pub errors: usize,
    /// What plays, but probably not as intended.
    pub warnings: usize,
    /// What is worth knowing.
    pub notes: usize,
}

impl Counts {
    /// Of all severities together.
    pub fn all(&self) -> usize {
        self.errors + self.warnings + self.notes
    }
}
