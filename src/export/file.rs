//! Files that are there whole or not at all.

use std::fs::{self, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::unfinished::{MadeFolders, Placing, Temporary};
use crate::error::{Error, Result};

/// A file being written: to a temporary file beside the target, which takes its place at the end.
///
/// Dropped before [`OutputFile::finish`], it leaves nothing behind. Parent folders are created.
/// A symbolic link is followed; a target that exists and is no regular file (a device, a pipe)
/// is written through.
#[derive(Debug)]
pub struct OutputFile {
    target: PathBuf,
    overwrite: bool,
    /// Something is there that is lost when this takes its place.
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
    /// Begins to write `path`. Without `overwrite` an existing regular file is an error; with it, the new
    /// file has the rights of the old one.
    pub fn create(path: &Path, overwrite: bool) -> Result<Self> {
        Self::begin(path, overwrite).map_err(|error| Error::io(path.display(), error))
    }

    /// Puts the file in its place.
    pub fn finish(self) -> Result<()> {
        self.close()?.finish()
    }

    /// Ends the writing; the file waits for being put in its place.
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
        // Asked of the path as it is: what stands behind `/dev/stdout` is no path.
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
            // What is in the place of a folder is told when the folder is made.
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

/// Waits until the content is on the disk. Without that a power cut can leave the new name with neither the new nor the
/// old content.
fn sync(file: &fs::File) -> io::Result<()> {
    match file.sync_data() {
        // Not every file system can.
        Err(error) if matches!(error.kind(), io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput) => Ok(()),
        result => result,
    }
}

/// A file that is written and not yet in its place. Dropped, it leaves nothing behind.
#[derive(Debug)]
pub struct ClosedFile {
    target: PathBuf,
    overwrite: bool,
    /// `None` for what was written through.
    temporary: Option<Temporary>,
    _made: MadeFolders,
}

impl ClosedFile {
    /// Puts the file in its place.
    pub fn finish(mut self) -> Result<()> {
        let mut placing = Placing::begin().map_err(|error| Error::io(self.target.display(), error))?;
        self.put(&mut placing)
    }

    /// The same for one file of several. It must outlive `placing`.
    pub(super) fn put(&mut self, placing: &mut Placing) -> Result<()> {
        let Some(temporary) = &mut self.temporary else { return Ok(()) };
        let put = temporary.put(&self.target, self.overwrite, placing);
        put.map_err(|error| Error::io(self.target.display(), error))
    }
}

/// Refuses a path at which a regular file is. A device or a pipe is written through and loses nothing.
pub fn check_free(path: &Path) -> Result<()> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => Err(Error::io(path.display(), exists())),
        _ => Ok(()),
    }
}

/// Writes `bytes` into `folder`, to a file with the first of `names` at which nothing is. `None` where all are taken. Nothing
/// is overwritten, and nothing half-written stays.
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
    io::Error::new(io::ErrorKind::AlreadyExists, "the file exists already")
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

/// Where a path leads, also when nothing is there yet.
fn follow_links(path: &Path) -> io::Result<PathBuf> {
    let mut target = path.to_owned();
    // As many as Linux follows.
    for _ in 0..40 {
        match fs::read_link(&target) {
            Ok(link) => target = target.parent().map_or_else(|| link.clone(), |folder| folder.join(&link)),
            Err(_) => return Ok(target),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}
