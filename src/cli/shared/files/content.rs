//! Detects whether a file that was found in a folder is a character, if its extension is ambiguous.

use std::path::Path;

use super::has_extension;
use crate::error::Error;
use crate::formats::pchr::json::{is_json, resembles_character};
use crate::formats::pchr::json_text;
use crate::formats::sheet::is_sheet_json;
use crate::formats::table::is_shared_extension;
use crate::formats::{is_likely, spine};

/// Error code of an unknown format.
const UNKNOWN: &str = "unknown-format";

/// Returns true if a file of this name need not be a character.
pub fn may_be_foreign(path: &Path) -> bool {
    has_extension(path, is_shared_extension)
}

/// Returns true for a file with a shared extension, such as `.json` or `.xml`, whose loading failed because of its
/// unknown format.
pub fn begins_foreign(path: &Path, error: &Error) -> bool {
    may_be_foreign(path) && error.code() == UNKNOWN
}

/// Returns true for JSON, XML or a property list that is not a character.
pub fn is_foreign(path: &Path, bytes: &[u8]) -> bool {
    if !is_json(bytes) {
        return may_be_foreign(path) && !is_likely(bytes);
    }
    spine::kind(bytes).is_none()
        && json_text(bytes).is_some_and(|json| !resembles_character(json.text))
        && !is_sheet_json(bytes)
}
