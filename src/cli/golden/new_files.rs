//! The files that a comparison writes: all of them at the end, or none.

use std::io::Write;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use crate::export::{OutputFile, OutputPath, WholeFiles};
use crate::{Error, Result};

/// Files that wait for the end of a comparison.
#[derive(Default)]
pub struct NewFiles {
    files: WholeFiles,
    paths: Mutex<Vec<PathBuf>>,
}

impl NewFiles {
    /// Adds a file, from any thread. Without `overwrite`, an existing file is an error.
    pub fn add(&self, path: &OutputPath, bytes: &[u8], overwrite: bool) -> Result<()> {
        let mut file = OutputFile::create(path, overwrite)?;
        file.write_all(bytes).map_err(|error| Error::io(path.display(), error))?;
        self.files.add(path, file.close()?);
        self.paths.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_path_buf());
        Ok(())
    }

    /// Moves all files into place and returns their paths.
    pub fn finish(self) -> Result<Vec<PathBuf>> {
        let paths = self.paths.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.files.finish(&paths)
    }
}
