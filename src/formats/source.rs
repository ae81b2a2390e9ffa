//! File input. Together with `folder.rs` the only module in `formats` that accesses the file system.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::Path;
use std::sync::Arc;

use ::bytes::Bytes;

use super::Folder;
use super::listing::Listing;
use crate::error::{Error, Result};
use crate::held::{is_confined, read_below, readable};
use crate::limits::{Budget, Limits};

/// Opens the file at `path`, which the user named, and returns it with its length. A pipe or a device is opened
/// too, with a length of 0; opening and reading a pipe blocks until it has a writer. A
/// [confined](super::confine_reading) process opens neither.
pub fn open_file(path: &Path) -> Result<(File, u64)> {
    if is_pipe_or_device(path) && !is_confined() {
        return Ok((File::open(path).map_err(|error| Error::io(path.display(), error))?, 0));
    }
    open_regular_file(path)
}

/// Opens the regular file at `path` and returns it with its length. Anything else is an error and never blocks,
/// even if it replaces the file at the last moment.
pub fn open_regular_file(path: &Path) -> Result<(File, u64)> {
    let opened = open(path).and_then(|file| {
        let metadata = file.metadata()?;
        check_regular(&metadata)?;
        Ok((file, metadata.len()))
    });
    opened.map_err(|error| Error::io(path.display(), error))
}

fn open(path: &Path) -> io::Result<File> {
    if let Some((folder, below)) = readable(path)? {
        return read_below(folder, &below);
    }
    // Opening a device can have side effects.
    check_regular(&fs::metadata(path)?)?;
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, nonblocking());
    options.open(path)
}

/// Returns true if `path` exists and is neither a regular file nor a folder.
pub fn is_pipe_or_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

fn check_regular(metadata: &fs::Metadata) -> io::Result<()> {
    if metadata.is_dir() {
        return Err(io::Error::new(ErrorKind::IsADirectory, "this is a folder, not a file"));
    }
    if !metadata.is_file() {
        return Err(io::Error::new(ErrorKind::InvalidInput, "this is a pipe or a device, not a file"));
    }
    Ok(())
}

/// Returns `O_NONBLOCK`, with which opening a pipe does not block; regular files are not affected. 0 on systems
/// whose value is unknown.
#[cfg(unix)]
const fn nonblocking() -> i32 {
    if cfg!(any(target_os = "linux", target_os = "android")) {
        match () {
            () if cfg!(any(target_arch = "mips", target_arch = "mips64")) => 0o200,
            () if cfg!(any(target_arch = "sparc", target_arch = "sparc64")) => 0o40000,
            () => 0o4000,
        }
    } else if cfg!(any(
        target_vendor = "apple",
        target_os = "freebsd",
        target_os = "netbsd",
        target_os = "openbsd"
    )) {
        4
    } else {
        0
    }
}

/// Reads the regular file at `path`, which the user named.
pub fn read_file(path: &Path, limits: &Limits) -> Result<Bytes> {
    let (file, len) = open_regular_file(path)?;
    read_limited(file, len, limits).map_err(|error| error.in_file(path.display()))
}

/// Reads all of `input`, about `expected` bytes; for a pipe or a device, `expected` is 0.
pub fn read_limited(input: impl Read, expected: u64, limits: &Limits) -> Result<Bytes> {
    let budget = Budget::new(limits);
    budget.check_file(expected)?;
    let mut bytes = Vec::new();
    let io = |source: io::Error| match source.get_ref().and_then(|inner| inner.downcast_ref()) {
        Some(Error::Cancelled) => Error::Cancelled,
        _ => Error::Io { place: Box::default(), source },
    };
    bytes.try_reserve_exact(expected as usize).map_err(|error| io(io::Error::other(error)))?;
    let mut input = input.take(limits.file_bytes.saturating_add(1));
    match budget.progress() {
        Some(progress) => progress.watch(input, expected).read_to_end(&mut bytes),
        None => input.read_to_end(&mut bytes),
    }
    .map_err(io)?;
    budget.check_file(bytes.len() as u64)?;
    Ok(bytes.into())
}

/// Access to the files that another file refers to.
pub trait Sidecars {
    /// Loads the file `path`, or returns the reason why it cannot be loaded.
    ///
    /// # Errors
    ///
    /// Fails only if a limit is exceeded.
    fn load(&self, path: &str, limits: &Limits) -> Result<Result<Bytes, String>>;

    /// Like [`load`](Self::load), of a file that is only compared with others and perhaps not used.
    ///
    /// # Errors
    ///
    /// Fails only if a limit is exceeded.
    fn load_candidate(&self, path: &str, limits: &Limits) -> Result<Result<Bytes, String>> {
        self.load(path, limits)
    }

    /// Returns the name of the file that they belong to, if known.
    fn own_name(&self) -> Option<&str> {
        None
    }

    /// Returns the names in `folder`; `""`: the folder of the file. Subfolders are not searched.
    fn listing(&self, folder: &str) -> Arc<Listing> {
        _ = folder;
        Arc::default()
    }

    /// Returns the direct subfolders of the file's folder, then the subfolders of its parent, each sorted by name.
    ///
    /// They are searched only for names that a reader derives itself, never for names from a file.
    fn nearby(&self) -> Vec<Nearby<'_>> {
        Vec::new()
    }

    /// Returns the folders `below`, relative paths, of each folder that contains the file's folder, the nearest first; of
    /// at most four. A folder that is a link, or that a link leads to, is left out.
    fn above(&self, below: &[&str]) -> Vec<Box<dyn Sidecars + '_>> {
        _ = below;
        Vec::new()
    }

    /// Loads `file`, which the user named and which may be anywhere.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be read, or a limit is exceeded.
    fn load_chosen(&self, file: &Path, limits: &Limits) -> Result<Bytes> {
        read_file(file, limits)
    }

    /// Returns the folder of `file`, which the user named and which may be anywhere.
    fn folder_of(&self, file: &Path) -> Box<dyn Sidecars + '_> {
        Box::new(Folder::of(file))
    }

    /// Returns true if there are no files at all.
    fn is_empty(&self) -> bool {
        false
    }

    /// Returns the size of the file `path` in bytes without reading it, or the reason why it cannot be accessed.
    fn size(&self, path: &str) -> Result<u64, String>;

    /// Returns when the file `path` was last written, in seconds since 1970; `None` if that is unknown.
    fn written(&self, path: &str) -> Option<u64> {
        _ = path;
        None
    }
}

/// A folder near a file.
pub struct Nearby<'a> {
    /// Path relative to the folder of the file: `images` or `../images`.
    pub path: String,
    /// True for a subfolder of the file's folder, false for one of its parent.
    pub is_below: bool,
    /// Access to its files.
    pub sidecars: Box<dyn Sidecars + 'a>,
}

/// No access to other files, for input that is not from a folder.
pub const NO_SIDECARS: &dyn Sidecars = &NoSidecars;

struct NoSidecars;

impl Sidecars for NoSidecars {
    fn load(&self, path: &str, _limits: &Limits) -> Result<Result<Bytes, String>> {
        Ok(self.size(path).map(|_| Bytes::new()))
    }

    fn size(&self, path: &str) -> Result<u64, String> {
        Err(format!("`{path}` cannot be loaded: the input is not from a folder"))
    }

    fn is_empty(&self) -> bool {
        true
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use nix::sys::stat::Mode;
    use nix::unistd::mkfifo;

    use super::*;

    #[test]
    fn opening_a_pipe_does_not_wait() {
        assert_eq!(nonblocking(), nix::libc::O_NONBLOCK);
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        mkfifo(&pipe, Mode::S_IRWXU).unwrap();
        for path in [&*pipe, Path::new("/dev/null")] {
            let error = open_regular_file(path).unwrap_err().to_string();
            assert!(error.contains("this is a pipe or a device"), "{error}");
        }
        // As if it had replaced the file after the check.
        let mut options = OpenOptions::new();
        std::os::unix::fs::OpenOptionsExt::custom_flags(options.read(true), nonblocking());
        check_regular(&options.open(&pipe).unwrap().metadata().unwrap()).unwrap_err();
    }
}
