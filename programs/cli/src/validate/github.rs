//! GitHub Actions annotations: one workflow command per finding.

use std::path::Path;

use super::human::{inside, more, summary};
use super::judge::{Judged, Outcome};
use super::{Style, Summary};
use crate::shared::annotation::command;
use crate::shared::files::annotated;
use pchr::diagnostics::Severity;
use pchr::formats::findings;
use pchr::validate::Finding;

#[derive(Debug, Default)]
pub struct Github;

impl Style for Github {
    fn file(&mut self, judged: &Judged<'_>, printed: usize, out: &mut String) -> serde_json::Result<()> {
        match &judged.outcome {
            Outcome::Checked(checked) => {
                for finding in &checked.findings[..printed] {
                    annotate(&judged.target.annotated, finding, out);
                }
                if let Some(more) = more(checked, printed) {
                    command("notice", &[("file", &judged.target.annotated)], &[&more], out);
                }
            }
            Outcome::Failed(_) | Outcome::Skipped(_) => {
                if let Some((code, message)) = judged.problem() {
                    command("error", &[("file", &judged.target.annotated), ("title", code)], &[&message], out);
                }
            }
        }
        Ok(())
    }

    fn end(&mut self, totals: &Summary, out: &mut String) -> serde_json::Result<()> {
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
    let position = finding.position.map(|position| (position.line.to_string(), position.column.to_string()));
    let other_file = finding.other_file.as_deref().map(|file| annotated(Path::new(file)));
    let mut properties = vec![("file", other_file.as_deref().unwrap_or(file))];
    if let Some((line, column)) = &position {
        properties.extend([("line", line.as_str()), ("col", column.as_str())]);
    }
    properties.push(("title", &title));
    let reader = other_file.as_ref().map_or(String::new(), |_| format!("read for {file}: "));
    let place = match inside(finding) {
        inside if inside.is_empty() => inside,
        inside => inside + ": ",
    };
    command(name, &properties, &[&format!("{reader}{place}{}", finding.message)], out);
}
