//! Searches a folder for files that may be characters by their extension, sorted by name.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use walkdir::{DirEntry, WalkDir};

use super::skeletons::has_json;
use super::{Target, Targets, annotated, below, may_be_character, name, plain};
use crate::cli::shared::stdio::portable;

impl Targets {
    /// `root` is the folder that they were found by.
    pub(super) fn walk(&mut self, folder: &Path, root: &Path) {
        let names = [name(folder), annotated(folder)];
        let mut links = Links::around(folder);
        let named = |path: &Path| {
            let below = path.strip_prefix(folder).unwrap_or(path);
            names.each_ref().map(|folder| plain(&portable(&Path::new(folder).join(below))))
        };
        let walk = WalkDir::new(folder).follow_links(true).sort_by_file_name();
        for entry in walk.into_iter().filter_entry(|entry| !is_hidden(entry) && links.admit(entry)) {
            match entry {
                Ok(entry) if entry.file_type().is_file() && may_be_character(entry.path()) => {
                    let path = entry.into_path();
                    if self.skeletons.own(&path) || has_json(&path) {
                        continue;
                    }
                    let [name, annotated] = named(&path);
                    let below = below(&path, root);
                    self.files.push(Target { name, annotated, path, below, is_found: true, unreadable: None });
                }
                Ok(_) => {}
                Err(error) => self.unreadable(error, root, named),
            }
        }
        self.loops.append(&mut links.loops);
    }

    fn unreadable(&mut self, error: walkdir::Error, root: &Path, named: impl Fn(&Path) -> [String; 2]) {
        let path = error.path().unwrap_or_else(|| Path::new("")).to_owned();
        if error.loop_ancestor().is_some() {
            self.loops.push(path);
            return;
        }
        // A dangling link only matters if it is named like a character.
        let is_dangling = path.is_symlink() && !path.exists();
        if is_dangling && !may_be_character(&path) {
            return;
        }
        let source = error.into_io_error().unwrap_or_else(|| io::Error::other("cannot be read"));
        let unreadable = Some((source.kind(), source.to_string()));
        let [name, annotated] = named(&path);
        let below = below(&path, root);
        self.files.push(Target { name, annotated, path, below, is_found: true, unreadable });
    }
}

/// Returns true for hidden files, which are settings, caches or system files such as `._hero.json`. A folder given
/// by name is searched even if it is hidden.
pub fn is_hidden(entry: &DirEntry) -> bool {
    entry.depth() > 0 && entry.file_name().as_encoded_bytes().starts_with(b".")
}

/// Decides which links to folders are followed: each folder is searched once, so that links cannot multiply the
/// work.
pub struct Links {
    root: PathBuf,
    followed: HashSet<PathBuf>,
    loops: Vec<PathBuf>,
}

impl Links {
    /// Creates the state for a search of `folder`.
    pub fn around(folder: &Path) -> Self {
        let root = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        Self { root, followed: HashSet::new(), loops: Vec::new() }
    }

    /// Returns true if the search enters this entry.
    pub fn admit(&mut self, entry: &DirEntry) -> bool {
        if entry.depth() == 0 || !entry.path_is_symlink() || !entry.file_type().is_dir() {
            return true;
        }
        let Ok(real) = fs::canonicalize(entry.path()) else { return true };
        if self.root.starts_with(&real) {
            self.loops.push(entry.path().to_owned());
            return false;
        }
        if real.ancestors().any(|around| around == self.root || self.followed.contains(around)) {
            return false;
        }
        self.followed.insert(real);
        true
    }
}
