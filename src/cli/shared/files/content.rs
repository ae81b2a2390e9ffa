//! Detects whether a file that was found in a folder is a character, if its extension is ambiguous.

use std::path::Path;

use super::has_extension;
use crate::Error;
use crate::formats::may_be_character;
use crate::formats::table::is_shared_extension;

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
    !may_be_character(bytes, may_be_foreign(path))
}
