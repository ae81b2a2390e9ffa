//! Text output: a block per finding, as compilers print them, and a summary line.

use std::collections::HashSet;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::judge::{Judged, Outcome};
use super::{Style, Totals};
use crate::shared::counted::counted;
use crate::shared::warnings::not_listed;
use pchr::diagnostics::Severity;
use pchr::error::escaped;
use pchr::formats::findings;
use pchr::validate::{Checked, Finding, Position};

/// Prints text with colours.
#[derive(Debug)]
pub struct Human {
    /// Codes whose help has been printed.
    helped: HashSet<&'static str>,
    quiet: bool,
}

impl Human {
    /// `quiet` omits the summary line.
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
        // Not if --max-issues has already cut the list.
        if printed == checked.findings.len() && !checked.omitted.is_empty() {
            let message = format!("{}: {}", escaped(&judged.shown), more(checked));
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

/// Returns the message about findings that were counted but not stored.
pub fn more(checked: &Checked) -> String {
    not_listed(checked.omitted.iter().map(|(code, count)| (*code, *count)))
}

fn block(file: &str, finding: &Finding, help: Option<&'static str>) -> String {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let title = level.clone().primary_title(escaped(&finding.message)).id(finding.code);
    let mut group = title.element(Origin::path(escaped(&place(file, finding))));
    let mut report = Vec::new();
    if let (Some(excerpt), Some(Position { line, .. })) = (&finding.excerpt, finding.position) {
        let marked = AnnotationKind::Primary.span(excerpt.marked.clone());
        let snippet = Snippet::source(excerpt.text.as_str()).line_start(line).annotation(marked);
        // In a separate group: as the snippet's origin, the place would get columns of the shortened line.
        report.push(std::mem::replace(&mut group, Group::with_level(level).element(snippet)));
    }
    let reader = finding.other_file.as_ref().map(|_| Level::NOTE.message(format!("read for {}", escaped(file))));
    report.push(group.elements(reader).elements(help.map(|help| Level::HELP.message(help))));
    render(&report)
}

/// Formats file, line and column, then the path inside the file and the offset.
fn place(file: &str, finding: &Finding) -> String {
    let mut place = finding.other_file.as_deref().unwrap_or(file).to_owned();
    if let Some(Position { line, column }) = finding.position {
        place += &format!(":{line}:{column}");
    }
    let offset = finding.offset.map(|offset| format!("byte {offset}"));
    match (finding.inside(), offset) {
        ("", None) => place,
        ("", Some(offset)) => format!("{place}: {offset}"),
        (inside, None) => format!("{place}: {inside}"),
        (inside, Some(offset)) => format!("{place}: {inside} ({offset})"),
    }
}

fn render(report: &[Group<'_>]) -> String {
    // The output stream removes the colours if it is not a terminal.
    let text = Renderer::styled().render(report);
    // The renderer repeats the line between two groups.
    let mut lines: Vec<&str> = text.lines().collect();
    lines.dedup();
    lines.join("\n") + "\n\n"
}

/// Returns the summary line.
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
        (*unjudged, format!("{unjudged} not checked")),
    ]);
    let findings = list(&[
        (counts.errors, counted(counts.errors, "error")),
        (counts.warnings, counted(counts.warnings, "warning")),
        (counts.notes, counted(counts.notes, "note")),
    ]);
    let mut line = counted(totals.files(), "file");
    if !verdicts.is_empty() {
        line += &format!(": {verdicts}");
    }
    if !findings.is_empty() {
        line += &format!("; {findings}");
    }
    if *hidden > 0 {
        line += &format!("; {} not shown", counted(*hidden, "finding"));
    }
    if *skipped > 0 {
        line += &format!("; {} without a character skipped", counted(*skipped, "file"));
    }
    line + "\n"
}
