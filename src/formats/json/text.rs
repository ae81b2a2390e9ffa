//! Positions of errors in JSON text.

use std::borrow::Cow;

use super::parser::{ParseError, ParseErrorKind};
use super::walk::Walk;
use crate::error::{Error, Place};
use crate::formats::foreign::conflict;
use crate::limits::Budget;

/// Converts an error about `text`, which starts at `offset` of its file.
#[cold]
pub(super) fn explain(fault: ParseError, text: &[u8], offset: u64, budget: &Budget<'_>) -> Error {
    let ParseError { kind, at, is_between, message } = fault;
    let end = at.unwrap_or_default();
    let at = end.min(text.len().saturating_sub(1));
    let in_file = offset.saturating_add(at as u64);
    if let ParseErrorKind::Depth(depth) = kind
        && let Err(error) = budget.check_json_depth(depth, || Place::at("", in_file))
    {
        return error;
    }
    let mut walk = Walk::over(text);
    walk.go_to(end, |_, _| {});
    let place = Place::at(walk.pointer(is_between), in_file);
    let line_start = text[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    if kind == ParseErrorKind::Syntax
        && let Some(conflict) = conflict(&text[line_start..], place.clone())
    {
        return conflict;
    }
    let (line, column) = Lines::of(text).go_to(at);
    let code = if kind == ParseErrorKind::Value { "json-value" } else { "bad-json" };
    Error::malformed(code, place, format!("{message} (line {line}, column {column})"))
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

/// Escapes a key for a pointer.
pub fn escaped_key(key: &str) -> Cow<'_, str> {
    if key.contains(['~', '/']) { key.replace('~', "~0").replace('/', "~1").into() } else { key.into() }
}
