//! Positions of errors in JSON text.

use std::borrow::Cow;

use serde_json::error::Category;

use super::locate::locate;
use crate::error::{Error, Place};
use crate::formats::foreign::conflict;

/// Message of serde_json for a number out of range.
const OUT_OF_RANGE: &str = "number out of range";

/// Converts an error of serde_json about `text`, which starts at `offset` of its file, and adds pointer and
/// offset.
pub(super) fn explain(error: &serde_json::Error, pointer: String, text: &[u8], offset: u64) -> Error {
    let whole = error.to_string();
    let what = whole.rsplit_once(" at line ").map_or(whole.as_str(), |(what, _)| what);
    let is_data = error.classify() == Category::Data || what == OUT_OF_RANGE;
    // An invalid value is reported at its start; serde reports its end. For the root value the start is only
    // helpful if a field is missing.
    let located = if is_data && (!pointer.is_empty() || what.starts_with("missing field")) {
        locate(text, &[&pointer]).pop().flatten()
    } else {
        None
    };
    let at = match located {
        Some(located) if located.is_exact => located.range.start,
        _ => offset_of(text, error.line(), error.column()),
    };
    let (line, column) = Lines::of(text).go_to(at);
    let place = Place::at(pointer, offset.saturating_add(at as u64));
    let what = match what.strip_prefix("EOF while parsing ") {
        Some("a value") => "the file ends where a value should be".to_owned(),
        Some(part) => format!("the file ends inside {part}; it is incomplete"),
        None => what.to_owned(),
    };
    let message = format!("{what} (line {line}, column {column})");
    let is_syntax = matches!(error.classify(), Category::Syntax | Category::Eof);
    let line_start = text[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    if let Some(conflict) = conflict(&text[line_start..], place.clone()).filter(|_| is_syntax) {
        return conflict;
    }
    match error.classify() {
        // The text is valid JSON, the number is out of range.
        _ if what == OUT_OF_RANGE => {
            let message = format!("the number does not fit in 32 bits (line {line}, column {column})");
            Error::malformed("json-value", place, message)
        }
        Category::Data => Error::malformed("json-value", place, message),
        Category::Io | Category::Syntax | Category::Eof => Error::malformed("bad-json", place, message),
    }
}

/// Converts byte offsets to lines and columns.
pub struct Lines<'a> {
    text: &'a [u8],
    at: usize,
    line: usize,
    column: usize,
}

impl<'a> Lines<'a> {
    /// Starts at the beginning of `text`.
    pub fn of(text: &'a [u8]) -> Self {
        Self { text, at: 0, line: 1, column: 1 }
    }

    /// Returns line and column of a byte, both counted from 1, columns in characters. Offsets must be passed in ascending
    /// order.
    pub fn go_to(&mut self, at: usize) -> (usize, usize) {
        for byte in self.text.get(self.at..at).unwrap_or_default() {
            match byte {
                b'\n' => (self.line, self.column) = (self.line + 1, 1),
                // A continuation byte of UTF-8.
                0x80..0xc0 => {}
                _ => self.column += 1,
            }
        }
        self.at = self.at.max(at);
        (self.line, self.column)
    }
}

/// Converts line and column of serde_json to an offset. Both count from 1, columns in bytes; column 0 is the newline
/// before the line.
fn offset_of(text: &[u8], line: usize, column: usize) -> usize {
    let lines = text.split_inclusive(|byte| *byte == b'\n');
    let before: usize = lines.take(line.saturating_sub(1)).map(<[u8]>::len).sum();
    (before + column).saturating_sub(1).min(text.len())
}

/// Escapes a key for a pointer.
pub fn escaped_key(key: &str) -> Cow<'_, str> {
    if key.contains(['~', '/']) { key.replace('~', "~0").replace('/', "~1").into() } else { key.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invalid_value_is_located_at_its_start() {
        let text = "{\n  \"ä\": [1, \"ö\"]}".as_bytes();
        let error = serde_json::from_slice::<std::collections::BTreeMap<String, Vec<u32>>>(text).unwrap_err();
        let error = explain(&error, "/ä/1".to_owned(), text, 100);
        assert_eq!(
            error.to_string(),
            "/ä/1 (byte 114): invalid type: string \"ö\", expected u32 (line 2, column 12)"
        );
    }

    #[test]
    fn lines_and_columns_are_converted_to_offsets() {
        let text = b"{\n  \"a\": tru }";
        assert_eq!(offset_of(text, 1, 1), 0);
        assert_eq!(offset_of(text, 2, 3), 4);
        assert_eq!(offset_of(text, 9, 9), text.len());
    }
}
