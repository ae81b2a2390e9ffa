//! Whether a file that was found in a folder is a character, where its extension does not say.

use std::path::Path;

use super::has_extension;
use crate::error::Error;
use crate::formats::pchr::json::{is_json, resembles_character};
use crate::formats::pchr::json_text;
use crate::formats::sheet::is_sheet_json;
use crate::formats::table::is_shared_extension;
use crate::formats::{is_likely, spine};

/// The code of what no format is.
const UNKNOWN: &str = "unknown-format";

/// Whether a file that is no character may have this name.
pub fn may_be_foreign(path: &Path) -> bool {
    has_extension(path, is_shared_extension)
}

/// A `.json`, `.xml` or the like that does not even begin as a character does, going by the error of loading it.
pub fn begins_foreign(path: &Path, error: &Error) -> bool {
    may_be_foreign(path) && error.code() == UNKNOWN
}

/// JSON, XML or a property list of something else.
pub fn is_foreign(path: &Path, bytes: &[u8]) -> bool {
    if !is_json(bytes) {
        return may_be_foreign(path) && !is_likely(bytes);
    }
    spine::kind(bytes).is_none()
        && json_text(bytes).is_some_and(|json| !resembles_character(json.text))
        && !is_sheet_json(bytes)
}
