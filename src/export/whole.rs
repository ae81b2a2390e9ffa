//! Groups of files in any folders that are written completely or not at all.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::file::ClosedFile;
use super::folder::put_in_place;
use crate::Result;

/// Completely written files that wait for others. If dropped before [`WholeFiles::finish`], they and the folders
/// created for them are removed.
#[derive(Debug, Default)]
pub struct WholeFiles {
    files: Mutex<HashMap<PathBuf, ClosedFile>>,
}

impl WholeFiles {
    /// Adds a file, from any thread.
    pub fn add(&self, path: &Path, file: ClosedFile) {
        self.files.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), file);
    }

    /// Moves the `paths` that were added into place, in this order, and returns them.
    pub fn finish(self, paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
        let mut files = self.files.into_inner().unwrap_or_else(PoisonError::into_inner);
        let files: Vec<_> = paths.iter().filter_map(|path| files.remove_entry(path)).collect();
        let paths = files.iter().map(|(path, _)| path.clone()).collect();
        put_in_place(files)?;
        Ok(paths)
    }
}
