//! Checks a file: collects its findings and decides whether it is valid.

use std::collections::BTreeMap;
use std::path::Path;

use super::location::located;
use super::{Checked, Counts, Finding, Options};
use crate::diagnostics::{Diagnostics, Severity};
use crate::error::{Error, Fault, Result};
use crate::formats::{self, Folder, Input};

/// Error code of an unknown format.
const UNKNOWN: &str = "unknown-format";

/// Checks the file at `path`. Files that it refers to are searched in its folder and below.
///
/// Violations of the format are returned as findings, not as an error.
///
/// # Errors
///
/// If the file cannot be checked: it cannot be read, has an unknown format or exceeds a limit.
pub fn check_file(path: &Path, options: &Options) -> Result<Checked> {
    let checked = match formats::load(path, &options.read.limits) {
        Ok(bytes) => {
            let sidecars = Folder::of(path).listed_in(&options.read.listings);
            check(&Input { bytes, sidecars: &sidecars }, options)
        }
        Err(error) => check_unread(error, options),
    };
    checked.map_err(|error| error.in_file(path.display()))
}

/// Checks a file that was not read. An error inside a large PCHR v1 file, before whose contents it was found, is a
/// finding.
///
/// # Errors
///
/// Any other error is returned.
pub fn check_unread(error: Error, options: &Options) -> Result<Checked> {
    let mut diagnostics = Diagnostics::collecting();
    // The format is known from its first bytes.
    match error.place().and_then(|place| place.offset) {
        Some(1..) => diagnostics.reject_last(error)?,
        Some(0) | None => return Err(error),
    }
    Ok(checked(&diagnostics, b"PCHR", options))
}

/// Checks a file in memory. Files that it refers to are read from the sidecars of `input`.
///
/// # Errors
///
/// If the bytes cannot be checked: they have an unknown format or exceed a limit. The errors do not contain a file
/// name.
///
/// ```
/// use pchr::formats::{Input, NO_SIDECARS};
/// use pchr::validate::{Options, check};
///
/// let bytes = r#"{
///   "version": 1, "fps": 0, "images": [], "bones": [{"name": "root", "parent": 7}], "meshes": [], "animations": []
/// }"#;
/// let checked = check(&Input { bytes: bytes.into(), sidecars: NO_SIDECARS }, &Options::default())?;
/// assert!(!checked.is_valid);
/// let mut pointers = checked.findings.iter().filter_map(|finding| finding.pointer.as_deref());
/// assert!(pointers.any(|pointer| pointer == "/bones/0/parent"));
/// # Ok::<(), pchr::Error>(())
/// ```
pub fn check(input: &Input<'_>, options: &Options) -> Result<Checked> {
    #[cfg_attr(not(feature = "export"), allow(unused_mut, unused_variables, reason = "for the checks below"))]
    let (mut diagnostics, character) = formats::examine_and_open(input, &options.read)?;
    if let Some(unknown) = diagnostics.findings().iter().find(|finding| finding.fault.code == UNKNOWN) {
        return Err(Error::Unsupported(Box::new(unknown.fault.clone())));
    }
    // A character that cannot be opened has errors, which have been reported.
    #[cfg(feature = "export")]
    if let Some(character) = character {
        super::blank::check(&character, &options.read.limits, &mut diagnostics);
        #[cfg(feature = "convert")]
        super::keys::check(input, &options.read, &mut diagnostics);
    }
    Ok(checked(&diagnostics, &input.bytes, options))
}

fn checked(diagnostics: &Diagnostics, bytes: &[u8], options: &Options) -> Checked {
    let counts = counts(diagnostics, options);
    let findings = findings(diagnostics, bytes, options);
    Checked {
        format: formats::format_name(bytes).unwrap_or("unknown"),
        omitted: omitted(diagnostics, &findings, options),
        findings,
        counts,
        is_valid: counts.errors == 0 && (counts.warnings == 0 || !options.deny_warnings),
    }
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

fn omitted(diagnostics: &Diagnostics, findings: &[Finding], options: &Options) -> BTreeMap<&'static str, usize> {
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
    located(bytes, kept, options.excerpts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::NO_SIDECARS;

    const ODD: &str = r#"{
  "version": 1, "fps": 0, "images": [], "bones": [{"name": "root", "parent": 7}], "meshes": [], "animations": []
}"#;

    fn checked(options: &Options) -> Checked {
        check(&Input { bytes: ODD.into(), sidecars: NO_SIDECARS }, options).unwrap()
    }

    fn codes(checked: &Checked) -> Vec<&str> {
        checked.findings.iter().map(|finding| finding.code).collect()
    }

    #[test]
    fn a_finding_has_a_location() {
        let checked = checked(&Options { excerpts: true, ..Options::default() });
        assert!(!checked.is_valid && checked.counts.errors == 1, "{checked:?}");
        let finding = checked.findings.iter().find(|finding| finding.severity == Severity::Error).unwrap();
        let Finding { pointer, offset, position, excerpt, .. } = finding;
        assert_eq!(pointer.as_deref(), Some("/bones/0/parent"));
        let at = offset.unwrap() as usize;
        assert!(ODD[at..].starts_with("7}"));
        assert_eq!(position.unwrap().line, 2);
        let excerpt = excerpt.as_ref().unwrap();
        assert_eq!(&excerpt.text[excerpt.marked.clone()], "7");
        let without = super::check(&Input { bytes: ODD.into(), sidecars: NO_SIDECARS }, &Options::default());
        assert!(without.unwrap().findings.iter().all(|finding| finding.excerpt.is_none()));
    }

    #[test]
    fn ignored_codes_are_not_counted() {
        let all = checked(&Options::default());
        let error = all.findings.iter().find(|finding| finding.severity == Severity::Error).unwrap().code;
        let rest = checked(&Options { ignored: vec![error.to_owned()], ..Options::default() });
        assert!(rest.is_valid && rest.counts.errors == 0, "{rest:?}");
        let others: Vec<&str> = codes(&all).into_iter().filter(|code| *code != error).collect();
        assert_eq!(codes(&rest), others);
        assert!(!rest.omitted.contains_key(error));
    }

    #[test]
    fn denied_warnings_make_a_file_invalid() {
        let unknown_key = ODD.replace("7", "-1").replace(r#""fps": 0"#, r#""fps": 24, "unknown": 0"#);
        let check = |deny_warnings| {
            let options = Options { deny_warnings, ..Options::default() };
            check(&Input { bytes: unknown_key.clone().into(), sidecars: NO_SIDECARS }, &options).unwrap()
        };
        let (tolerant, strict) = (check(false), check(true));
        assert!(tolerant.counts.warnings > 0, "{tolerant:?}");
        assert!(tolerant.is_valid && !strict.is_valid);
        assert_eq!(tolerant.findings, strict.findings);
    }

    #[test]
    fn unreadable_and_unknown_files_are_errors() {
        let check = |bytes: &'static str| {
            check(&Input { bytes: bytes.into(), sidecars: NO_SIDECARS }, &Options::default()).unwrap_err()
        };
        assert_eq!(check("no character at all").code(), "unknown-format");
        assert_eq!(check(r#"{"a": 1}"#).code(), "unknown-format");
        let missing = check_file("no/such/file.pchr".as_ref(), &Options::default()).unwrap_err();
        assert!(missing.to_string().contains("no/such/file.pchr"), "{missing}");
    }
}
