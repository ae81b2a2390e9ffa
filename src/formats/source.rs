//! Where the bytes of files come from. The only place in `formats` that touches the file system.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Component, Path, PathBuf};

use ::bytes::Bytes;

use super::foreign::{LFS_REMEDY, is_lfs_pointer};
use crate::error::{Error, Result};
use crate::limits::{Budget, Limits};

/// The file at `path`, not read yet, and how long it says it is.
pub fn open_file(path: &Path) -> Result<(File, u64)> {
    let io = |error| Error::io(path.display(), error);
    let file = File::open(path).map_err(io)?;
    let metadata = file.metadata().map_err(io)?;
    if metadata.is_dir() {
        return Err(io(std::io::Error::new(ErrorKind::IsADirectory, "this is a folder, not a file")));
    }
    Ok((file, metadata.len()))
}

/// Everything that `input` gives, `expected` bytes or so; a pipe or a device says 0 and gives more.
pub fn read_limited(input: impl Read, expected: u64, limits: &Limits) -> Result<Bytes> {
    let budget = Budget::new(limits);
    budget.check_file(expected)?;
    let mut bytes = Vec::new();
    let io = |source| Error::Io { place: Box::default(), source };
    bytes.try_reserve_exact(expected as usize).map_err(|error| io(std::io::Error::other(error)))?;
    input.take(limits.file_bytes.saturating_add(1)).read_to_end(&mut bytes).map_err(io)?;
    budget.check_file(bytes.len() as u64)?;
    Ok(bytes.into())
}

/// Of a folder no more names than this are looked at.
const MAX_NAMES: usize = 1000;

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

    /// The names of the files there whose names end in `suffix`, sorted; those below are not looked at.
    fn names_ending_in(&self, suffix: &str) -> Vec<String> {
        _ = suffix;
        Vec::new()
    }

    /// How many bytes that file has, without reading it, or why it is not to be had.
    fn size(&self, path: &str) -> Result<u64, String>;
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

/// A folder and those below it. What leads out of it is not followed, by `..` or by a symbolic link.
#[derive(Debug, Clone)]
pub struct Folder {
    root: PathBuf,
    /// The name of the file that it is the folder of.
    name: Option<String>,
}

impl Folder {
    /// The folder in which `file` is.
    pub fn of(file: &Path) -> Self {
        let root = match file.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        Self { root, name: file.file_name().and_then(|name| name.to_str()).map(str::to_owned) }
    }

    /// The path below the folder, or why there is none.
    fn find(&self, path: &str) -> Result<PathBuf, String> {
        // Written on Windows, perhaps.
        let path = path.replace('\\', "/");
        let has_drive = path.as_bytes().get(1) == Some(&b':');
        let is_below = |component| matches!(component, Component::Normal(_) | Component::CurDir);
        if path.is_empty() || has_drive || path.contains('\0') || !Path::new(&path).components().all(is_below) {
            return Err(
                "leads out of the folder; pictures are looked for in the file's folder and below".to_owned()
            );
        }
        let found = self.root.join(&path).canonicalize().map_err(|error| match error.kind() {
            ErrorKind::NotFound => "is not there".to_owned(),
            _ => format!("cannot be found: {error}"),
        })?;
        let root = self.root.canonicalize().map_err(|error| format!("cannot be found: {error}"))?;
        if !found.starts_with(root) {
            return Err(
                "is a link out of the folder; pictures are looked for in the file's folder and below".to_owned()
            );
        }
        // Opening a pipe would wait for somebody to write into it.
        if !found.is_file() {
            return Err("is no file".to_owned());
        }
        Ok(found)
    }
}

impl Sidecars for Folder {
    fn own_name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    fn names_ending_in(&self, suffix: &str) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(&self.root) else { return Vec::new() };
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut names: Vec<String> = names.filter(|name| name.ends_with(suffix)).take(MAX_NAMES).collect();
        names.sort();
        names
    }

    fn size(&self, path: &str) -> Result<u64, String> {
        let found = self.find(path).and_then(|found| found.metadata().map_err(|error| error.to_string()));
        found.map(|found| found.len()).map_err(|why| format!("`{path}` {why}"))
    }

    fn load(&self, path: &str, limits: &Limits) -> Result<Result<Bytes, String>> {
        let found = match self.find(path) {
            Ok(found) => found,
            Err(why) => return Ok(Err(format!("`{path}` {why}"))),
        };
        let read = open_file(&found).and_then(|(file, len)| read_limited(file, len, limits));
        match read {
            Ok(bytes) if is_lfs_pointer(&bytes) => {
                Ok(Err(format!("`{path}` is a Git LFS pointer, not the file itself: {LFS_REMEDY}")))
            }
            Ok(bytes) => Ok(Ok(bytes)),
            Err(Error::Io { source, .. }) => Ok(Err(format!("`{path}` cannot be read: {source}"))),
            Err(error) => Err(error.in_file(path)),
        }
    }
}
