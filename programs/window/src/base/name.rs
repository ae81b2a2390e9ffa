//! Names of parts of a character and of files, errors, and numbers of things, for display.

use std::fmt::Display;
use std::path::Path;

use pchr::error::escaped;

/// Returns a number of things, such as `2 frames`, for things called `one` in the singular.
pub fn many(count: usize, one: &str) -> String {
    format!("{count} {one}{}", if count == 1 { "" } else { "s" })
}

/// Returns at most `most` characters of a name for display.
pub fn short(name: &str, most: usize) -> String {
    escaped(&name.chars().take(most).collect::<String>())
}

/// Like [`short`], for a name that may be empty.
pub fn short_or_unnamed(name: &str, most: usize) -> String {
    if name.is_empty() { "(unnamed)".to_owned() } else { short(name, most) }
}

/// Returns a name for display.
pub fn shown(name: &str) -> String {
    if name.is_empty() { "(no name)".to_owned() } else { escaped(name) }
}

/// Returns a path for display.
pub fn path(path: &Path) -> String {
    escaped(&path.to_string_lossy())
}

/// Returns the name of a file for display, or its path if that ends without a name.
pub fn file(file: &Path) -> String {
    path(file.file_name().map_or(file, Path::new))
}

/// Returns an error for display.
pub fn message(error: impl Display) -> String {
    escaped(&error.to_string())
}

/// Returns a name with a capital letter first.
pub fn capitalized(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
