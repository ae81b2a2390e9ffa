//! Paths to write to.

use std::fs;
use std::io::{self, ErrorKind, Read};
use std::ops::Deref;
use std::path::{Path, PathBuf};

use super::registry;
use crate::held::{Metadata, read, writable};
use crate::{Error, Result};

/// A path to write to: a part that the user named, and names below it that come from a program or a file.
///
/// Symbolic links are followed in the first part only. Below it they are errors, as they could lead anywhere: a
/// folder that was downloaded or checked out may contain links that its user never saw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputPath {
    path: PathBuf,
    named: PathBuf,
}

impl OutputPath {
    /// A path that the user named as a whole.
    pub fn named(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        Self { named: path.clone(), path }
    }

    /// The path `below`, relative to a folder that the user named.
    pub fn below(folder: &Path, below: impl AsRef<Path>) -> Self {
        Self::in_folder(folder.to_owned(), folder.join(below))
    }

    /// `path` begins with `folder`, which the user named.
    pub(in crate::export) fn in_folder(folder: PathBuf, path: PathBuf) -> Self {
        Self { path, named: folder }
    }

    /// The path `below`, relative to this folder. The user did not name it.
    #[must_use]
    pub fn join(&self, below: impl AsRef<Path>) -> Self {
        Self { path: self.path.join(below), named: self.named.clone() }
    }

    /// The folder of this file.
    #[must_use]
    pub fn folder(&self) -> Self {
        let path = self.path.parent().unwrap_or(Path::new(""));
        let named = if self.named.starts_with(path) { path } else { &self.named };
        Self { path: path.to_owned(), named: named.to_owned() }
    }

    /// Another file in the same folder. The user did not name it.
    pub fn with_file_name(&self, name: impl AsRef<std::ffi::OsStr>) -> Self {
        let name = name.as_ref();
        if self.path.file_name() == Some(name) { self.clone() } else { self.folder().join(name) }
    }

    /// Returns true if the user named the whole path.
    pub(super) fn is_named(&self) -> bool {
        self.named_part().is_ok_and(|named| named == self.path)
    }

    /// Returns the part in which links are followed; none in a process that is
    /// [confined](crate::export::confine_writing).
    pub(super) fn named_part(&self) -> io::Result<&Path> {
        Ok(writable(&self.path)?.unwrap_or(&self.named))
    }

    /// Fails if the path leads through a symbolic link, or a file in place of a folder, below the part that the user
    /// named.
    pub fn check(&self) -> Result<()> {
        let is_found_link = self.find()?.is_some_and(|found| found.is_symlink());
        if is_found_link && !self.is_named() { Err(self.error(is_link())) } else { Ok(()) }
    }

    /// Fails if the path is taken: by anything, or with `may_replace` by anything but a regular file. Links and pipes are
    /// not followed.
    pub fn check_writable(&self, may_replace: bool) -> Result<()> {
        let found = self.find()?;
        found.map_or(Ok(()), |found| check(&found, may_replace)).map_err(|error| self.error(error))
    }

    /// Returns true if a regular file with this content already exists.
    pub fn holds(&self, bytes: &[u8]) -> bool {
        let Ok(file) = registry::with_name(self, read) else { return false };
        let mut found = Vec::new();
        let is_as_long = file.metadata().is_ok_and(|found| found.is_file() && found.len() == bytes.len() as u64);
        let read = || file.take(bytes.len() as u64 + 1).read_to_end(&mut found);
        is_as_long && read().is_ok() && found == bytes
    }

    /// Removes the file, if it is a regular one.
    pub fn remove(&self) -> Result<()> {
        registry::with_name(self, |dir, name| {
            check(&dir.symlink_metadata(name)?, true)?;
            dir.remove_file(name)
        })
    }

    fn find(&self) -> Result<Option<Metadata>> {
        match registry::with_name(self, |dir, name| dir.symlink_metadata(name)) {
            Ok(found) => Ok(Some(found)),
            Err(Error::Io { source, .. }) if source.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    pub(super) fn error(&self, error: io::Error) -> Error {
        Error::io(self.path.display(), error)
    }
}

impl Deref for OutputPath {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.path
    }
}

impl AsRef<Path> for OutputPath {
    fn as_ref(&self) -> &Path {
        self
    }
}

/// Fails if a regular file exists at `path`. Devices and pipes are written to directly and lose nothing.
pub fn check_not_existing(path: &Path) -> Result<()> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => Err(Error::io(path.display(), exists())),
        _ => Ok(()),
    }
}

/// Fails if the entry that was found must not be replaced by a file.
pub(super) fn check(found: &Metadata, may_replace: bool) -> io::Result<()> {
    match () {
        () if found.is_symlink() => Err(is_link()),
        () if found.is_dir() => Err(is_folder()),
        () if !found.is_file() => Err(io::Error::new(ErrorKind::InvalidInput, "this is not a regular file")),
        () if !may_replace => Err(exists()),
        () => Ok(()),
    }
}

fn exists() -> io::Error {
    io::Error::new(ErrorKind::AlreadyExists, "the file already exists")
}

pub(super) fn is_link() -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, "this is a symbolic link, which is not followed below a folder")
}

pub(super) fn is_folder() -> io::Error {
    io::Error::new(ErrorKind::IsADirectory, "this is a folder, not a file")
}
