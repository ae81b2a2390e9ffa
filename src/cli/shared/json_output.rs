//! Prints JSON documents to stdout, with control characters escaped.

use std::fmt::Write as _;
use std::io::{self, Write};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};

use super::failure::Failure;
use super::stdio::{print_stdout, print_with};
use crate::Error;
use crate::error::needs_escape;

/// A JSON document with a published schema. The fields of the document and of all nested types are in alphabetical
/// order.
pub trait JsonOutput: Serialize + JsonSchema {
    /// Name and version, as in the `schema` field.
    const SCHEMA: &'static str;

    /// Returns the document as text. Not by way of a `Value`, which would sort the keys too, but print every `f32`
    /// with the digits of an `f64`.
    fn to_text(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self).map(escape_controls)
    }
}

/// Escapes all characters of JSON text that could control a terminal, and `##`, which could control a runner, see
/// [`without_commands`](super::stdio::without_commands). JSON itself only escapes characters below U+0020. The others
/// only occur in strings.
pub fn escape_controls(text: String) -> String {
    let text = if text.contains("##") { text.replace("##", r"#\u0023") } else { text };
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
    escaped
}

/// Returns true for control characters other than the line breaks of the layout.
fn needs_json_escape(c: char) -> bool {
    c != '\n' && needs_escape(c)
}

/// Prints `document` to stdout.
pub fn print(document: &impl JsonOutput) -> Result<(), Failure> {
    print_stdout(&(document.to_text().map_err(unwritten)? + "\n"))
}

/// Prints `document` to stdout while it is serialized, for long ones. A row of a table, at the seventh level, takes one
/// line.
pub fn print_streamed(document: &impl JsonOutput) -> Result<(), Failure> {
    print_with(|stdout| {
        let mut out = io::BufWriter::new(stdout);
        document.serialize(&mut Serializer::with_formatter(&mut out, Rows::default()))?;
        out.write_all(b"\n")?;
        out.flush()
    })
}

/// Indents the upper levels of a document and escapes control characters.
#[derive(Default)]
struct Rows {
    pretty: PrettyFormatter<'static>,
    level: usize,
}

impl Rows {
    /// Calls `indented` on the upper levels, `in_line` below.
    fn at<W: ?Sized>(
        &mut self,
        out: &mut W,
        indented: impl FnOnce(&mut PrettyFormatter<'static>, &mut W) -> io::Result<()>,
        in_line: impl FnOnce(&mut CompactFormatter, &mut W) -> io::Result<()>,
    ) -> io::Result<()> {
        const INDENTED: usize = 6;
        if self.level <= INDENTED { indented(&mut self.pretty, out) } else { in_line(&mut CompactFormatter, out) }
    }
}

impl Formatter for Rows {
    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.level += 1;
        self.at(out, |it, out| it.begin_array(out), |it, out| it.begin_array(out))
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.at(out, |it, out| it.end_array(out), |it, out| it.end_array(out))?;
        self.level -= 1;
        Ok(())
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.at(out, |it, out| it.begin_array_value(out, first), |it, out| it.begin_array_value(out, first))
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.at(out, |it, out| it.end_array_value(out), |it, out| it.end_array_value(out))
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.level += 1;
        self.at(out, |it, out| it.begin_object(out), |it, out| it.begin_object(out))
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.at(out, |it, out| it.end_object(out), |it, out| it.end_object(out))?;
        self.level -= 1;
        Ok(())
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.at(out, |it, out| it.begin_object_key(out, first), |it, out| it.begin_object_key(out, first))
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.at(out, |it, out| it.begin_object_value(out), |it, out| it.begin_object_value(out))
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.at(out, |it, out| it.end_object_value(out), |it, out| it.end_object_value(out))
    }

    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        out.write_all(escape_controls(fragment.to_owned()).as_bytes())
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
