//! A search in a folder, one file at a time, sorted by name.

use std::io;
use std::path::{Path, PathBuf};

use walkdir::{IntoIter, WalkDir};

use super::content::is_of_lost;
use super::links::{Links, is_hidden};
use super::may_be_character;
use super::skeletons::{Skeletons, has_json};
use crate::held::is_outside;

/// What a search has found.
#[derive(Debug)]
pub enum Found {
    /// A regular file that may be a character by its extension. [`parts`](super::parts) looks at its contents.
    File(PathBuf),
    /// A part of another character: an atlas that belongs to a skeleton or to a lost character, or a binary skeleton next to
    /// its JSON.
    Part(PathBuf),
    /// A file or a folder that cannot be read.
    Unreadable(PathBuf, io::Error),
    /// A symbolic link that would cause an endless loop, and is not followed.
    Loop(PathBuf),
    /// A symbolic link that leads out of the folders that a [confined](crate::formats::confine_reading) process may read,
    /// and is not followed.
    Outside(PathBuf),
}

/// A search for the files in a folder and below that may be characters. Files are not opened, except to see whether an
/// atlas belongs to a skeleton. Hidden files and folders are left out.
#[derive(Debug)]
pub struct Search {
    entries: IntoIter,
    links: Links,
    skeletons: Skeletons,
}

impl Search {
    /// Begins to search `folder`.
    pub fn of(folder: impl AsRef<Path>) -> Self {
        let folder = folder.as_ref();
        let entries = WalkDir::new(folder).follow_links(true).sort_by_file_name().into_iter();
        Self { entries, links: Links::around(folder), skeletons: Skeletons::default() }
    }
}

impl Iterator for Search {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        loop {
            let entry = match self.entries.next()? {
                Ok(entry) => entry,
                Err(error) => match unreadable(error) {
                    Some(found) => return Some(found),
                    None => continue,
                },
            };
            if is_hidden(&entry) || !self.links.admit(&entry) {
                if entry.file_type().is_dir() {
                    self.entries.skip_current_dir();
                }
                match self.links.back.take() {
                    Some(link) => return Some(Found::Loop(link)),
                    None => continue,
                }
            }
            let (is_dir, is_file) = (entry.file_type().is_dir(), entry.file_type().is_file());
            let is_wanted = is_dir || is_file && may_be_character(entry.path());
            if is_wanted && entry.path_is_symlink() && is_outside(entry.path()) {
                if is_dir {
                    self.entries.skip_current_dir();
                }
                return Some(Found::Outside(entry.into_path()));
            }
            if is_file && is_wanted {
                let path = entry.into_path();
                let is_part = self.skeletons.own(&path) || has_json(&path) || is_of_lost(&path);
                return Some(if is_part { Found::Part(path) } else { Found::File(path) });
            }
        }
    }
}

fn unreadable(error: walkdir::Error) -> Option<Found> {
    let path = error.path().unwrap_or_else(|| Path::new("")).to_owned();
    if error.loop_ancestor().is_some() {
        return Some(Found::Loop(path));
    }
    // A dangling link only matters if it is named like a character.
    let is_dangling = path.is_symlink() && !path.exists();
    if is_dangling && !may_be_character(&path) {
        return None;
    }
    if is_dangling && is_outside(&path) {
        return Some(Found::Outside(path));
    }
    let source = error.into_io_error().unwrap_or_else(|| io::Error::other("cannot be read"));
    Some(Found::Unreadable(path, source))
}
