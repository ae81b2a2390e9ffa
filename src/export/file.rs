//! Files that are written completely or not at all.

use std::fs::{self, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::unfinished::{MadeFolders, Placing, Temporary};
use crate::error::{Error, Result};

/// A file being written to a temporary file next to the target, which it replaces at the end.
///
/// If dropped before [`OutputFile::finish`], it removes the temporary file. Missing parent folders are created.
/// Symbolic links are followed; a target that exists and is not a regular file (a device, a pipe) is written to
/// directly.
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
    pub fn create(path: &Path, overwrite: bool) -> Result<Self> {
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
        let made = MadeFolders::make(folder)?;
        let (file, temporary) = Temporary::create(folder)?;
        if let Some(rights) = rights {
            file.set_permissions(rights)?;
        }
        let out = Out::Temporary(BufWriter::new(file), temporary);
        Ok(Self { target, overwrite, replaces, out, _made: made })
    }
}

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
    pub fn finish(mut self) -> Result<()> {
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
