//! Groups of files in a folder that are written completely or not at all.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::file::{ClosedFile, OutputFile, OutputPath};
use super::unfinished::{MadeFolders, Placing};
use crate::formats::open_regular_file;
use crate::{Error, Result};

/// Files being written into one folder, as temporary files next to their targets.
///
/// If dropped before [`OutputFolder::finish`], it removes the temporary files and the folders it created.
#[derive(Debug)]
pub struct OutputFolder {
    folder: PathBuf,
    overwrite: bool,
    // Must be dropped before the folders, which are only removed when empty.
    files: Vec<(PathBuf, ClosedFile)>,
    _made: MadeFolders,
}

impl OutputFolder {
    /// Starts writing into `folder`, which is created if missing.
    pub fn create(folder: &Path, overwrite: bool) -> Result<Self> {
        let made = MadeFolders::make(folder).map_err(|error| Error::io(folder.display(), error))?;
        Ok(Self { folder: folder.to_owned(), overwrite, files: Vec::new(), _made: made })
    }

    /// Fails if any of these names is taken: by anything without `overwrite`, by anything but a regular file with
    /// it. The names come from a file, so links and pipes are not followed.
    pub fn check_writable<'a>(&self, mut names: impl Iterator<Item = &'a str>) -> Result<()> {
        names.try_for_each(|name| self.check(name, self.overwrite))
    }

    /// Fails if any of these names exists; used for names that must not be present in the output.
    pub(crate) fn check_not_existing<'a>(&self, mut names: impl Iterator<Item = &'a str>) -> Result<()> {
        names.try_for_each(|name| self.check(name, false))
    }

    /// Returns true if a regular file with this name and content already exists.
    pub fn holds(&self, name: &str, bytes: &[u8]) -> bool {
        let path = self.folder.join(name);
        let is_as_long =
            fs::symlink_metadata(&path).is_ok_and(|found| found.is_file() && found.len() == bytes.len() as u64);
        is_as_long && is_content(&path, bytes)
    }

    fn check(&self, name: &str, may_replace: bool) -> Result<()> {
        check_place(&OutputPath::below(&self.folder, name), may_replace)
    }

    /// Writes a file. A file that refers to others must be written last.
    pub fn write(&mut self, name: &str, content: impl FnOnce(&mut OutputFile) -> io::Result<()>) -> Result<()> {
        let path = OutputPath::below(&self.folder, name);
        check_place(&path, self.overwrite)?;
        let mut file = OutputFile::create(&path, self.overwrite)?;
        content(&mut file).map_err(|error| Error::io(path.display(), error))?;
        // Closed, because the number of open files per process is limited.
        self.files.push((path.to_path_buf(), file.close()?));
        Ok(())
    }

    /// Moves the files into place, in the order in which they were written.
    pub fn finish(mut self) -> Result<()> {
        put_in_place(std::mem::take(&mut self.files))
    }
}

/// Fails if something exists at `path`: anything, or with `may_replace` anything but a regular file. Links and
/// pipes are not followed.
pub(super) fn check_place(path: &OutputPath, may_replace: bool) -> Result<()> {
    path.check()?;
    let reject = |kind, why: &str| Err(Error::io(path.display(), io::Error::new(kind, why)));
    match fs::symlink_metadata(path) {
        Ok(found) if may_replace && found.is_file() => Ok(()),
        Ok(found) if found.is_file() => reject(io::ErrorKind::AlreadyExists, "the file already exists"),
        Ok(_) => reject(io::ErrorKind::InvalidInput, "the path exists and is not a regular file"),
        Err(_) => Ok(()),
    }
}

/// Returns true if the regular file at `path` contains exactly these bytes.
fn is_content(path: &Path, bytes: &[u8]) -> bool {
    let mut found = Vec::new();
    let Ok((file, _)) = open_regular_file(path) else { return false };
    let read = file.take(bytes.len() as u64 + 1).read_to_end(&mut found);
    read.is_ok() && found == bytes
}

/// Moves files into place, in this order. After an error, files that did not exist before are removed again;
/// overwritten files are lost. If the process is asked to exit meanwhile, it exits after the last file is in
/// place.
pub(super) fn put_in_place(mut files: Vec<(PathBuf, ClosedFile)>) -> Result<()> {
    let Some((first, _)) = files.first() else { return Ok(()) };
    let mut placing = Placing::begin().map_err(|error| Error::io(first.display(), error))?;
    let mut new = Vec::new();
    for (path, file) in &mut files {
        let is_new = !path.exists();
        if let Err(error) = file.put(&mut placing) {
            new.iter().for_each(|path: &&mut PathBuf| drop(fs::remove_file(path)));
            return Err(error);
        }
        if is_new {
            new.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn all_or_nothing() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("a/b");
        let mut out = OutputFolder::create(&folder, false).unwrap();
        out.write("one.png", |file| file.write_all(b"1")).unwrap();
        assert!(folder.exists());
        drop(out);
        assert!(fs::read_dir(place.path()).unwrap().next().is_none());

        let mut out = OutputFolder::create(&folder, false).unwrap();
        out.write("one.png", |file| file.write_all(b"1")).unwrap();
        out.write("two.png", |file| file.write_all(b"2")).unwrap();
        // Another process created the file first.
        fs::write(folder.join("two.png"), "theirs").unwrap();
        out.finish().unwrap_err();
        let left: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["two.png"]);
        assert_eq!(fs::read(folder.join("two.png")).unwrap(), b"theirs");
    }
}
