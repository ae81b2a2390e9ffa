//! Several files that belong together: all of them are there at the end, or none.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::file::{ClosedFile, OutputFile, check_free};
use crate::error::{Error, Result};

/// Files that are being written into one folder, to temporary files beside their targets.
///
/// Dropped before [`OutputFolder::finish`] it leaves nothing behind, not even folders that it made.
#[derive(Debug)]
pub struct OutputFolder {
    folder: PathBuf,
    overwrite: bool,
    /// The folders that were not there, the innermost first.
    made: Vec<PathBuf>,
    files: Vec<(PathBuf, ClosedFile)>,
    is_finished: bool,
}

impl OutputFolder {
    /// Begins to write into `folder`, which is made where it is not there.
    pub fn create(folder: &Path, overwrite: bool) -> Result<Self> {
        let missing = folder.ancestors().take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists());
        let made: Vec<PathBuf> = missing.map(Path::to_owned).collect();
        fs::create_dir_all(folder).map_err(|error| Error::io(folder.display(), error))?;
        Ok(Self { folder: folder.to_owned(), overwrite, made, files: Vec::new(), is_finished: false })
    }

    /// Refuses to go on where one of these files is there already, unless they may be written over.
    pub fn check_free<'a>(&self, mut names: impl Iterator<Item = &'a str>) -> Result<()> {
        let free = |name: &str| check_free(&self.folder.join(name));
        if self.overwrite { Ok(()) } else { names.try_for_each(free) }
    }

    /// Writes a file. The one that names the others comes last.
    pub fn write(&mut self, name: &str, content: impl FnOnce(&mut OutputFile) -> io::Result<()>) -> Result<()> {
        let path = self.folder.join(name);
        let mut file = OutputFile::create(&path, self.overwrite)?;
        content(&mut file).map_err(|error| Error::io(path.display(), error))?;
        // Closed, because a process may only have so many open.
        self.files.push((path, file.close()?));
        Ok(())
    }

    /// Writes a file that is in memory.
    pub fn write_bytes(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        self.write(name, |file| file.write_all(bytes))
    }

    /// Puts the files in their places, in the order in which they were written.
    pub fn finish(mut self) -> Result<()> {
        let mut new = Vec::new();
        for (path, file) in std::mem::take(&mut self.files) {
            let is_new = !path.exists();
            if let Err(error) = file.finish() {
                // What was there before cannot come back, what was not goes again.
                new.iter().for_each(|path: &PathBuf| drop(fs::remove_file(path)));
                return Err(error);
            }
            if is_new {
                new.push(path);
            }
        }
        self.is_finished = true;
        Ok(())
    }
}

impl Drop for OutputFolder {
    fn drop(&mut self) {
        if !self.is_finished {
            self.files.clear();
            // Only what is empty goes.
            self.made.iter().for_each(|folder| drop(fs::remove_dir(folder)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_or_nothing() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("a/b");
        let mut out = OutputFolder::create(&folder, false).unwrap();
        out.write_bytes("one.png", b"1").unwrap();
        assert!(folder.exists());
        drop(out);
        assert!(fs::read_dir(place.path()).unwrap().next().is_none());

        let mut out = OutputFolder::create(&folder, false).unwrap();
        out.write_bytes("one.png", b"1").unwrap();
        out.write_bytes("two.png", b"2").unwrap();
        // Somebody else was faster.
        fs::write(folder.join("two.png"), "theirs").unwrap();
        out.finish().unwrap_err();
        let left: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["two.png"]);
        assert_eq!(fs::read(folder.join("two.png")).unwrap(), b"theirs");
    }
}
