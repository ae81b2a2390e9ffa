//! One file → what is wrong with it or odd about it, and where.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ::bytes::Bytes;

use super::place::{Spot, spots};
use crate::cli::files::{Target, begins_foreign, is_foreign};
use crate::cli::load::{bytes_of, sidecars_of};
use crate::cli::stdio::shown_name;
use crate::diagnostics::{Diagnostics, Severity};
use crate::error::{Error, Fault};
use crate::formats::{self, Input, ReadOptions};

/// How to judge.
pub struct Rules {
    pub options: ReadOptions,
    /// Codes whose findings are dropped.
    pub ignored: Vec<&'static str>,
    /// Warnings make a character invalid.
    pub deny_warnings: bool,
    /// Keep the lines of JSON that findings are about.
    pub wants_lines: bool,
}

/// One file, judged.
#[derive(Debug)]
pub struct Judged {
    /// In JSON.
    pub name: String,
    /// In annotations.
    pub annotated: String,
    /// As the user wrote it, for people.
    pub shown: String,
    pub outcome: Outcome,
}

#[derive(Debug)]
pub enum Outcome {
    Examined(Examination),
    /// It cannot be judged: it is missing, unreadable, unknown or over a limit.
    Failed(Error),
    /// Judging it panicked, which is a bug and costs no other file.
    Broken,
    /// JSON or the like that is no character and was not asked for.
    Skipped,
}

#[derive(Debug)]
pub struct Examination {
    /// What the format is called.
    pub format: &'static str,
    /// Without those that are ignored.
    pub findings: Vec<Finding>,
    /// Of all findings, also of those that were too many to keep.
    pub counts: Counts,
    /// Codes that were found more often than they are kept, and how often more.
    pub more: BTreeMap<&'static str, usize>,
    pub is_valid: bool,
}

#[derive(Debug)]
pub struct Finding {
    pub severity: Severity,
    pub code: &'static str,
    pub message: String,
    pub spot: Spot,
}

/// How many findings of each severity.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    pub errors: usize,
    pub warnings: usize,
    pub notes: usize,
}

impl Counts {
    fn of(counts: impl Iterator<Item = (Severity, usize)>) -> Self {
        let mut sum = Self::default();
        for (severity, count) in counts {
            *match severity {
                Severity::Error => &mut sum.errors,
                Severity::Warning => &mut sum.warnings,
                Severity::Note => &mut sum.notes,
            } += count;
        }
        sum
    }

    pub fn all(&self) -> usize {
        self.errors + self.warnings + self.notes
    }
}

/// Reads and judges one file.
pub fn judge(target: &Target, rules: &Rules) -> Judged {
    let outcome = guarded(|| match load(target, rules) {
        Err(error) if target.is_found && begins_foreign(&target.path, &error) => Outcome::Skipped,
        Err(error) => Outcome::Failed(error),
        Ok(bytes) if target.is_found && is_foreign(&target.path, &bytes) => Outcome::Skipped,
        Ok(bytes) => examine(target, &bytes, rules).map_or_else(Outcome::Failed, Outcome::Examined),
    });
    let (name, annotated) = (target.name.clone(), target.annotated.clone());
    Judged { name, annotated, shown: shown_name(&target.path), outcome }
}

/// Nothing is used after a panic that it could have left half-changed.
fn guarded(judge: impl FnOnce() -> Outcome) -> Outcome {
    catch_unwind(AssertUnwindSafe(judge)).unwrap_or(Outcome::Broken)
}

fn load(target: &Target, rules: &Rules) -> Result<Bytes, Error> {
    target.check()?;
    if target.is_found {
        return formats::load_regular(&target.path, &rules.options.limits);
    }
    bytes_of(&target.path, &rules.options.limits)
}

/// The code of what no format is.
const UNKNOWN: &str = "unknown-format";

fn examine(target: &Target, bytes: &Bytes, rules: &Rules) -> Result<Examination, Error> {
    let input = Input { bytes: bytes.clone(), sidecars: &*sidecars_of(&target.path) };
    let diagnostics = formats::examine(&input, &rules.options)?;
    if let Some(unknown) = diagnostics.findings().iter().find(|finding| finding.fault.code == UNKNOWN) {
        return Err(Error::Unsupported(Box::new(unknown.fault.clone())));
    }
    let is_kept = |code: &str| !rules.ignored.contains(&code);
    let counted = || diagnostics.counts().filter(|(_, code, _)| is_kept(code));
    let counts = Counts::of(counted().map(|(severity, _, count)| (severity, count)));
    let findings = findings(&diagnostics, bytes, rules);
    let mut more: BTreeMap<&'static str, usize> = BTreeMap::new();
    counted().for_each(|(_, code, count)| *more.entry(code).or_default() += count);
    for finding in &findings {
        more.entry(finding.code).and_modify(|count| *count = count.saturating_sub(1));
    }
    more.retain(|_, count| *count > 0);
    Ok(Examination {
        format: formats::format_name(bytes).unwrap_or("unknown"),
        findings,
        counts,
        more,
        is_valid: counts.errors == 0 && (counts.warnings == 0 || !rules.deny_warnings),
    })
}

fn findings(diagnostics: &Diagnostics, bytes: &[u8], rules: &Rules) -> Vec<Finding> {
    let kept: Vec<(Severity, &Fault)> = diagnostics
        .findings()
        .iter()
        .filter(|finding| !rules.ignored.contains(&finding.fault.code))
        .map(|finding| (finding.severity, &finding.fault))
        .collect();
    let places: Vec<_> = kept.iter().map(|(_, fault)| &fault.place).collect();
    let spots = spots(bytes, &places, rules.wants_lines);
    let finding = |((severity, fault), spot): ((Severity, &Fault), Spot)| Finding {
        severity,
        code: fault.code,
        message: match &spot.picture {
            Some(picture) => format!("`{picture}`: {}", fault.message),
            None => fault.message.clone(),
        },
        spot,
    };
    kept.into_iter().zip(spots).map(finding).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_outcome() {
        assert!(matches!(guarded(|| panic!("on purpose")), Outcome::Broken));
    }
}
