//! What every document that is printed as JSON has in common.

use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::Serialize;

use super::failure::Failure;
use super::stdio::print_stdout;
use crate::error::{Error, is_obeyed};

/// What is printed as JSON with a schema of its own. Its fields are in alphabetical order, those of
/// everything in it too.
pub trait JsonOutput: Serialize + JsonSchema {
    /// Name and version, as the field `schema` has it.
    const SCHEMA: &'static str;

    /// As text. Its keys are sorted because the fields are: a `Value` would sort them, and print every
    /// `f32` with the digits of an `f64`.
    fn to_text(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self).map(harmless)
    }
}

/// Something odd in the file.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Warning {
    /// A stable name of the rule.
    pub code: &'static str,
    /// Where it is, what was found and what would be right.
    pub message: String,
}

/// JSON text in which nothing stands that a terminal obeys: JSON itself escapes only the first 32 characters. All of it
/// is in strings.
pub fn harmless(text: String) -> String {
    if !text.contains(is_obeyed_in_json) {
        return text;
    }
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if is_obeyed_in_json(c) { _ = write!(escaped, "\\u{:04x}", u32::from(c)) } else { escaped.push(c) }
    }
    escaped
}

/// The layout has line ends of its own.
fn is_obeyed_in_json(c: char) -> bool {
    c != '\n' && is_obeyed(c)
}

/// Prints `document` to stdout.
pub fn print(document: &impl JsonOutput) -> Result<(), Failure> {
    print_stdout(&(document.to_text().map_err(unwritten)? + "\n"))
}

/// An error of a document that could not be printed.
pub fn unwritten(error: serde_json::Error) -> Failure {
    Failure::Output(Error::io("stdout", error.into()))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn nothing_that_terminals_obey_is_printed_raw() {
        let value = serde_json::json!({ "name": "a\u{9b}31m\u{202e}\u{85}\u{1b}é" });
        let text = harmless(serde_json::to_string_pretty(&value).unwrap());
        let is_plain = |c: char| matches!(c, ' '..='~' | '\n' | 'é');
        assert!(text.chars().all(is_plain), "{text:?}");
        assert!(text.contains('é') && text.lines().count() == 3, "{text}");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }
}
