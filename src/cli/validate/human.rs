//! For people: a block a finding, as compilers print them, and a line about all files.

use std::collections::HashSet;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::judge::{Judged, Outcome};
use super::{Style, Totals, count};
use crate::diagnostics::Severity;
use crate::error::shown;
use crate::formats::findings;
use crate::validate::{Checked, Finding, Location, Position};

/// Text, with colours.
#[derive(Debug)]
pub struct Human {
    /// Codes whose help was printed.
    helped: HashSet<&'static str>,
    quiet: bool,
}

impl Human {
    /// With `quiet` there is no line about all files.
    pub fn new(quiet: bool) -> Self {
        Self { helped: HashSet::new(), quiet }
    }
}

impl Style for Human {
    fn file(&mut self, judged: &Judged, printed: usize, out: &mut String) -> serde_json::Result<()> {
        let Outcome::Checked(checked) = &judged.outcome else { return Ok(()) };
        for finding in &checked.findings[..printed] {
            let is_first = self.helped.insert(finding.code);
            let help = findings::rule(finding.code).filter(|_| is_first).map(|rule| rule.help);
            *out += &block(&judged.shown, finding, help);
        }
        // Whoever asked for fewer knows that there are more.
        if printed == checked.findings.len() && !checked.not_kept.is_empty() {
            let message = format!("{}: {}", shown(&judged.shown), more(checked));
            *out += &render(&[Group::with_title(Level::NOTE.primary_title(message))]);
        }
        Ok(())
    }

    fn end(&mut self, totals: &Totals, out: &mut String) -> serde_json::Result<()> {
        if !self.quiet {
            *out += &summary(totals);
        }
        Ok(())
    }
}

/// What was found too often to be kept.
pub fn more(checked: &Checked) -> String {
    let codes: Vec<String> = checked.not_kept.iter().map(|(code, count)| format!("{count} × {code}")).collect();
    format!("more was found than is kept: {}", codes.join(", "))
}

fn block(file: &str, finding: &Finding, help: Option<&'static str>) -> String {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let title = level.clone().primary_title(shown(&finding.message)).id(finding.code);
    let mut group = title.element(Origin::path(shown(&place(file, &finding.location))));
    let mut report = Vec::new();
    if let (Some(excerpt), Some(Position { line, .. })) = (&finding.location.excerpt, finding.location.position) {
        let marked = AnnotationKind::Primary.span(excerpt.marked.clone());
        let snippet = Snippet::source(excerpt.text.as_str()).line_start(line).annotation(marked);
        // A group of its own: the place above is the snippet's, whose columns would count what is cut off.
        report.push(std::mem::replace(&mut group, Group::with_level(level).element(snippet)));
    }
    report.push(group.elements(help.map(|help| Level::HELP.message(help))));
    render(&report)
}

/// File, line and column, then the path inside and the offset.
fn place(file: &str, location: &Location) -> String {
    let mut place = file.to_owned();
    if let Some(Position { line, column }) = location.position {
        place += &format!(":{line}:{column}");
    }
    let offset = location.offset.map(|offset| format!("byte {offset}"));
    match (location.inside(), offset) {
        ("", None) => place,
        ("", Some(offset)) => format!("{place}: {offset}"),
        (inside, None) => format!("{place}: {inside}"),
        (inside, Some(offset)) => format!("{place}: {inside} ({offset})"),
    }
}

fn render(report: &[Group<'_>]) -> String {
    // Colours are taken out again where nobody sees them.
    let text = Renderer::styled().render(report);
    // Between two groups stands what already ends the first and begins the second.
    let mut lines: Vec<&str> = text.lines().collect();
    lines.dedup();
    lines.join("\n") + "\n\n"
}

/// One line about everything.
pub fn summary(totals: &Totals) -> String {
    let Totals { valid, invalid, unjudged, skipped, counts, hidden, .. } = totals;
    let list = |parts: &[(usize, String)]| -> String {
        let parts: Vec<&str> =
            parts.iter().filter(|(count, _)| *count > 0).map(|(_, part)| part.as_str()).collect();
        parts.join(", ")
    };
    let verdicts = list(&[
        (*valid, format!("{valid} valid")),
        (*invalid, format!("{invalid} invalid")),
        (*unjudged, format!("{unjudged} not judged")),
    ]);
    let findings = list(&[
        (counts.errors, count(counts.errors, "error")),
        (counts.warnings, count(counts.warnings, "warning")),
        (counts.notes, count(counts.notes, "note")),
    ]);
    let mut line = format!("{}: {verdicts}", count(totals.files(), "file"));
    if !findings.is_empty() {
        line += &format!("; {findings}");
    }
    if *hidden > 0 {
        line += &format!("; {} not shown", count(*hidden, "finding"));
    }
    if *skipped > 0 {
        line += &format!("; {} without a character left out", count(*skipped, "file"));
    }
    line + "\n"
}
