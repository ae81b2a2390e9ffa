//! Files that are written completely or not at all.

use std::fs::{self, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::ops::Deref;
use std::path::{Path, PathBuf};

use super::unfinished::{MadeFolders, Placing, Temporary};
use crate::names::is_device;
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
    pub(super) fn in_folder(folder: PathBuf, path: PathBuf) -> Self {
        Self { path, named: folder }
    }

    /// Another file in the same folder. The user did not name it.
    pub(crate) fn with_file_name(&self, name: impl AsRef<std::ffi::OsStr>) -> Self {
        let path = self.path.with_file_name(name);
        if path == self.path {
            return self.clone();
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let named = if self.named.starts_with(folder) { folder } else { &self.named };
        Self { named: named.to_owned(), path }
    }

    /// Fails if the path leads through a symbolic link, or a file in place of a folder, below the part that the user
    /// named.
    pub fn check(&self) -> Result<()> {
        let reject = |at: &Path, kind, why| Err(Error::io(at.display(), io::Error::new(kind, why)));
        let below = self.path.ancestors().take_while(|at| *at != self.named && !at.as_os_str().is_empty());
        // From the top, so that nothing is looked up through a link.
        for at in below.collect::<Vec<_>>().into_iter().rev() {
            match fs::symlink_metadata(at) {
                Ok(found) if found.is_symlink() => {
                    let why = "this is a symbolic link, which is not followed below a folder";
                    return reject(at, io::ErrorKind::InvalidInput, why);
                }
                Ok(found) if at != self.path && !found.is_dir() => {
                    return reject(at, io::ErrorKind::NotADirectory, "the path exists and is not a folder");
                }
                Ok(_) => {}
                Err(_) => break,
            }
        }
        Ok(())
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

/// A file being written to a temporary file next to the target, which it replaces at the end.
///
/// If dropped before [`OutputFile::finish`], it removes the temporary file. Missing parent folders are created.
/// Symbolic links are followed as [`OutputPath`] allows. A target that exists and is not a regular file (a device, a
/// pipe) is written to directly.
#[derive(Debug)]
pub struct OutputFile {
    target: PathBuf,
    overwrite: bool,
    /// True if an existing file is replaced.
    replaces: bool,
    out: Out,
    _made: MadeFolders,
}

#[derive(Debug)]
enum Out {
    Temporary(BufWriter<fs::File>, Temporary),
    Through(BufWriter<fs::File>),
}

impl OutputFile {
    /// Starts writing `path`. Without `overwrite` an existing regular file is an error; with it, the new file
    /// keeps the permissions of the old one.
    pub fn create(path: &OutputPath, overwrite: bool) -> Result<Self> {
        path.check()?;
        Self::begin(path, overwrite).map_err(|error| Error::io(path.display(), error))
    }

    /// Moves the file into place.
    pub fn finish(self) -> Result<()> {
        self.close()?.finish()
    }

    /// Finishes writing; the file is not yet moved into place.
    pub fn close(self) -> Result<ClosedFile> {
        let Self { target, overwrite, replaces, out, _made } = self;
        let closed = match out {
            Out::Through(mut out) => out.flush().map(|()| None),
            Out::Temporary(mut out, path) => {
                out.flush().and_then(|()| if replaces { sync(out.get_ref()) } else { Ok(()) }).map(|()| Some(path))
            }
        };
        match closed {
            Ok(temporary) => Ok(ClosedFile { target, overwrite, temporary, _made }),
            Err(error) => Err(Error::io(target.display(), error)),
        }
    }

    fn begin(path: &Path, overwrite: bool) -> io::Result<Self> {
        // Its own error is "Invalid handle".
        if cfg!(windows) && path.file_name().is_some_and(|name| is_device(&name.to_string_lossy())) {
            return Err(io::Error::new(io::ErrorKind::InvalidFilename, "Windows reserves this name for a device"));
        }
        // Checked before resolving links, since `/dev/stdout` does not resolve to a real path.
        let found = fs::metadata(path);
        if found.as_ref().is_ok_and(|found| !found.is_file() && !found.is_dir()) {
            let out = Out::Through(BufWriter::new(OpenOptions::new().write(true).open(path)?));
            let target = path.to_owned();
            return Ok(Self { target, overwrite, replaces: false, out, _made: MadeFolders::default() });
        }
        let target = follow_links(path)?;
        let rights = match found {
            Ok(found) if found.is_dir() => {
                return Err(io::Error::new(io::ErrorKind::IsADirectory, "this is a folder, not a file"));
            }
            Ok(_) if !overwrite => return Err(exists()),
            Ok(found) => Some(found.permissions()),
            // A file in place of a parent folder is reported when the folders are created.
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => None,
            Err(error) => return Err(error),
        };
        let replaces = rights.is_some();
        let folder = match target.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let (made, file, temporary) = Self::temporary(folder)?;
        if let Some(rights) = rights {
            file.set_permissions(rights)?;
        }
        let out = Out::Temporary(BufWriter::new(file), temporary);
        Ok(Self { target, overwrite, replaces, out, _made: made })
    }
}

impl OutputFile {
    /// Creates `folder` and a temporary file in it. Another process may remove the folder in between, since it removes
    /// the folders that it made and no longer needs.
    fn temporary(folder: &Path) -> io::Result<(MadeFolders, fs::File, Temporary)> {
        let mut attempts = 0..ATTEMPTS;
        loop {
            let made = MadeFolders::make(folder);
            let created =
                made.and_then(|made| Temporary::create(folder).map(|(file, temporary)| (made, file, temporary)));
            match created {
                Err(error) if error.kind() == io::ErrorKind::NotFound && attempts.next().is_some() => {}
                created => return created,
            }
        }
    }
}

/// Number of attempts to create a file in a folder that other processes remove.
const ATTEMPTS: usize = 100;

/// Flushes the content to disk. Otherwise a power loss could leave the new name with neither the new nor the old
/// content.
fn sync(file: &fs::File) -> io::Result<()> {
    match file.sync_data() {
        // Not supported by every file system.
        Err(error) if matches!(error.kind(), io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput) => Ok(()),
        result => result,
    }
}

/// A completely written file that is not yet in place. It is removed on drop.
#[derive(Debug)]
pub struct ClosedFile {
    target: PathBuf,
    overwrite: bool,
    /// `None` if the target was written to directly.
    temporary: Option<Temporary>,
    _made: MadeFolders,
}

impl ClosedFile {
    /// Moves the file into place.
    pub(crate) fn finish(mut self) -> Result<()> {
        let mut placing = Placing::begin().map_err(|error| Error::io(self.target.display(), error))?;
        self.put(&mut placing)
    }

    /// Moves one of several files into place. `self` must outlive `placing`.
    pub(super) fn put(&mut self, placing: &mut Placing) -> Result<()> {
        let Some(temporary) = &mut self.temporary else { return Ok(()) };
        let put = temporary.put(&self.target, self.overwrite, placing);
        put.map_err(|error| Error::io(self.target.display(), error))
    }
}

/// Fails if a regular file exists at `path`. Devices and pipes are written to directly and lose nothing.
pub fn check_not_existing(path: &Path) -> Result<()> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => Err(Error::io(path.display(), exists())),
        _ => Ok(()),
    }
}

/// Writes `bytes` into `folder`, under the first of `names` that does not exist. Returns `None` if all of them
/// exist. Nothing is overwritten, and no partial file stays behind.
pub fn write_new(
    folder: &Path,
    names: impl IntoIterator<Item = String>,
    bytes: &[u8],
) -> io::Result<Option<PathBuf>> {
    let (mut file, mut temporary) = Temporary::create(folder)?;
    file.write_all(bytes)?;
    drop(file);
    for name in names {
        let path = folder.join(name);
        match temporary.put(&path, false, &mut Placing::begin()?) {
            Ok(()) => return Ok(Some(path)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

fn exists() -> io::Error {
    io::Error::new(io::ErrorKind::AlreadyExists, "the file already exists")
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let (Out::Temporary(out, _) | Out::Through(out)) = &mut self.out;
        out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        let (Out::Temporary(out, _) | Out::Through(out)) = &mut self.out;
        out.flush()
    }
}

/// Resolves symbolic links, even if the final target does not exist yet.
fn follow_links(path: &Path) -> io::Result<PathBuf> {
    let mut target = path.to_owned();
    // The limit of Linux.
    for _ in 0..40 {
        match fs::read_link(&target) {
            Ok(link) => target = target.parent().map_or_else(|| link.clone(), |folder| folder.join(&link)),
            Err(_) => return Ok(target),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}
