//! Names of parts of a character, and numbers of things, for display.

use pchr::error::escaped;

/// Returns a number of things, such as `2 frames`, for things called `one` in the singular.
pub fn many(count: usize, one: &str) -> String {
    format!("{count} {one}{}", if count == 1 { "" } else { "s" })
}

/// Returns at most `most` characters of a name for display.
pub fn short(name: &str, most: usize) -> String {
    escaped(&name.chars().take(most).collect::<String>())
}

/// Returns a name for display.
pub fn shown(name: &str) -> String {
    if name.is_empty() { "(no name)".to_owned() } else { escaped(name) }
}

/// Returns a name with a capital letter first.
pub fn capitalized(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
