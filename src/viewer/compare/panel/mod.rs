//! The comparison of two characters: the bar above the canvas, the choice of the second file, and what the canvas
//! shows.

pub mod bar;
pub mod choose;
pub mod difference;
pub mod findings;
pub mod stage;

use std::path::Path;

use crate::error::escaped;
use crate::viewer::app::state::State;
use crate::viewer::files::document::Document;

pub use bar::show as bar;
pub use choose::show as choose;
pub use findings::show as findings;
pub use stage::show;

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
fn names(state: &State) -> Option<[String; 2]> {
    let both = [state.current()?, state.second()?];
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
