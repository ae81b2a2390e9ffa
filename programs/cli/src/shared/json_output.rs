//! Prints JSON documents to stdout, with control characters escaped.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

use schemars::JsonSchema;
use serde::Serialize;
use serde::ser::Error as _;
use serde_json::Serializer;
use serde_json::value::to_raw_value;

use super::failure::Failure;
use super::stdio::{print_stdout, print_with};
use pchr::Error;
use pchr::error::needs_escape;

/// Returns the style that `--json` or `--style` selects.
pub fn style<S: Copy + PartialEq>(is_json: bool, style: Option<S>, [json, usual]: [S; 2]) -> Result<S, Failure> {
    match style {
        Some(style) if is_json && style != json => {
            Err(Failure::usage("--json means --style json and conflicts with any other --style"))
        }
        style => Ok(style.unwrap_or(if is_json { json } else { usual })),
    }
}

/// A JSON document with a published schema. The fields of the document and of all nested types are in alphabetical
/// order.
pub trait JsonOutput: Serialize + JsonSchema {
    /// Name and version, as in the `schema` field.
    const SCHEMA: &'static str;

    /// Returns the document as text. Not by way of a `Value`, which would sort the keys too, but print every `f32`
    /// with the digits of an `f64`.
    fn to_text(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self).map(|text| escape_controls(text).into_owned())
    }
}

/// Escapes all characters of JSON text that could control a terminal, and `##`, which could control a runner, see
/// [`without_commands`](super::stdio::without_commands). JSON itself only escapes characters below U+0020. The others
/// only occur in strings.
pub fn escape_controls<'a>(text: impl Into<Cow<'a, str>>) -> Cow<'a, str> {
    let text = text.into();
    let text = if text.contains("##") { text.replace("##", r"#\u0023").into() } else { text };
    if !text.contains(needs_json_escape) {
        return text;
    }
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if needs_json_escape(c) {
            // Two units, if it is beyond U+FFFF.
            c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| _ = write!(escaped, "\\u{unit:04x}"));
        } else {
            escaped.push(c);
        }
    }
    escaped.into()
}

/// Returns true for control characters other than the line breaks of the layout.
fn needs_json_escape(c: char) -> bool {
    c != '\n' && needs_escape(c)
}

/// Prints `document` to stdout.
pub fn print(document: &impl JsonOutput) -> Result<(), Failure> {
    print_stdout(&(document.to_text().map_err(unwritten)? + "\n"))
}

/// Prints `document` to stdout while it is serialized, for long ones.
pub fn print_streamed(document: &impl JsonOutput) -> Result<(), Failure> {
    print_with(|stdout| {
        let mut out = Escaping(io::BufWriter::new(stdout));
        document.serialize(&mut Serializer::pretty(&mut out))?;
        out.write_all(b"\n")?;
        out.flush()
    })
}

/// Escapes control characters in JSON text. A character must not be split between two writes.
struct Escaping<W>(W);

impl<W: Write> Write for Escaping<W> {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        let escaped = std::str::from_utf8(text).map(escape_controls);
        self.0.write_all(escaped.map_err(io::Error::other)?.as_bytes())?;
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

// A value that takes one line of a document, such as a row of a table. A doc comment would be part of the schema.
#[derive(JsonSchema)]
#[schemars(transparent)]
pub struct Line<T>(pub T);

impl<T: Serialize> Serialize for Line<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        to_raw_value(&self.0).map_err(S::Error::custom)?.serialize(serializer)
    }
}

/// The error for a document that could not be printed.
pub fn unwritten(error: serde_json::Error) -> Failure {
    Failure::Output(Error::io("stdout", error.into()))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn terminal_control_characters_are_escaped() {
        let value =
            serde_json::json!({ "name": "a\u{9b}31m\u{202e}\u{85}\u{1b}\u{1ffff}é ##vso[task.setvariable]###" });
        let text = escape_controls(serde_json::to_string_pretty(&value).unwrap());
        let is_plain = |c: char| matches!(c, ' '..='~' | '\n' | 'é');
        assert!(text.chars().all(is_plain), "{text:?}");
        assert!(text.contains('é') && text.lines().count() == 3 && !text.contains("##"), "{text}");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }
}
