//! The required subset of SARIF 2.1.0: <https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>.
//!
//! The log has one run. Results are streamed first; the rules they refer to follow.

use std::collections::HashMap;
use std::path::Path;

use serde::Serialize;

use super::judge::{Judged, Outcome};
use super::stream::{List, push};
use super::{Style, Summary, human};
use crate::shared::counted::counted;
use crate::shared::files::annotated;
use pchr::diagnostics::Severity;
use pchr::error::escaped;
use pchr::formats::findings;
use pchr::validate::{Finding, Position};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
const VERSION: &str = "2.1.0";

/// §3.27
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult<'a> {
    rule_id: &'a str,
    rule_index: usize,
    level: &'static str,
    message: Message,
    locations: [Location<'a>; 1],
}

/// §3.11
#[derive(Debug, Serialize)]
struct Message {
    text: String,
}

/// §3.28
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Location<'a> {
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    logical_locations: Option<[LogicalLocation<'a>; 1]>,
}

/// §3.29
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

/// §3.4
#[derive(Debug, Serialize)]
struct ArtifactLocation {
    uri: String,
}

/// §3.30: line and column in text files, byte offset in binary files.
#[derive(Debug, Serialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
enum Region {
    Text { start_line: usize, start_column: usize },
    Binary { byte_offset: u64, byte_length: u64 },
}

/// §3.33
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct LogicalLocation<'a> {
    fully_qualified_name: &'a str,
}

/// §3.20
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_execution_notifications: Vec<Notification>,
}

/// §3.58
#[derive(Debug, Serialize)]
struct Notification {
    level: &'static str,
    message: Message,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locations: Vec<Location<'static>>,
}

/// §3.18
#[derive(Debug, Serialize)]
struct Tool<'a> {
    driver: Driver<'a>,
}

/// §3.19
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver<'a> {
    name: &'static str,
    version: &'static str,
    information_uri: &'static str,
    rules: Vec<Rule<'a>>,
}

/// §3.49
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule<'a> {
    id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    short_description: Option<Message>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<Message>,
    #[serde(skip_serializing_if = "Option::is_none")]
    default_configuration: Option<Configuration>,
}

/// §3.50
#[derive(Debug, Serialize)]
struct Configuration {
    level: &'static str,
}

/// Streams a log file by file.
#[derive(Debug, Default)]
pub struct Sarif {
    results: List,
    /// Rule index of each code found so far.
    rules: HashMap<&'static str, usize>,
    notifications: Vec<Notification>,
}

impl Sarif {
    fn notify(&mut self, level: &'static str, file: Option<&str>, text: String) {
        let location = |file| Location { physical_location: physical(file, None), logical_locations: None };
        let locations = file.map(location).into_iter().collect();
        self.notifications.push(Notification { level, message: Message { text }, locations });
    }
}

impl Style for Sarif {
    fn begin(&mut self, out: &mut String) -> serde_json::Result<()> {
        out.push_str(&format!(
            "{{\n  \"$schema\": \"{SCHEMA}\",\n  \"version\": \"{VERSION}\",\n  \"runs\": [\n    {{\n      \
             \"columnKind\": \"unicodeCodePoints\",\n      \"results\": ["
        ));
        Ok(())
    }

    fn file(&mut self, judged: &Judged<'_>, printed: usize, out: &mut String) -> serde_json::Result<()> {
        match &judged.outcome {
            Outcome::Checked(checked) => {
                for finding in &checked.findings[..printed] {
                    let next = self.rules.len();
                    let rule_index = *self.rules.entry(finding.code).or_insert(next);
                    self.results.push(&result(&judged.target.annotated, finding, rule_index), 8, out)?;
                }
                if let Some(more) = human::more(checked, printed) {
                    self.notify("note", Some(&judged.target.annotated), more);
                }
            }
            Outcome::Failed(_) | Outcome::Skipped(_) => {
                if let Some((_, message)) = judged.problem() {
                    self.notify("error", Some(&judged.target.annotated), message);
                }
            }
        }
        Ok(())
    }

    fn end(&mut self, totals: &Summary, out: &mut String) -> serde_json::Result<()> {
        if totals.hidden > 0 {
            self.notify("note", None, format!("{} not shown", counted(totals.hidden, "finding")));
        }
        self.results.end(6, out);
        out.push_str(",\n      \"invocations\": ");
        let invocation = Invocation {
            execution_successful: totals.unjudged == 0,
            tool_execution_notifications: std::mem::take(&mut self.notifications),
        };
        push(&[invocation], 6, out)?;
        let mut codes: Vec<_> = self.rules.iter().collect();
        codes.sort_by_key(|(_, index)| **index);
        let message = |text: &str| Message { text: text.to_owned() };
        let rule = |code: &'static str| {
            let known = findings::rule(code);
            Rule {
                id: code,
                short_description: known.map(|rule| message(rule.title)),
                help: known.map(|rule| message(rule.help)),
                default_configuration: known.map(|rule| Configuration { level: level(rule.severity) }),
            }
        };
        let driver = Driver {
            name: "pchr",
            version: env!("CARGO_PKG_VERSION"),
            information_uri: env!("CARGO_PKG_REPOSITORY"),
            rules: codes.into_iter().map(|(code, _)| rule(code)).collect(),
        };
        out.push_str(",\n      \"tool\": ");
        push(&Tool { driver }, 6, out)?;
        out.push_str("\n    }\n  ]\n}\n");
        Ok(())
    }
}

fn result<'a>(file: &str, finding: &'a Finding, rule_index: usize) -> SarifResult<'a> {
    let region = match (finding.position, finding.offset) {
        (Some(Position { line, column }), _) => Some(Region::Text { start_line: line, start_column: column }),
        // Readers report where a field begins, not where it ends.
        (None, Some(byte_offset)) => Some(Region::Binary { byte_offset, byte_length: 1 }),
        (None, None) => None,
    };
    let inside = Some(finding.inside()).filter(|inside| !inside.is_empty());
    let other_file = finding.other_file.as_deref().map(|file| annotated(Path::new(file)));
    SarifResult {
        rule_id: finding.code,
        rule_index,
        level: level(finding.severity),
        message: Message { text: escaped(&finding.message) },
        locations: [Location {
            physical_location: physical(other_file.as_deref().unwrap_or(file), region),
            logical_locations: inside.map(|name| [LogicalLocation { fully_qualified_name: name }]),
        }],
    }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

fn physical(file: &str, region: Option<Region>) -> PhysicalLocation {
    PhysicalLocation { artifact_location: ArtifactLocation { uri: uri(file) }, region }
}

/// Returns a relative reference (RFC 3986). Colons are escaped: one in the first segment would end a scheme.
fn uri(file: &str) -> String {
    let mut uri = String::with_capacity(file.len());
    for byte in file.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(byte.into()),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_are_relative_references() {
        assert_eq!(uri("a b/ä:%#?.pchr"), "a%20b/%C3%A4%3A%25%23%3F.pchr");
        assert_eq!(uri("../x_y-1.json"), "../x_y-1.json");
    }
}
