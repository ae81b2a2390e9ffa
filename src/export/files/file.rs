//! A file that is written completely or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::path::OutputPath;
use super::temporary::{Temporary, put_all};
use crate::formats::is_pipe_or_device;
use crate::names::is_device;
use crate::{Error, Result};

/// A file being written to a temporary file next to the target, which it replaces at the end.
///
/// If dropped before [`OutputFile::finish`], it removes the temporary file. Missing parent folders are created.
/// Symbolic links are followed as [`OutputPath`] allows. If the user named a device or a pipe, it is written to directly.
#[derive(Debug)]
pub struct OutputFile {
    path: PathBuf,
    out: BufWriter<File>,
    /// `None` if the target is written to directly.
    temporary: Option<Temporary>,
}

impl OutputFile {
    /// Starts writing `path`. Without `overwrite` an existing regular file is an error; with it, the new file
    /// keeps the permissions of the old one.
    pub fn create(path: &OutputPath, overwrite: bool) -> Result<Self> {
        // Its own error is "Invalid handle".
        if cfg!(windows) && path.file_name().is_some_and(|name| is_device(&name.to_string_lossy())) {
            let why = "Windows reserves this name for a device";
            return Err(path.error(io::Error::new(ErrorKind::InvalidFilename, why)));
        }
        // Checked before resolving links, since `/dev/stdout` does not resolve to a real path.
        let (file, temporary) = if path.is_named() && is_pipe_or_device(path) {
            let opened = OpenOptions::new().write(true).open(path);
            (opened.map_err(|error| path.error(error))?, None)
        } else {
            let named = || follow_links(path).map(OutputPath::named).map_err(|error| path.error(error));
            let target = if path.is_named() { named()? } else { path.clone() };
            let (file, temporary) = Temporary::create(&target, overwrite)?;
            (file, Some(temporary))
        };
        Ok(Self { path: path.to_path_buf(), out: BufWriter::new(file), temporary })
    }

    /// Moves the file into place.
    pub fn finish(self) -> Result<()> {
        put_all(&mut [self.close()?])
    }

    /// Finishes writing; the file is not yet moved into place.
    pub(super) fn close(self) -> Result<(PathBuf, Option<Temporary>)> {
        let Self { path, mut out, temporary } = self;
        let replaces = temporary.as_ref().is_some_and(|temporary| temporary.replaces);
        match out.flush().and_then(|()| if replaces { sync(out.get_ref()) } else { Ok(()) }) {
            Ok(()) => Ok((path, temporary)),
            Err(error) => Err(Error::io(path.display(), error)),
        }
    }
}

/// Flushes the content to disk. Otherwise a power loss could leave the new name with neither the new nor the old
/// content.
fn sync(file: &File) -> io::Result<()> {
    match file.sync_data() {
        // Not supported by every file system.
        Err(error) if matches!(error.kind(), ErrorKind::Unsupported | ErrorKind::InvalidInput) => Ok(()),
        result => result,
    }
}

/// Writes `bytes` into `folder`, under the first of `names` that does not exist. Returns `None` if all of them
/// exist. Nothing is overwritten, and no partial file stays behind.
pub fn write_new(
    folder: &Path,
    names: impl IntoIterator<Item = String>,
    bytes: &[u8],
) -> io::Result<Option<PathBuf>> {
    let is_free = |path: &OutputPath| fs::symlink_metadata(path).is_err();
    let mut paths = names.into_iter().map(|name| OutputPath::below(folder, name)).filter(is_free);
    for path in &mut paths {
        let write = |mut file: OutputFile| file.write_all(bytes).map_err(|e| path.error(e)).and(Ok(file));
        match OutputFile::create(&path, false).and_then(write).and_then(OutputFile::finish) {
            Ok(()) => return Ok(Some(path.to_path_buf())),
            // By another program.
            Err(Error::Io { source, .. }) if source.kind() == ErrorKind::AlreadyExists => {}
            Err(Error::Io { source, .. }) => return Err(source),
            Err(error) => return Err(io::Error::other(error)),
        }
    }
    Ok(None)
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
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
