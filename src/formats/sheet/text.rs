//! JSON text → [`schema::Root`], and the check that other text is UTF-8.

use super::schema::Root;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result};
use crate::formats::detect::json::JsonText;
use crate::formats::json;
use crate::limits::Budget;

/// Reads all fields. Unescaped control characters in strings are tolerated.
pub fn read(text: JsonText<'_>, budget: &mut Budget<'_>, diagnostics: &mut Diagnostics) -> Result<Root> {
    let JsonText { text: bytes, offset } = text.without_bom();
    let error = match json::read(bytes, offset, budget, None) {
        Ok(root) => return Ok(root),
        Err(error) => error,
    };
    if let ("bad-json", Some((escaped, first))) = (error.code(), escape_control(bytes, offset, budget)?)
        && let Ok(root) = json::read(&escaped, offset, budget, None)
    {
        let message = "a string contains an unescaped control character, which JSON forbids; it is read as if it \
        were escaped";
        diagnostics.warn("control-character", Place::at("", offset.saturating_add(first as u64)), message);
        return Ok(root);
    }
    Err(error)
}

/// Escapes control characters in strings and returns the offset of the first one, or `None` if there are none.
/// Aseprite only escapes quotation marks and backslashes.
pub fn escape_control(text: &[u8], offset: u64, budget: &mut Budget<'_>) -> Result<Option<(Vec<u8>, usize)>> {
    let (mut in_string, mut is_escaped) = (false, false);
    let mut is_raw = |byte: u8| {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_string => is_escaped = true,
            b'"' => in_string = !in_string,
            _ => {}
        }
        in_string && byte < 0x20
    };
    let raw: Vec<usize> =
        text.iter().enumerate().filter_map(|(at, &byte)| is_raw(byte).then_some(at)).take(MAX_CONTROL).collect();
    let Some(&first) = raw.first() else { return Ok(None) };
    budget.charge_memory((text.len() + 6 * raw.len()) as u64, 1, || Place::at("", offset))?;
    let mut escaped = Vec::with_capacity(text.len() + 5 * raw.len());
    let mut from = 0;
    for at in raw {
        escaped.extend_from_slice(&text[from..at]);
        escaped.extend_from_slice(format!("\\u{:04x}", text[at]).as_bytes());
        from = at + 1;
    }
    escaped.extend_from_slice(&text[from..]);
    Ok(Some((escaped, first)))
}

/// The text of a file, or an error with `message`.
pub fn utf8<'b>(bytes: &'b [u8], message: &str) -> Result<&'b str> {
    std::str::from_utf8(bytes)
        .map_err(|error| Error::malformed("bad-utf8", Place::at("", error.valid_up_to() as u64), message))
}

/// Maximum number of control characters that are escaped.
const MAX_CONTROL: usize = 10_000;
