//! Files that are there whole or not at all.

use std::fs::{self, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile, TempPath};

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
    out: Out,
    _made: MadeFolders,
}

#[derive(Debug)]
enum Out {
    /// The file apart from its path: its own errors name the path, and lose their numbers over it.
    Temporary(BufWriter<fs::File>, TempPath),
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
        let Self { target, overwrite, out, _made } = self;
        let closed = match out {
            Out::Through(mut out) => out.flush().map(|()| None),
            Out::Temporary(mut out, path) => out.flush().map(|()| Some(path)),
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
            return Ok(Self { target: path.to_owned(), overwrite, out, _made: MadeFolders::default() });
        }
        let target = follow_links(path)?;
        let rights = match found {
            Ok(found) if found.is_dir() => {
                return Err(io::Error::new(io::ErrorKind::IsADirectory, "this is a folder, not a file"));
            }
            Ok(_) if !overwrite => return Err(exists()),
            Ok(found) => Some(found.permissions()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let folder = match target.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let made = MadeFolders::make(folder)?;
        let file = temporary(folder)?;
        if let Some(rights) = rights {
            file.as_file().set_permissions(rights)?;
        }
        let (file, path) = file.into_parts();
        let out = Out::Temporary(BufWriter::new(file), path);
        Ok(Self { target, overwrite, out, _made: made })
    }
}

/// Folders that were made for a file. Those that are empty when it is dropped go again.
#[derive(Debug, Default)]
pub(super) struct MadeFolders(Vec<PathBuf>);

impl MadeFolders {
    /// Makes `folder` and what it lies in, as far as they are not there.
    pub fn make(folder: &Path) -> io::Result<Self> {
        let missing = folder.ancestors().take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists());
        // Also where making them ends halfway.
        let made = Self(missing.map(Path::to_owned).collect());
        match fs::create_dir_all(folder) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Err(io::Error::new(io::ErrorKind::NotADirectory, "this is a file, not a folder"))
            }
            result => result.map(|()| made),
        }
    }
}

impl Drop for MadeFolders {
    fn drop(&mut self) {
        // The innermost first; a folder with something in it stays.
        self.0.iter().for_each(|folder| drop(fs::remove_dir(folder)));
    }
}

/// A file that is written and not yet in its place. Dropped, it leaves nothing behind.
#[derive(Debug)]
pub struct ClosedFile {
    target: PathBuf,
    overwrite: bool,
    /// `None` for what was written through.
    temporary: Option<TempPath>,
    _made: MadeFolders,
}

impl ClosedFile {
    /// Puts the file in its place.
    pub fn finish(self) -> Result<()> {
        let Some(temporary) = self.temporary else { return Ok(()) };
        let kept = match self.overwrite {
            true => temporary.persist(&self.target),
            false => temporary.persist_noclobber(&self.target),
        };
        kept.map_err(|error| Error::io(self.target.display(), error.error))
    }
}

/// Refuses a path at which a regular file is. A device or a pipe is written through and loses nothing.
pub fn check_free(path: &Path) -> Result<()> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => Err(Error::io(path.display(), exists())),
        _ => Ok(()),
    }
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

/// A temporary file that cannot be made. Its name is nobody's business: told is the one it would have had.
fn nameless(error: io::Error) -> io::Error {
    error.kind().into()
}

/// A temporary file with the rights that a new file would have.
pub(crate) fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".pchr-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // What the user's umask takes away is taken away from this.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder).map_err(nameless)
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
