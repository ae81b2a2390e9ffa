//! Names of parts of a character for display.

use pchr::error::escaped;

/// Returns at most `most` characters of a name for display.
pub fn short(name: &str, most: usize) -> String {
    escaped(&name.chars().take(most).collect::<String>())
}

/// Returns a name for display.
pub fn shown(name: &str) -> String {
    if name.is_empty() { "(no name)".to_owned() } else { escaped(name) }
}
