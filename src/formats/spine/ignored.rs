//! Keys that Spine's own players do not read.

use super::version::Version;
use crate::diagnostics::Diagnostics;
use crate::error::{Place, escaped};
use crate::formats::json::Content;

/// Most keys that the note lists.
const MOST_KEYS: usize = 8;

/// The ignored keys that change nothing. They get one note.
#[derive(Default)]
pub struct Harmless {
    count: usize,
    /// Pointers of the first of them.
    listed: Vec<String>,
}

impl Harmless {
    /// Adds a key.
    pub fn add(&mut self, pointer: String) {
        self.count += 1;
        if self.listed.len() < MOST_KEYS {
            self.listed.push(pointer);
        }
    }

    /// Lists all keys in a note.
    pub fn report(self, diagnostics: &mut Diagnostics) {
        let Some(first) = self.listed.first() else { return };
        let keys: Vec<String> = self.listed.iter().map(|pointer| format!("`{}`", escaped(pointer))).collect();
        let message = match self.count - keys.len() {
            0 if self.count == 1 => "Spine does not read this key; it is ignored".to_owned(),
            0 => format!("Spine does not read these keys; they are ignored: {}", keys.join(", ")),
            more => {
                format!("Spine does not read these keys; they are ignored: {} and {more} more", keys.join(", "))
            }
        };
        diagnostics.note("foreign-key", Place::inside(first), message);
    }
}

/// Returns true for a key without content, and for marks of an author or a program. Before 3.6, many programs wrote
/// keys of their own.
pub fn is_harmless(pointer: &str, content: Content, version: Version) -> bool {
    let is_mark = || pointer.strip_prefix("/skeleton/").is_some_and(|key| !key.contains('/'));
    match content {
        Content::Nothing => true,
        Content::Text if is_mark() => true,
        Content::Text | Content::Other => version.is_old(),
    }
}

/// Warns about a key that is ignored.
pub fn warn_ignored(pointer: String, diagnostics: &mut Diagnostics) {
    diagnostics.warn("unknown-key", Place::inside(pointer), "unknown key; it is ignored");
}
