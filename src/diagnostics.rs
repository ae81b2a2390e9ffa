//! What is wrong or odd in a file, collected while it is read.
//!
//! The library prints nothing: the programs print these, the viewer lists them, and a caller who
//! wants them to be errors looks at [`Diagnostics::is_empty`].

use std::collections::BTreeMap;

use crate::error::{Error, Excess, Fault, Place, Result};

/// How much a [`Finding`] matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Fine, and worth knowing.
    Note,
    /// Plays, but probably not as it was meant.
    Warning,
    /// Breaks a rule of the format.
    Error,
}

/// One thing that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// How much it matters.
    pub severity: Severity,
    /// What and where.
    pub fault: Fault,
}

/// What was found in one file, in the order in which it was found.
///
/// A reader stops at the first error. With [`Diagnostics::collecting`] it goes on as far as that makes
/// sense, and the errors are findings too.
#[derive(Debug, Clone, Default)]
pub struct Diagnostics {
    findings: Vec<Finding>,
    /// By severity: how many of the findings are of it.
    kept: [usize; 3],
    counts: BTreeMap<(Severity, &'static str), usize>,
    suppressed: usize,
    errors: usize,
    refused: usize,
    collects_errors: bool,
}

/// Beyond this many of one severity a file is hopeless and the rest only counted, so that bad input cannot fill
/// memory. Warnings take no room from errors.
const MAX_KEPT: usize = 1000;

/// Codes of notes on what a reader chose.
const CHOICES: [&str; 1] = ["found-elsewhere"];

/// Of one code that was looked for in a whole file no more than this are told.
const MAX_TOLD: usize = 100;

impl Diagnostics {
    /// Diagnostics that keep errors as well, instead of ending at the first.
    pub fn collecting() -> Self {
        Self { collects_errors: true, ..Self::default() }
    }

    /// Adds a note. `code` is stable.
    pub fn note(&mut self, code: &'static str, place: Place, message: impl Into<String>) {
        self.add(Severity::Note, Fault { code, place, message: message.into() });
    }

    /// Adds a warning. `code` is stable.
    pub fn warn(&mut self, code: &'static str, place: Place, message: impl Into<String>) {
        self.add(Severity::Warning, Fault { code, place, message: message.into() });
    }

    /// Gives `error` back, or keeps it and goes on. What is no fault of the bytes is always given back.
    pub fn refuse(&mut self, error: Error) -> Result<()> {
        match error {
            Error::Malformed(fault) | Error::Unsupported(fault) if self.collects_errors => {
                self.errors += 1;
                self.refused += 1;
                self.add(Severity::Error, *fault);
                Ok(())
            }
            error => Err(error),
        }
    }

    /// What was made, or `None` where there is an error that was kept.
    pub fn keep<T>(&mut self, made: Result<T>) -> Result<Option<T>> {
        match made {
            Ok(made) => Ok(Some(made)),
            Err(error) => self.refuse(error).map(|()| None),
        }
    }

    /// Gives back an error that ends the looking, but where errors were kept before keeps it as the last of them:
    /// they would be lost otherwise. A mistake of the caller is always given back.
    pub fn refuse_last(&mut self, error: Error) -> Result<()> {
        match error {
            Error::LimitExceeded(excess) if self.errors > 0 => {
                let place = excess.place.clone();
                let message = Excess { place: Place::default(), ..*excess }.to_string();
                self.errors += 1;
                self.add(Severity::Error, Fault { code: "limit-exceeded", place, message });
                Ok(())
            }
            error => self.refuse(error),
        }
    }

    /// Adds what leaves a character without its picture: a reader plays on, which is a warning;
    /// where errors are collected it is one.
    pub fn incomplete(&mut self, code: &'static str, place: Place, message: impl Into<String>) {
        self.errors += usize::from(self.collects_errors);
        let severity = if self.collects_errors { Severity::Error } else { Severity::Warning };
        self.add(severity, Fault { code, place, message: message.into() });
    }

    /// Adds what was found elsewhere.
    pub fn add(&mut self, severity: Severity, fault: Fault) {
        *self.counts.entry((severity, fault.code)).or_default() += 1;
        let kept = &mut self.kept[severity as usize];
        if *kept < MAX_KEPT {
            *kept += 1;
            self.findings.push(Finding { severity, fault });
        } else {
            self.suppressed += 1;
        }
    }

    /// Counts `count` more of a code, of which enough were added to tell what they are about.
    pub fn add_more(&mut self, severity: Severity, code: &'static str, count: usize) {
        if count > 0 {
            let counted = self.counts.entry((severity, code)).or_default();
            *counted = counted.saturating_add(count);
            self.suppressed = self.suppressed.saturating_add(count);
        }
    }

    /// Adds every warning of one code: the first of them in words, the others as a number.
    pub(crate) fn warn_all(&mut self, code: &'static str, found: impl IntoIterator<Item = (Place, String)>) {
        self.add_all(Severity::Warning, code, found);
    }

    /// Adds every note of one code: the first of them in words, the others as a number.
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
        for (place, message) in found.by_ref().take(MAX_TOLD) {
            self.add(severity, Fault { code, place, message });
        }
        self.add_more(severity, code, found.count());
    }

    /// Everything that was kept.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The warnings among the findings.
    pub fn warnings(&self) -> impl Iterator<Item = &Fault> {
        let is_warning = |finding: &&Finding| finding.severity == Severity::Warning;
        self.findings.iter().filter(is_warning).map(|finding| &finding.fault)
    }

    /// Notes on what a reader chose where the file does not say it. Programs report them without being asked.
    pub fn choices(&self) -> impl Iterator<Item = &Fault> {
        let is_choice = |fault: &&Fault| CHOICES.contains(&fault.code);
        self.findings.iter().map(|finding| &finding.fault).filter(is_choice)
    }

    /// How many errors were collected, those that were not kept included.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// How many errors were collected that a reader would have ended with.
    pub fn refused(&self) -> usize {
        self.refused
    }

    /// How often each code was found, those that were not kept included.
    pub fn counts(&self) -> impl Iterator<Item = (Severity, &'static str, usize)> {
        self.counts.iter().map(|(&(severity, code), &count)| (severity, code, count))
    }

    /// How many more there were than [`Self::findings`] holds.
    pub fn suppressed(&self) -> usize {
        self.suppressed
    }

    /// True when nothing was found.
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }
}
