//! One file → its findings, and whether it is valid.

use std::collections::BTreeMap;
use std::path::Path;

use super::location::locations;
use super::{Checked, Counts, Finding, Location, Options};
use crate::diagnostics::{Diagnostics, Severity};
use crate::error::{Error, Fault, Result};
use crate::formats::{self, Folder, Input};

/// The code of what no format is.
const UNKNOWN: &str = "unknown-format";

/// Checks the file at `path`. Files that it names are looked for in its folder and below.
///
/// Fails where the file cannot be judged: it cannot be read, is in no known format or exceeds a limit. That a file
/// breaks the rules of its format is in the findings.
pub fn check_file(path: &Path, options: &Options) -> Result<Checked> {
    formats::load(path, &options.read.limits)
        .and_then(|bytes| check(&Input { bytes, sidecars: &Folder::of(path) }, options))
        .map_err(|error| error.in_file(path.display()))
}

/// Checks a file that is in memory, with the files that it names from wherever `input` has them.
///
/// Fails where the bytes cannot be judged: they are in no known format or exceed a limit. The errors do not name the
/// file.
///
/// ```
/// use pchr::formats::{Input, NoSidecars};
/// use pchr::validate::{Options, check};
///
/// let bytes = r#"{"version": 1, "bones": [{"name": "root", "parent": 7}], "meshes": [], "animations": []}"#;
/// let checked = check(&Input { bytes: bytes.into(), sidecars: &NoSidecars }, &Options::default())?;
/// assert!(!checked.is_valid);
/// assert_eq!(checked.findings[0].location.pointer.as_deref(), Some("/bones/0/parent"));
/// # Ok::<(), pchr::Error>(())
/// ```
pub fn check(input: &Input<'_>, options: &Options) -> Result<Checked> {
    let diagnostics = formats::examine(input, &options.read)?;
    if let Some(unknown) = diagnostics.findings().iter().find(|finding| finding.fault.code == UNKNOWN) {
        return Err(Error::Unsupported(Box::new(unknown.fault.clone())));
    }
    let counts = counts(&diagnostics, options);
    let findings = findings(&diagnostics, &input.bytes, options);
    Ok(Checked {
        format: formats::format_name(&input.bytes).unwrap_or("unknown"),
        not_kept: not_kept(&diagnostics, &findings, options),
        findings,
        counts,
        is_valid: counts.errors == 0 && (counts.warnings == 0 || !options.deny_warnings),
    })
}

fn is_ignored(code: &str, options: &Options) -> bool {
    options.ignored.iter().any(|ignored| ignored == code)
}

fn counts(diagnostics: &Diagnostics, options: &Options) -> Counts {
    let mut counts = Counts::default();
    for (severity, _, count) in diagnostics.counts().filter(|(_, code, _)| !is_ignored(code, options)) {
        *match severity {
            Severity::Error => &mut counts.errors,
            Severity::Warning => &mut counts.warnings,
            Severity::Note => &mut counts.notes,
        } += count;
    }
    counts
}

fn not_kept(diagnostics: &Diagnostics, findings: &[Finding], options: &Options) -> BTreeMap<&'static str, usize> {
    let mut left: BTreeMap<&'static str, usize> = BTreeMap::new();
    for (_, code, count) in diagnostics.counts().filter(|(_, code, _)| !is_ignored(code, options)) {
        *left.entry(code).or_default() += count;
    }
    for finding in findings {
        left.entry(finding.code).and_modify(|count| *count = count.saturating_sub(1));
    }
    left.retain(|_, count| *count > 0);
    left
}

fn findings(diagnostics: &Diagnostics, bytes: &[u8], options: &Options) -> Vec<Finding> {
    let kept: Vec<(Severity, &Fault)> = diagnostics
        .findings()
        .iter()
        .filter(|finding| !is_ignored(finding.fault.code, options))
        .map(|finding| (finding.severity, &finding.fault))
        .collect();
    let places: Vec<_> = kept.iter().map(|(_, fault)| &fault.place).collect();
    let locations = locations(bytes, &places, options.excerpts);
    let finding = |((severity, fault), location): ((Severity, &Fault), Location)| Finding {
        severity,
        code: fault.code,
        message: match &location.other_file {
            Some(file) => format!("`{file}`: {}", fault.message),
            None => fault.message.clone(),
        },
        location,
    };
    kept.into_iter().zip(locations).map(finding).collect()
}
