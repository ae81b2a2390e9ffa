//! The comparison of two characters: the bar above the canvas, the choice of the second file, and what the canvas
//! shows.

pub mod bar;
pub mod changed;
pub mod choose;
pub mod difference;
pub mod findings;
pub mod stage;

use std::path::Path;

use super::Compare;
use crate::files::Files;
use crate::files::document::Document;
use crate::playback::Playback;
use crate::widgets::actions::Actions;
use pchr::error::escaped;

pub use bar::show as bar;
pub use changed::show as changed;
pub use choose::show as choose;
pub use findings::show as findings;
pub use stage::show;

/// What the bar, the lists and the canvas of a comparison show and change.
#[derive(Debug)]
pub struct ComparePanel<'a> {
    /// The files.
    pub files: &'a Files,
    /// The first character.
    pub playback: &'a Playback,
    /// The comparison.
    pub compare: &'a mut Compare,
    /// What the user asks for.
    pub actions: &'a mut Actions,
}

/// Returns a name of any length for a message: its beginning, if it is long.
fn short(name: &str) -> String {
    /// Longest name in characters.
    const MAX: usize = 40;
    match name.char_indices().nth(MAX) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

/// Returns the names of both files, with their folders if they only differ in those.
fn names(state: &ComparePanel<'_>) -> Option<[String; 2]> {
    if state.compare.is_review() && state.compare.second_file(state.files).is_some() {
        return Some(["This version", "The version before"].map(str::to_owned));
    }
    let both = [state.files.current()?, state.compare.second_file(state.files)?];
    let names = both.map(Document::name);
    if names[0] != names[1] {
        return Some(names);
    }
    let short = both.map(|document| {
        let folder = document.path().parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
        format!("{}/{}", escaped(&folder), document.name())
    });
    Some(if short[0] != short[1] { short } else { both.map(Document::location) })
}
