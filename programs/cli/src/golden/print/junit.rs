//! JUnit XML: a test suite per character and a test case per frame.

use std::collections::BTreeMap;
use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::{Times, UNUSED, structure_lines};
use crate::golden::record::{Comparison, FrameRecord, Verdict};
use crate::shared::failure::Failure;
use pchr::Error;
use pchr::error::needs_escape;

/// Returns the document.
pub fn text(comparison: &Comparison, times: &Times) -> Result<String, Failure> {
    let mut suites: BTreeMap<&str, TestSuite> = BTreeMap::new();
    // In each suite, failures come first, and frames in the order of the run.
    let failed = comparison.failures.iter().map(|failure| {
        let status = unsuccessful(NonSuccessKind::Error, &failure.code, &failure.message);
        (failure.character.as_deref().unwrap_or_default(), TestCase::new("character", status))
    });
    let compared = comparison.frames.iter().map(|frame| {
        let mut case = TestCase::new(valid(&frame.reference), status(frame));
        attach(&mut case, frame);
        case.time = times.get(&frame.index).copied();
        (frame.character.as_str(), case)
    });
    let structures = comparison.structures.iter().map(|structure| {
        let text = structure_lines(structure).join("\n");
        let is_wrong = structure.verdict.is_wrong();
        let wrong = is_wrong.then(|| unsuccessful(NonSuccessKind::Failure, "structure", &text));
        let status = wrong.unwrap_or_else(TestCaseStatus::success);
        (structure.character.as_str(), TestCase::new(valid(&structure.reference), status))
    });
    let unused = comparison.unused.iter().map(|reference| {
        let status = unsuccessful(NonSuccessKind::Failure, "unused", UNUSED);
        ("references", TestCase::new(valid(reference), status))
    });
    for (character, mut case) in failed.chain(compared).chain(structures).chain(unused) {
        case.set_classname(valid(character));
        let suite = suites.entry(character).or_insert_with(|| TestSuite::new(valid(character)));
        suite.add_test_case(case);
    }
    let mut report = Report::new("pchr test");
    for suite in suites.values_mut() {
        let time: Duration = suite.test_cases.iter().filter_map(|case| case.time).sum();
        if time > Duration::ZERO {
            suite.set_time(time);
        }
    }
    report.add_test_suites(suites.into_values());
    let written = report.to_string();
    written.map_err(|error| Failure::Output(Error::io("stdout", std::io::Error::other(error))))
}

fn status(frame: &FrameRecord) -> TestCaseStatus {
    let kind = match frame.verdict {
        Verdict::Same | Verdict::Updated => return TestCaseStatus::success(),
        Verdict::Different | Verdict::Missing | Verdict::Resized => NonSuccessKind::Failure,
        Verdict::Unreadable => NonSuccessKind::Error,
    };
    let mut text = frame.message.clone().unwrap_or_default();
    for (label, path) in [("new picture", &frame.now), ("difference", &frame.diff)] {
        if let Some(path) = path {
            text += &format!("\n{label}: {path}");
        }
    }
    unsuccessful(kind, frame.verdict.name(), &text)
}

/// Names the pictures of a frame as GitLab and the Attachments plugin of Jenkins expect them.
fn attach(case: &mut TestCase, frame: &FrameRecord) {
    let paths = [frame.diff.as_deref(), frame.now.as_deref()];
    let lines: Vec<String> =
        paths.into_iter().flatten().map(|path| format!("[[ATTACHMENT|{}]]", valid(path))).collect();
    if !lines.is_empty() {
        case.set_system_out(lines.join("\n"));
    }
}

fn unsuccessful(kind: NonSuccessKind, code: &str, message: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(valid(code));
    status.set_message(valid(message.lines().next().unwrap_or_default()));
    status.set_description(message.lines().map(valid).collect::<Vec<_>>().join("\n"));
    status
}

/// Escapes characters that XML cannot contain or a terminal would interpret.
fn valid(text: &str) -> String {
    let is_invalid = |c: char| needs_escape(c) || matches!(c, '\u{fffe}' | '\u{ffff}');
    let escaped = |c: char| if is_invalid(c) { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(escaped).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_xml_forbids_are_escaped() {
        assert_eq!(valid("a\u{0}\u{1b}[31m\u{ffff}\u{202e}<&é"), "a\\u{0}\\u{1b}[31m\\u{ffff}\\u{202e}<&é");
    }
}
