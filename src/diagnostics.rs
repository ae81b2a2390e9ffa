//! Findings about a file, collected while it is read.
//!
//! The library prints nothing: the programs print the findings, the viewer lists them, and a caller that
//! treats them as errors checks [`Diagnostics::is_empty`].

use std::collections::BTreeMap;

use crate::error::{Error, Excess, Fault, Place, Result};

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "schemas", derive(serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schemas", serde(rename_all = "lowercase"))]
#[cfg_attr(feature = "schemas", schemars(rename = "Level"))]
pub enum Severity {
    /// Valid, but worth knowing.
    Note,
    /// Playable, but probably not as intended.
    Warning,
    /// Breaks a rule of the format.
    Error,
}

/// What a reader found. `validate::check` turns a JSON pointer into line and column.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// Severity.
    pub severity: Severity,
    /// Code, place and message.
    pub fault: Fault,
}

/// A warning or an error as JSON documents contain it.
#[derive(Debug)]
#[cfg_attr(any(feature = "convert", feature = "schemas"), derive(serde::Serialize))]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Warning {
    /// Stable name of the rule.
    pub code: &'static str,
    /// The place, what was found and what would be right.
    pub message: String,
}

impl Warning {
    fn of(fault: &Fault) -> Self {
        Self { code: fault.code, message: fault.to_string() }
    }
}

/// The findings about one file, in the order of discovery.
///
/// A reader stops at the first error. With [`Diagnostics::collecting`] it continues as far as possible,
/// and errors become findings too; with [`ReadOptions::keep_going`](crate::formats::ReadOptions::keep_going), only those
/// in parts that a character can lack.
#[derive(Debug, Default)]
pub struct Diagnostics {
    findings: Vec<Finding>,
    /// Number of stored findings by severity.
    stored: [usize; 3],
    counts: BTreeMap<(Severity, &'static str), usize>,
    suppressed: usize,
    missing_image: Option<Fault>,
    errors: usize,
    fatal_errors: usize,
    collects_errors: bool,
    /// Findings beyond [`MAX_STORED`] are stored, too.
    stores_all: bool,
}

/// Maximum number of findings stored per severity; the rest is only counted, so that bad input cannot exhaust
/// memory. The limit is per severity so that warnings do not displace errors.
const MAX_STORED: usize = 1000;

/// Codes of notes about a choice that a reader made.
const CHOICES: [&str; 1] = ["found-elsewhere"];

/// Maximum number of findings with a message that [`Diagnostics::add_all`] stores.
const MAX_LISTED: usize = 100;

impl Diagnostics {
    /// Creates diagnostics that collect errors, so that reading does not stop at the first one.
    pub fn collecting() -> Self {
        Self { collects_errors: true, ..Self::default() }
    }

    /// Creates diagnostics that store every finding. How much memory that takes depends on the file.
    #[cfg(all(feature = "spine", feature = "convert"))]
    pub(crate) fn storing_all() -> Self {
        Self { stores_all: true, ..Self::default() }
    }

    /// Adds a note. `code` is stable.
    pub(crate) fn note(&mut self, code: &'static str, place: Place, message: impl Into<String>) {
        self.add(Severity::Note, Fault { code, place, message: message.into() });
    }

    /// Adds a warning. `code` is stable.
    pub fn warn(&mut self, code: &'static str, place: Place, message: impl Into<String>) {
        self.add(Severity::Warning, Fault { code, place, message: message.into() });
    }

    /// Collects `error` if it is about the file's content and errors are collected; returns it otherwise.
    pub(crate) fn reject(&mut self, error: Error) -> Result<()> {
        match error {
            Error::Malformed(fault) | Error::Unsupported(fault) if self.collects_errors => {
                self.errors += 1;
                self.fatal_errors += 1;
                self.add(Severity::Error, *fault);
                Ok(())
            }
            error => Err(error),
        }
    }

    /// Unwraps `made`; returns `None` if it is an error that [`Self::reject`] collected.
    pub(crate) fn recover<T>(&mut self, made: Result<T>) -> Result<Option<T>> {
        match made {
            Ok(made) => Ok(Some(made)),
            Err(error) => self.reject(error).map(|()| None),
        }
    }

    /// Unwraps a part that can be left out: with `keeps_going`, an error becomes a finding.
    #[cfg(any(feature = "spine", feature = "skelform"))]
    pub(crate) fn leave_out<T>(&mut self, made: Result<T>, keeps_going: bool) -> Result<Option<T>> {
        match made {
            Err(Error::Malformed(fault)) if keeps_going && !self.collects_errors => {
                self.errors += 1;
                self.add(Severity::Error, *fault);
                Ok(None)
            }
            made => made.map(Some),
        }
    }

    /// Handles an error that ends the examination. Like [`Self::reject`], but also collects an exceeded limit if
    /// errors were collected before, because returning it would lose them.
    pub(crate) fn reject_last(&mut self, error: Error) -> Result<()> {
        match error {
            Error::LimitExceeded(excess) if self.errors > 0 => {
                let place = excess.place.clone();
                let message = Excess { place: Place::default(), ..*excess }.to_string();
                self.errors += 1;
                self.add(Severity::Error, Fault { code: "limit-exceeded", place, message });
                Ok(())
            }
            error => self.reject(error),
        }
    }

    /// Adds a fault with which the character can be opened all the same: an error if errors are collected, otherwise
    /// a warning.
    pub(crate) fn flaw(&mut self, code: &'static str, place: Place, message: impl Into<String>) {
        self.errors += usize::from(self.collects_errors);
        let severity = if self.collects_errors { Severity::Error } else { Severity::Warning };
        self.add(severity, Fault { code, place, message: message.into() });
    }

    /// Adds a finding about a missing image, with which the character can be opened, like [`Self::flaw`].
    pub(crate) fn incomplete(&mut self, code: &'static str, place: Place, message: impl Into<String>) {
        let message = message.into();
        self.missing_image.get_or_insert_with(|| Fault { code, place: place.clone(), message: message.clone() });
        self.flaw(code, place, message);
    }

    /// Sets the byte offsets of findings that only have a JSON pointer. `offsets_of` returns the offsets of pointers.
    #[cfg(feature = "spine")]
    pub(crate) fn locate(&mut self, offsets_of: impl FnOnce(&[&str]) -> Vec<Option<u64>>) {
        let places = || self.findings.iter().map(|finding| finding.fault.place.unlocated());
        let pointers: Vec<&str> = places().flatten().collect();
        let offsets = if pointers.is_empty() { Vec::new() } else { offsets_of(&pointers) };
        let is_wanted: Vec<bool> = places().map(|pointer| pointer.is_some()).collect();
        let wanted = self.findings.iter_mut().zip(is_wanted).filter(|(_, is_wanted)| *is_wanted);
        for ((finding, _), offset) in wanted.zip(offsets) {
            finding.fault.place.offset = offset;
        }
    }

    /// Adds a finding.
    pub(crate) fn add(&mut self, severity: Severity, fault: Fault) {
        *self.counts.entry((severity, fault.code)).or_default() += 1;
        let stored = &mut self.stored[severity as usize];
        if self.stores_all || *stored < MAX_STORED {
            *stored += 1;
            self.findings.push(Finding { severity, fault });
        } else {
            self.suppressed += 1;
        }
    }

    /// Adds the findings of `other`.
    #[cfg(feature = "pachario")]
    pub(crate) fn append(&mut self, other: Self) {
        let mut more = other.counts;
        for Finding { severity, fault } in other.findings {
            more.entry((severity, fault.code)).and_modify(|count| *count -= 1);
            self.add(severity, fault);
        }
        more.into_iter().for_each(|((severity, code), count)| self.add_more(severity, code, count));
    }

    /// Counts `count` more findings of a code without storing them.
    pub(crate) fn add_more(&mut self, severity: Severity, code: &'static str, count: usize) {
        if count > 0 {
            let counted = self.counts.entry((severity, code)).or_default();
            *counted = counted.saturating_add(count);
            self.suppressed = self.suppressed.saturating_add(count);
        }
    }

    /// Adds warnings of one code: stores the first ones and counts the others.
    #[cfg(any(feature = "spine", feature = "skelform", feature = "animate"))]
    pub(crate) fn warn_all(&mut self, code: &'static str, found: impl IntoIterator<Item = (Place, String)>) {
        self.add_all(Severity::Warning, code, found);
    }

    /// Adds notes of one code: stores the first ones and counts the others.
    #[cfg(any(feature = "spine", feature = "skelform"))]
    pub(crate) fn note_all(&mut self, code: &'static str, found: impl IntoIterator<Item = (Place, String)>) {
        self.add_all(Severity::Note, code, found);
    }

    pub(crate) fn add_all(
        &mut self,
        severity: Severity,
        code: &'static str,
        found: impl IntoIterator<Item = (Place, String)>,
    ) {
        let mut found = found.into_iter();
        for (place, message) in found.by_ref().take(MAX_LISTED) {
            self.add(severity, Fault { code, place, message });
        }
        self.add_more(severity, code, found.count());
    }

    /// Returns the stored findings.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Returns the stored findings of one severity, as JSON documents contain them.
    pub fn described(&self, severity: Severity) -> Vec<Warning> {
        self.with_severity(severity).map(Warning::of).collect()
    }

    /// Returns the stored warnings.
    pub fn warnings(&self) -> impl Iterator<Item = &Fault> {
        self.with_severity(Severity::Warning)
    }

    /// Returns the stored findings of one severity.
    pub fn with_severity(&self, severity: Severity) -> impl Iterator<Item = &Fault> {
        let found = self.findings.iter().filter(move |finding| finding.severity == severity);
        found.map(|finding| &finding.fault)
    }

    /// Returns the notes about choices that a reader made because the file does not specify them. Programs always
    /// print
    /// them.
    pub fn choices(&self) -> impl Iterator<Item = &Fault> {
        let is_choice = |fault: &&Fault| CHOICES.contains(&fault.code);
        self.findings.iter().map(|finding| &finding.fault).filter(is_choice)
    }

    /// Returns the places of the stored findings, for a caller that names the files of several.
    pub fn places_mut(&mut self) -> impl Iterator<Item = &mut Place> {
        let findings = self.findings.iter_mut().map(|finding| &mut finding.fault);
        findings.chain(&mut self.missing_image).map(|fault| &mut fault.place)
    }

    /// Returns the first finding about a missing image or atlas.
    pub fn missing_image(&self) -> Option<&Fault> {
        self.missing_image.as_ref()
    }

    /// Returns the number of collected errors, including those that were not stored. After opening a character, the
    /// parts that were left out; see [`ReadOptions::keep_going`](crate::formats::ReadOptions::keep_going).
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// Returns the number of collected errors at which a reader would have stopped.
    pub(crate) fn fatal_errors(&self) -> usize {
        self.fatal_errors
    }

    /// Returns how often each code was found, including findings that were not stored.
    pub fn counts(&self) -> impl Iterator<Item = (Severity, &'static str, usize)> {
        self.counts.iter().map(|(&(severity, code), &count)| (severity, code, count))
    }

    /// Returns the number of findings that were counted but not stored.
    pub fn suppressed(&self) -> usize {
        self.suppressed
    }

    /// Returns true if nothing was found.
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }
}
