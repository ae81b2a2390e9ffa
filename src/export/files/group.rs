//! Groups of files that are written completely or not at all.

use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use super::file::OutputFile;
use super::path::OutputPath;
use super::temporary::{Temporary, put_all};
use crate::{Error, Result};

/// Completely written files that wait for others, in any folders. If dropped before [`OutputFiles::finish`], they and the
/// folders created for them are removed.
#[derive(Debug, Default)]
pub struct OutputFiles {
    files: Mutex<Vec<(PathBuf, Option<Temporary>)>>,
}

impl OutputFiles {
    /// Adds a file, from any thread. A file that refers to others must be added last.
    pub fn add(&self, file: OutputFile) -> Result<()> {
        // Closed, because the number of open files per process is limited.
        let closed = file.close()?;
        self.files.lock().unwrap_or_else(PoisonError::into_inner).push(closed);
        Ok(())
    }

    /// Writes a file and adds it, as [`OutputFile::create`] and [`OutputFiles::add`] do.
    pub fn write(
        &self,
        path: &OutputPath,
        overwrite: bool,
        content: impl FnOnce(&mut OutputFile) -> io::Result<()>,
    ) -> Result<()> {
        let mut file = OutputFile::create(path, overwrite)?;
        content(&mut file).map_err(|error| Error::io(path.display(), error))?;
        self.add(file)
    }

    /// Moves the files into place, in the order in which they were added, and returns their paths. After an error, files
    /// that did not exist before are removed, and those that did are restored.
    pub fn finish(self) -> Result<Vec<PathBuf>> {
        let mut files = self.files.into_inner().unwrap_or_else(PoisonError::into_inner);
        put_all(&mut files)?;
        Ok(files.into_iter().map(|(path, _)| path).collect())
    }
}
