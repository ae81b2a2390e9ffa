//! Text output: a block per finding, as compilers print them, and a summary line.

use std::collections::HashSet;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::judge::{Judged, Outcome};
use super::{Style, Summary};
use crate::shared::counted::{counted, listed};
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
    fn file(&mut self, judged: &Judged<'_>, printed: usize, out: &mut String) -> serde_json::Result<()> {
        let Outcome::Checked(checked) = &judged.outcome else { return Ok(()) };
        for finding in &checked.findings[..printed] {
            let is_first = self.helped.insert(finding.code);
            let help = findings::rule(finding.code).filter(|_| is_first).map(|rule| rule.help);
            *out += &block(&judged.shown(), finding, help);
        }
        if let Some(more) = more(checked, printed) {
            let message = format!("{}: {more}", escaped(&judged.shown()));
            *out += &render(&[Group::with_title(Level::NOTE.primary_title(message))]);
        }
        Ok(())
    }

    fn end(&mut self, totals: &Summary, out: &mut String) -> serde_json::Result<()> {
        if !self.quiet {
            *out += &summary(totals);
        }
        Ok(())
    }
}

/// Returns the message about findings that were counted but not stored, unless --max-issues has already cut the list.
pub fn more(checked: &Checked, printed: usize) -> Option<String> {
    let is_whole = printed == checked.findings.len() && !checked.omitted.is_empty();
    is_whole.then(|| not_listed(checked.omitted.iter().map(|(code, count)| (*code, *count))))
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
    match inside(finding) {
        inside if inside.is_empty() => place,
        inside => format!("{place}: {inside}"),
    }
}

/// Formats the path inside the file and the offset; empty if neither is known.
pub fn inside(finding: &Finding) -> String {
    match (finding.inside(), finding.offset) {
        (inside, None) => inside.to_owned(),
        ("", Some(offset)) => format!("byte {offset}"),
        (inside, Some(offset)) => format!("{inside} (byte {offset})"),
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
pub fn summary(totals: &Summary) -> String {
    let &Summary { files, valid, invalid, unjudged, skipped, errors, warnings, notes, hidden, .. } = totals;
    let mut line = counted(files, "file");
    line += &listed(&[(valid, "valid"), (invalid, "invalid"), (unjudged, "not checked")]);
    let findings = [(errors, "error"), (warnings, "warning"), (notes, "note")];
    let findings = findings.into_iter().filter(|(count, _)| *count > 0);
    let findings: Vec<String> = findings.map(|(count, what)| counted(count, what)).collect();
    if !findings.is_empty() {
        line += &format!("; {}", findings.join(", "));
    }
    if hidden > 0 {
        line += &format!("; {} not shown", counted(hidden, "finding"));
    }
    if skipped > 0 {
        line += &format!("; {} without a character skipped", counted(skipped, "file"));
    }
    line + "\n"
}
