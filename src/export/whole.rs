//! Files that belong together, in whatever folders: all of them are there at the end, or none.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::file::ClosedFile;
use super::folder::put_in_place;
use crate::error::Result;

/// Files that are written and wait for the others. Dropped before [`WholeFiles::finish`] they leave nothing behind, not
/// even folders.
#[derive(Debug, Default)]
pub(super) struct WholeFiles {
    files: Mutex<HashMap<PathBuf, ClosedFile>>,
}

impl WholeFiles {
    /// Takes a file, from any thread.
    pub fn add(&self, path: &Path, file: ClosedFile) {
        self.files.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), file);
    }

    /// Puts those of `paths` that were added in their places, in this order, and says which.
    pub fn finish(self, paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
        let mut files = self.files.into_inner().unwrap_or_else(PoisonError::into_inner);
        let files: Vec<_> = paths.iter().filter_map(|path| files.remove_entry(path)).collect();
        let paths = files.iter().map(|(path, _)| path.clone()).collect();
        put_in_place(files)?;
        Ok(paths)
    }
}
