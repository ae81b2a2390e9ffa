//! Finds the characters in a folder and below, by their extensions and, where other programs use an extension too, by
//! their contents.
//!
//! ```no_run
//! use pchr::find::{Found, Search};
//!
//! for found in Search::of("art") {
//!     match found {
//!         Found::File(path) => println!("{}", path.display()),
//!         Found::Part(path) => println!("{} belongs to another file", path.display()),
//!         Found::Unreadable(path, error) => println!("{}: {error}", path.display()),
//!         Found::Loop(link) | Found::Outside(link) => println!("{} is not followed", link.display()),
//!     }
//! }
//! ```

mod content;
mod links;
mod search;
mod skeletons;

pub use content::{begins_foreign, is_foreign, parts};
pub use links::{Links, is_hidden};
pub use search::{Found, Search};

use std::path::Path;

use crate::formats::table::searched_extensions;

/// Returns true if characters may have the extension of this path.
pub fn may_be_character(path: &Path) -> bool {
    has_extension(path, |extension| searched_extensions().contains(&extension))
}

fn has_extension(path: &Path, is_known: impl Fn(&str) -> bool) -> bool {
    let extension =
        |path: &Path| path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    let Some(last) = extension(path) else { return false };
    // Unity only loads binary files as `hero.skel.bytes`, some engines as `hero.skel.txt`.
    let is_skeleton =
        || path.file_stem().and_then(|stem| extension(Path::new(stem))).is_some_and(|own| own == "skel");
    is_known(if ["bytes", "txt"].contains(&&*last) && is_skeleton() { "skel" } else { &last })
}
