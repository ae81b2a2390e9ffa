//! Recently opened files.

use std::path::{Path, PathBuf, absolute};

use crate::error::escaped;

/// Maximum number of files.
const MOST: usize = 20;
/// Seconds after which the window checks again whether the files still exist, while it shows them.
const CHECK_SECS: f64 = 2.0;

/// A list of recently opened files.
#[derive(Debug, Default)]
pub struct RecentFiles {
    files: Vec<RecentFile>,
    /// When the files were last looked up, in egui's seconds.
    checked_at: Option<f64>,
}

/// A recently opened file.
#[derive(Debug, Clone, PartialEq)]
pub struct RecentFile {
    /// Its absolute path.
    pub path: PathBuf,
    /// It did not exist when it was last looked up.
    pub is_missing: bool,
}

impl RecentFile {
    /// Returns the name of the file.
    pub fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or(self.path.as_os_str());
        escaped(&name.to_string_lossy())
    }

    /// Returns the folder of the file.
    pub fn folder(&self) -> String {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        escaped(&folder.to_string_lossy())
    }
}

impl RecentFiles {
    /// Returns the files, the last opened first.
    pub fn files(&self) -> &[RecentFile] {
        &self.files
    }

    /// Replaces the list by `paths`, the last opened first.
    pub fn restore(&mut self, paths: impl IntoIterator<Item = PathBuf>) {
        let files = paths.into_iter().filter(|path| path.is_absolute()).take(MOST);
        self.files = files.map(|path| RecentFile { path, is_missing: false }).collect();
        self.checked_at = None;
    }

    /// Adds a file that is opened at the front of the list. Files that do not exist are not added.
    pub fn add(&mut self, path: &Path) {
        let Ok(path) = absolute(path) else { return };
        if !path.exists() {
            return;
        }
        self.files.retain(|file| file.path != path);
        self.files.insert(0, RecentFile { path, is_missing: false });
        self.files.truncate(MOST);
    }

    /// Removes all files.
    pub fn clear(&mut self) {
        self.files.clear();
    }

    /// Makes the next [`Self::check`] look up the files at once.
    pub fn expire(&mut self) {
        self.checked_at = None;
    }

    /// Looks up which files are missing, at most every few seconds. `now` is the time in seconds.
    pub fn check(&mut self, now: f64) {
        if self.checked_at.is_some_and(|checked| now - checked < CHECK_SECS) {
            return;
        }
        self.checked_at = Some(now);
        for file in &mut self.files {
            file.is_missing = !file.path.exists();
        }
    }
}
