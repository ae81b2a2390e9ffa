//! Invariants of `pchr validate`: whatever a file and the names in it are, the output of every style has the same
//! structure.

use std::path::Path;

use bytes::Bytes;
use pchr::error::escaped;
use pchr::limits::Limits;
use pchr::validate::{Finding, Options, check};
use pchr_cli::fuzzing;
use serde_json::Value;

use super::names::HOSTILE;
use super::printed::{Annotation, assert_plain, assert_property, without_colours};
use crate::fuzzing::opened::{input, within};

/// Validates the bytes as a file with a hostile name, and parses the output of every style.
pub fn print_findings(bytes: &Bytes, limits: &Limits) {
    let options = Options { read: within(limits), excerpts: true, ..Options::default() };
    let file = name(bytes);
    let result = check(&input(bytes), &options);
    let findings: Vec<Finding> = result.iter().flat_map(|checked| checked.findings.clone()).collect();
    let problem = result.as_ref().err().map(ToString::to_string);
    let styles = fuzzing::print_findings(Path::new(&file), result).expect("JSON");
    let [human, json, github, sarif] = &styles[..] else { panic!("{} styles", styles.len()) };
    assert_plain(&without_colours(human));
    [json, github, sarif].into_iter().for_each(|text| assert_plain(text));
    let json: Value = serde_json::from_str(json).expect("JSON");
    let own = &json["files"][0];
    assert_eq!(own["file"].as_str(), Some(file.strip_prefix("./").unwrap_or(&file)));
    assert_eq!(own["problem"].is_object(), problem.is_some());
    let listed = own["findings"].as_array().expect("a list");
    assert!(listed.iter().map(|finding| finding["message"].as_str()).eq(messages(&findings)), "{json}");
    assert_github(github, &file, &findings, problem.is_some());
    assert_sarif(&serde_json::from_str(sarif).expect("JSON"), &file, &findings, problem.is_some());
}

fn messages(findings: &[Finding]) -> impl Iterator<Item = Option<&str>> {
    findings.iter().map(|finding| Some(finding.message.as_str()))
}

/// A name that depends on the content only.
fn name(bytes: &Bytes) -> String {
    let sum: usize = bytes.iter().map(|byte| usize::from(*byte)).sum();
    let part = String::from_utf8_lossy(&bytes[..bytes.len().min(sum % 64)]).replace('\0', "");
    let name = HOSTILE[sum % HOSTILE.len()].to_owned() + &part;
    // The name of standard input.
    if name == "-" { "x".to_owned() } else { name }
}

fn assert_github(text: &str, file: &str, findings: &[Finding], is_failed: bool) {
    let mut lines: Vec<&str> = text.lines().collect();
    assert!(lines.pop().expect("a summary").starts_with("1 file: "), "{text}");
    let extra = lines.len() - findings.len();
    assert!(extra == usize::from(is_failed) || !is_failed && extra == 1, "{text}");
    for (number, line) in lines.iter().enumerate() {
        let annotation = Annotation::of(line);
        assert!(["error", "warning", "notice"].contains(&annotation.level.as_str()), "{line}");
        let keys = annotation.keys();
        let known: [&[&str]; 3] = [&["file", "title"], &["file", "line", "col", "title"], &["file"]];
        assert!(known.contains(&&keys[..]), "{line}");
        let file = findings.get(number).and_then(|finding| finding.other_file.as_deref()).unwrap_or(file);
        if !Path::new(file).is_absolute() {
            assert_property(annotation.get("file"), file.strip_prefix("./").unwrap_or(file));
        }
        if let Some(finding) = findings.get(number).filter(|finding| finding.message.len() < 300) {
            assert!(annotation.message.ends_with(&escaped(&finding.message)), "{line}");
        }
    }
}

fn assert_sarif(log: &Value, file: &str, findings: &[Finding], is_failed: bool) {
    let run = &log["runs"][0];
    let results = run["results"].as_array().expect("a list");
    assert_eq!(results.len(), findings.len());
    let rules = run["tool"]["driver"]["rules"].as_array().expect("a list");
    for (result, finding) in results.iter().zip(findings) {
        assert_eq!(result["message"]["text"].as_str(), Some(&*escaped(&finding.message)));
        let index = result["ruleIndex"].as_u64().expect("a number") as usize;
        assert_eq!(rules[index]["id"], finding.code);
        assert_eq!(result["ruleId"], finding.code);
        let place = &result["locations"][0]["physicalLocation"];
        assert_uri(&place["artifactLocation"]["uri"], finding.other_file.as_deref().unwrap_or(file));
        let region = &place["region"];
        let first = [&region["startLine"], &region["startColumn"]].map(|number| number.as_u64().unwrap_or(1));
        assert!(first.iter().all(|number| *number > 0), "{region}");
    }
    let invocation = &run["invocations"][0];
    assert_eq!(invocation["executionSuccessful"].as_bool(), Some(!is_failed));
    for notification in invocation["toolExecutionNotifications"].as_array().into_iter().flatten() {
        let text = notification["message"]["text"].as_str().expect("a text");
        match notification["locations"].as_array() {
            Some(places) => assert_uri(&places[0]["physicalLocation"]["artifactLocation"]["uri"], file),
            // Not about a file.
            None => assert!(text.ends_with("findings not shown"), "{notification}"),
        }
    }
}

/// Asserts that a URI is a relative reference that stands for the file.
#[track_caller]
fn assert_uri(uri: &Value, file: &str) {
    let uri = uri.as_str().expect("a URI");
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/%".contains(&byte);
    assert!(uri.bytes().all(is_allowed) && !uri.starts_with('/'), "{uri}");
    let mut bytes = Vec::new();
    let mut parts = uri.split('%');
    bytes.extend(parts.next().unwrap_or_default().bytes());
    for part in parts {
        bytes.push(u8::from_str_radix(&part[..2], 16).expect("two digits"));
        bytes.extend(part[2..].bytes());
    }
    let decoded = String::from_utf8(bytes).expect("UTF-8");
    if !Path::new(file).is_absolute() {
        assert_eq!(decoded, file.strip_prefix("./").unwrap_or(file));
    }
}
