//! Detects whether a file that was found in a folder is a character, if its extension is ambiguous.

use std::path::{Path, PathBuf};

use super::has_extension;
use super::skeletons::lacks_skeleton;
use crate::error::Error;
use crate::formats::detect::animate::is_spritemap;
use crate::formats::image::EXTENSIONS;
use crate::formats::sheet::parts_of_sheet;
use crate::formats::table::is_shared_extension;
use crate::formats::{load_regular, may_be_character};
use crate::limits::Limits;

/// Error code of an unknown format.
const UNKNOWN: &str = "unknown-format";

/// Returns true if a file of this name need not be a character.
fn may_be_foreign(path: &Path) -> bool {
    has_extension(path, is_shared_extension)
}

/// Returns true for a file with a shared extension, such as `.json` or `.xml`, whose loading failed because of its
/// unknown format, unless it is a lost character: a `.json`, or an empty file, beside an atlas or a picture of its name.
pub fn begins_foreign(path: &Path, error: &Error) -> bool {
    may_be_foreign(path) && error.code() == UNKNOWN && !is_lost(path)
}

/// Returns true for JSON, XML or a property list that is not a character, unless it is a lost one. Spritemaps of Adobe
/// Animate, which have pictures of their names, are parts of characters.
pub fn is_foreign(path: &Path, bytes: &[u8]) -> bool {
    !may_be_character(bytes, may_be_foreign(path)) && (is_spritemap(bytes) || !is_lost(path))
}

/// Returns true if the files beside one that is not a character show that it was one.
///
/// Fonts and particles are XML and property lists beside pictures of their names, so only empty ones are lost.
fn is_lost(path: &Path) -> bool {
    let is_json = has_extension(path, |extension| extension == "json");
    if !is_json && path.metadata().is_ok_and(|metadata| metadata.len() > 0) {
        return false;
    }
    let mut beside = ["atlas", "atlas.txt"].iter().chain(&EXTENSIONS).map(|other| path.with_extension(other));
    beside.any(|other| other != path && other.is_file()) || is_json && lacks_skeleton(path)
}

/// Returns true for the atlas of a lost character, which has its name.
pub fn is_of_lost(path: &Path) -> bool {
    has_extension(path, |extension| extension == "atlas")
        && match load_regular(&path.with_extension("json"), &Limits::default()) {
            Ok(bytes) => !may_be_character(&bytes, true),
            Err(error) => error.code() == UNKNOWN,
        }
}

/// Reads a file that a search has found if its extension is ambiguous. Returns the other files of a sheet of several
/// parts, none for most files; `None` if the file is not a character.
pub fn parts(path: &Path, limits: &Limits) -> Option<Vec<PathBuf>> {
    if !may_be_foreign(path) {
        return Some(Vec::new());
    }
    match load_regular(path, limits) {
        Ok(bytes) if is_foreign(path, &bytes) => None,
        Ok(bytes) => {
            let folder = path.parent().unwrap_or(Path::new(""));
            Some(parts_of_sheet(&bytes).iter().map(|name| folder.join(name)).collect())
        }
        Err(error) if begins_foreign(path, &error) => None,
        // Reading it will report the error.
        Err(_) => Some(Vec::new()),
    }
}
