//! Names of parts of a character for display.

use pchr::error::escaped;

/// Returns a name for display.
pub fn shown(name: &str) -> String {
    if name.is_empty() { "(no name)".to_owned() } else { escaped(name) }
}
