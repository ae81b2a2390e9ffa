//! Lines and columns of text, and excerpts for findings.

use std::ops::Range;

use crate::error::escaped;

/// A position in text.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "schemas", derive(serde::Serialize, schemars::JsonSchema))]
pub struct Position {
    /// Column in characters, from 1; only in JSON files.
    pub column: usize,
    /// Line, from 1; only in JSON files.
    pub line: usize,
}

/// The relevant part of a line. Control characters are escaped, so it is safe to print.
#[derive(Debug, Clone, PartialEq)]
pub struct Excerpt {
    /// The text.
    pub text: String,
    /// Byte range of `text` that the finding is about.
    pub marked: Range<usize>,
}

// Bytes of a line shown before and after the position.
const SHOWN_BEFORE: usize = 60;
const SHOWN_AFTER: usize = 60;

/// Returns the line around `range`, cut to fit a terminal, with control characters escaped.
pub fn excerpt(text: &[u8], range: Range<usize>) -> Excerpt {
    let at = range.start.min(text.len());
    let is_end = |byte: &u8| *byte == b'\n' || *byte == b'\r';
    let line_start = text[..at].iter().rev().take(SHOWN_BEFORE).position(is_end).map(|back| at - back);
    let mut start = line_start.unwrap_or(at.saturating_sub(SHOWN_BEFORE));
    let line_end = text[at..].iter().take(SHOWN_AFTER).position(is_end).map(|ahead| at + ahead);
    let mut end = line_end.unwrap_or((at + SHOWN_AFTER).min(text.len()));
    // Do not cut characters.
    let is_inside = |at: usize| text.get(at).is_some_and(|byte| (0x80..0xc0).contains(byte));
    while start < at && is_inside(start) {
        start += 1;
    }
    while end > at && is_inside(end) {
        end -= 1;
    }
    let is_nested = text.get(at).is_some_and(|byte| b"{[".contains(byte));
    let marked_end = if is_nested { at + 1 } else { range.end }.clamp(at, end.max(at));
    let part = |range| escaped(&String::from_utf8_lossy(&text[range]));
    let cut_before = line_start.is_none() && start > 0;
    let cut_after = line_end.is_none() && end < text.len();
    let mut line = if cut_before { "…".to_owned() } else { String::new() };
    line.push_str(&part(start..at));
    let marked_start = line.len();
    line.push_str(&part(at..marked_end));
    let marked = marked_start..line.len();
    line.push_str(&part(marked_end..end));
    if cut_after {
        line.push('…');
    }
    Excerpt { text: line, marked }
}
