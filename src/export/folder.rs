//! Several files that belong together: all of them are there at the end, or none.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::file::{ClosedFile, OutputFile};
use super::unfinished::{MadeFolders, Placing};
use crate::error::{Error, Result};
use crate::formats::open_regular_file;

/// Files that are being written into one folder, to temporary files beside their targets.
///
/// Dropped before [`OutputFolder::finish`] it leaves nothing behind, not even folders that it made.
#[derive(Debug)]
pub struct OutputFolder {
    folder: PathBuf,
    overwrite: bool,
    // Before the folders, which go only when they are empty.
    files: Vec<(PathBuf, ClosedFile)>,
    _made: MadeFolders,
}

impl OutputFolder {
    /// Begins to write into `folder`, which is made where it is not there.
    pub fn create(folder: &Path, overwrite: bool) -> Result<Self> {
        let made = MadeFolders::make(folder).map_err(|error| Error::io(folder.display(), error))?;
        Ok(Self { folder: folder.to_owned(), overwrite, files: Vec::new(), _made: made })
    }

    /// Refuses names at which something is already: without `overwrite` anything, with it anything but a regular
    /// file. The names come from a file, so that links and pipes are not followed.
    pub fn check_free<'a>(&self, mut names: impl Iterator<Item = &'a str>) -> Result<()> {
        names.try_for_each(|name| self.check(name, self.overwrite))
    }

    /// Refuses names at which anything is: what is not written must not be found there either.
    pub fn check_absent<'a>(&self, mut names: impl Iterator<Item = &'a str>) -> Result<()> {
        names.try_for_each(|name| self.check(name, false))
    }

    /// Whether a regular file of that name and content is there already.
    pub fn holds(&self, name: &str, bytes: &[u8]) -> bool {
        let path = self.folder.join(name);
        let is_as_long =
            fs::symlink_metadata(&path).is_ok_and(|found| found.is_file() && found.len() == bytes.len() as u64);
        is_as_long && is_content(&path, bytes)
    }

    fn check(&self, name: &str, may_replace: bool) -> Result<()> {
        check_place(&self.folder.join(name), may_replace)
    }

    /// Writes a file. The one that names the others comes last.
    pub fn write(&mut self, name: &str, content: impl FnOnce(&mut OutputFile) -> io::Result<()>) -> Result<()> {
        self.check(name, self.overwrite)?;
        let path = self.folder.join(name);
        let mut file = OutputFile::create(&path, self.overwrite)?;
        content(&mut file).map_err(|error| Error::io(path.display(), error))?;
        // Closed, because a process may only have so many open.
        self.files.push((path, file.close()?));
        Ok(())
    }

    /// Puts the files in their places, in the order in which they were written.
    pub fn finish(mut self) -> Result<()> {
        put_in_place(std::mem::take(&mut self.files))
    }
}

/// Refuses a place at which something is already: anything, or with `may_replace` anything but a regular file. Links and
/// pipes are not followed.
pub(super) fn check_place(path: &Path, may_replace: bool) -> Result<()> {
    let refuse = |kind, why: &str| Err(Error::io(path.display(), io::Error::new(kind, why)));
    match fs::symlink_metadata(path) {
        Ok(found) if may_replace && found.is_file() => Ok(()),
        Ok(found) if found.is_file() => refuse(io::ErrorKind::AlreadyExists, "the file exists already"),
        Ok(_) => refuse(io::ErrorKind::InvalidInput, "something that is no file is here already"),
        Err(_) => Ok(()),
    }
}

/// Whether the regular file at `path` holds these bytes.
fn is_content(path: &Path, bytes: &[u8]) -> bool {
    let mut found = Vec::new();
    let Ok((file, _)) = open_regular_file(path) else { return false };
    let read = file.take(bytes.len() as u64 + 1).read_to_end(&mut found);
    read.is_ok() && found == bytes
}

/// Puts files in their places, in this order. After an error those that were not there before are removed again; what
/// was overwritten cannot come back. A program that is asked to end meanwhile ends when the last one is in its place.
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
        // Somebody else was faster.
        fs::write(folder.join("two.png"), "theirs").unwrap();
        out.finish().unwrap_err();
        let left: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["two.png"]);
        assert_eq!(fs::read(folder.join("two.png")).unwrap(), b"theirs");
    }
}
