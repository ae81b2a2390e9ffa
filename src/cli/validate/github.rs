//! GitHub Actions annotations: one workflow command per finding.

use std::fmt::Write;

use super::human::{more, summary};
use super::judge::{Judged, Outcome};
use super::{Style, Totals};
use crate::diagnostics::Severity;
use crate::error::escaped;
use crate::formats::findings;
use crate::validate::Finding;

#[derive(Debug, Default)]
pub struct Github;

impl Style for Github {
    fn file(&mut self, judged: &Judged, printed: usize, out: &mut String) -> serde_json::Result<()> {
        match &judged.outcome {
            Outcome::Checked(checked) => {
                for finding in &checked.findings[..printed] {
                    annotate(&judged.annotated, finding, out);
                }
                if printed == checked.findings.len() && !checked.omitted.is_empty() {
                    command("notice", &[("file", &judged.annotated)], &more(checked), out);
                }
            }
            Outcome::Failed(_) | Outcome::Broken | Outcome::Skipped => {
                if let Some((code, message)) = judged.problem() {
                    command("error", &[("file", &judged.annotated), ("title", code)], &message, out);
                }
            }
        }
        Ok(())
    }

    fn end(&mut self, totals: &Totals, out: &mut String) -> serde_json::Result<()> {
        *out += &summary(totals);
        Ok(())
    }
}

fn annotate(file: &str, finding: &Finding, out: &mut String) {
    let name = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let title = match findings::rule(finding.code) {
        Some(rule) => format!("{} [{}]", rule.title, finding.code),
        None => finding.code.to_owned(),
    };
    let position =
        finding.location.position.map(|position| (position.line.to_string(), position.column.to_string()));
    let mut properties = vec![("file", file)];
    if let Some((line, column)) = &position {
        properties.extend([("line", line.as_str()), ("col", column.as_str())]);
    }
    properties.push(("title", &title));
    let place = match (finding.location.inside(), finding.location.offset) {
        ("", None) => String::new(),
        ("", Some(offset)) => format!("byte {offset}: "),
        (inside, None) => format!("{inside}: "),
        (inside, Some(offset)) => format!("{inside} (byte {offset}): "),
    };
    command(name, &properties, &format!("{place}{}", finding.message), out);
}

/// `::name key=value,key=value::message`
fn command(name: &str, properties: &[(&str, &str)], message: &str, out: &mut String) {
    let properties: Vec<String> =
        properties.iter().map(|(key, value)| format!("{key}={}", escape_property(value))).collect();
    // Writing to a String cannot fail.
    let _ = writeln!(out, "::{name} {}::{}", properties.join(","), escape(&escaped(message)));
}

/// Escapes a message; the runner reverses this.
fn escape(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn escape_property(text: &str) -> String {
    // Control characters are escaped too, in case the output is viewed in a terminal.
    escaped(&escape(text)).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_of_commands_and_properties_are_escaped() {
        let mut out = String::new();
        command("error", &[("file", "a,b:c%\r\n.pchr"), ("title", "t")], "50 %: a, b\n::error::x", &mut out);
        let expected = "::error file=a%2Cb%3Ac%25%0D%0A.pchr,title=t::50 %25: a, b\\n::error::x\n";
        assert_eq!(out, expected);
    }
}
