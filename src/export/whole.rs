//! The files of one run, in whatever folders: all of them are there at the end, or none.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::file::ClosedFile;
use super::folder::put_in_place;
use super::unfinished::MadeFolders;
use crate::error::{Error, Result};

/// Files that are written and wait for the others. Dropped before [`WholeFiles::finish`] they leave nothing
/// behind, not even folders.
#[derive(Debug)]
pub(super) struct WholeFiles {
    /// Before the folders, which go only when they are empty.
    files: Mutex<HashMap<PathBuf, ClosedFile>>,
    _made: Vec<MadeFolders>,
}

impl WholeFiles {
    /// Makes the folders of `paths`.
    pub fn begin(paths: &[PathBuf]) -> Result<Self> {
        let mut made: Vec<MadeFolders> = Vec::new();
        let folders =
            paths.iter().filter_map(|path| path.parent()).filter(|folder| !folder.as_os_str().is_empty());
        let mut last = Path::new("");
        for folder in folders {
            // Pictures of one folder mostly follow one another.
            if folder != last {
                // Those that were made last go first.
                made.insert(0, MadeFolders::make(folder).map_err(|error| Error::io(folder.display(), error))?);
                last = folder;
            }
        }
        Ok(Self { files: Mutex::default(), _made: made })
    }

    /// Takes a file, from any thread.
    pub fn add(&self, path: &Path, file: ClosedFile) {
        self.files.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), file);
    }

    /// Puts the files in their places, in the order of `paths`.
    pub fn finish(self, paths: &[PathBuf]) -> Result<()> {
        let mut files = std::mem::take(&mut *self.files.lock().unwrap_or_else(PoisonError::into_inner));
        put_in_place(paths.iter().filter_map(|path| files.remove_entry(path)).collect())
    }
}
