//! Which entries of a folder a search enters.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use walkdir::DirEntry;

/// Returns true for hidden files, which are settings, caches or system files such as `._hero.json`. A folder given
/// by name is searched even if it is hidden.
pub fn is_hidden(entry: &DirEntry) -> bool {
    entry.depth() > 0 && entry.file_name().as_encoded_bytes().starts_with(b".")
}

/// Decides which links to folders are followed: each folder is searched once, so that links cannot multiply the
/// work.
#[derive(Debug)]
pub struct Links {
    root: PathBuf,
    followed: HashSet<PathBuf>,
    /// The last link that was not followed because it leads back.
    pub(super) back: Option<PathBuf>,
}

impl Links {
    /// Creates the state for a search of `folder`.
    pub fn around(folder: &Path) -> Self {
        let root = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        Self { root, followed: HashSet::new(), back: None }
    }

    /// Returns true if the search enters this entry.
    pub fn admit(&mut self, entry: &DirEntry) -> bool {
        if entry.depth() == 0 || !entry.path_is_symlink() || !entry.file_type().is_dir() {
            return true;
        }
        let Ok(real) = fs::canonicalize(entry.path()) else { return true };
        if self.root.starts_with(&real) {
            self.back = Some(entry.path().to_owned());
            return false;
        }
        if real.ancestors().any(|around| around == self.root || self.followed.contains(around)) {
            return false;
        }
        self.followed.insert(real);
        true
    }
}
