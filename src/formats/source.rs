//! Where the bytes of files come from. With `folder.rs` the only place in `formats` that touches the file system.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use ::bytes::Bytes;

use super::Folder;
use crate::error::{Error, Result};
use crate::limits::{Budget, Limits};

/// Opens the file at `path`, which the user named, and returns it with its length. A pipe or a device is opened too,
/// and says that it has no length; opening and reading a pipe waits for whoever writes into it.
pub fn open_file(path: &Path) -> Result<(File, u64)> {
    let io = |error| Error::io(path.display(), error);
    if is_pipe_or_device(path) {
        return Ok((File::open(path).map_err(io)?, 0));
    }
    open_regular_file(path)
}

/// Opens the regular file at `path` and returns it with its length. Anything else is an error and never waited for,
/// also if it takes the place of a file at the last moment.
pub fn open_regular_file(path: &Path) -> Result<(File, u64)> {
    let io = |error| Error::io(path.display(), error);
    // Opening a device can have effects of its own.
    check_regular(&fs::metadata(path).map_err(io)?).map_err(io)?;
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, nonblocking());
    let file = options.open(path).map_err(io)?;
    let metadata = file.metadata().map_err(io)?;
    check_regular(&metadata).map_err(io)?;
    Ok((file, metadata.len()))
}

/// Whether there is something at `path` that is neither a regular file nor a folder.
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

/// `O_NONBLOCK`: opening a pipe does not wait for its writer. It changes nothing for regular files. 0 on systems whose
/// number is not known here.
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

/// The whole regular file at `path`, which the user named.
pub fn read_file(path: &Path, limits: &Limits) -> Result<Bytes> {
    let (file, len) = open_regular_file(path)?;
    read_limited(file, len, limits).map_err(|error| error.in_file(path.display()))
}

/// Everything that `input` gives, `expected` bytes or so; a pipe or a device says 0 and gives more.
pub fn read_limited(input: impl Read, expected: u64, limits: &Limits) -> Result<Bytes> {
    let budget = Budget::new(limits);
    budget.check_file(expected)?;
    let mut bytes = Vec::new();
    let io = |source| Error::Io { place: Box::default(), source };
    bytes.try_reserve_exact(expected as usize).map_err(|error| io(io::Error::other(error)))?;
    input.take(limits.file_bytes.saturating_add(1)).read_to_end(&mut bytes).map_err(io)?;
    budget.check_file(bytes.len() as u64)?;
    Ok(bytes.into())
}

/// Where the files are that another file names.
pub trait Sidecars {
    /// The file that is called `path` there, or in words why it is not to be had.
    ///
    /// Fails only where a limit is exceeded.
    fn load(&self, path: &str, limits: &Limits) -> Result<Result<Bytes, String>>;

    /// What the file is called that they belong to, where that is known.
    fn own_name(&self) -> Option<&str> {
        None
    }

    /// The names in `folder` (`""`: where the file is) that are `wanted`, sorted; folders below are not looked into.
    fn names_in(&self, folder: &str, wanted: &dyn Fn(&str) -> bool) -> Vec<String> {
        _ = (folder, wanted);
        Vec::new()
    }

    /// The folders directly in that of the file, then those directly in its parent, each in the order of their names.
    ///
    /// They are for names that a reader makes up itself: names from a file never lead there.
    fn nearby(&self) -> Vec<Nearby<'_>> {
        Vec::new()
    }

    /// The folder of `file`, which is named by the user and may be anywhere.
    fn folder_of(&self, file: &Path) -> Box<dyn Sidecars + '_> {
        Box::new(Folder::of(file))
    }

    /// How many bytes that file has, without reading it, or why it is not to be had.
    fn size(&self, path: &str) -> Result<u64, String>;
}

/// A folder near a file.
pub struct Nearby<'a> {
    /// Its path from the folder of the file: `images` or `../images`.
    pub path: String,
    /// It is in the folder of the file, not in its parent.
    pub is_below: bool,
    /// What is in it.
    pub sidecars: Box<dyn Sidecars + 'a>,
}

/// Nowhere: for what was not read from a folder.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoSidecars;

impl Sidecars for NoSidecars {
    fn load(&self, path: &str, _limits: &Limits) -> Result<Result<Bytes, String>> {
        Ok(self.size(path).map(|_| Bytes::new()))
    }

    fn size(&self, path: &str) -> Result<u64, String> {
        Err(format!("`{path}` cannot be looked for, there is no folder to look in"))
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
        // As if it had taken the place of a file after that was looked at.
        let mut options = OpenOptions::new();
        std::os::unix::fs::OpenOptionsExt::custom_flags(options.read(true), nonblocking());
        check_regular(&options.open(&pipe).unwrap().metadata().unwrap()).unwrap_err();
    }
}
