//! JSON text that is read leniently → valid JSON.

use std::borrow::Cow;

use serde::de::IgnoredAny;

use super::text::escape_control;
use crate::error::{Error, Place, Result};
use crate::formats::detect::json::{JsonText, without_bom};
use crate::limits::Budget;

/// Converts readable text to valid JSON: removes a byte order mark and escapes control characters.
pub fn sanitized<'a>(text: JsonText<'a>, budget: &mut Budget<'_>) -> Result<Cow<'a, str>> {
    let bytes = without_bom(text.text);
    let not_utf8 = |_| Error::malformed("bad-json", Place::at("", text.offset), "the text is not valid UTF-8");
    // Control characters in strings are errors of syntax.
    if serde_json::from_slice::<IgnoredAny>(bytes).is_err()
        && let Some((escaped, _)) = escape_control(bytes, text.offset, budget)?
    {
        return String::from_utf8(escaped).map(Cow::Owned).map_err(|error| not_utf8(error.utf8_error()));
    }
    std::str::from_utf8(bytes).map(Cow::Borrowed).map_err(not_utf8)
}
