//! Where the bytes of files come from. The only place in `formats` that touches the file system.

use std::fs::{DirEntry, File};
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

/// The whole file at `path`, which the user named.
#[cfg(feature = "formats-all")]
pub fn read_file(path: &Path, limits: &Limits) -> Result<Bytes> {
    let (file, len) = open_file(path)?;
    read_limited(file, len, limits).map_err(|error| error.in_file(path.display()))
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

/// Of the folders near a file no more than this are looked into.
const MAX_FOLDERS: usize = 100;

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

/// Whether a path that a file gives leads out of its folder, going by its words alone.
pub fn leads_out(path: &str) -> bool {
    // Written on Windows, perhaps.
    let path = path.replace('\\', "/");
    let has_drive = path.as_bytes().get(1) == Some(&b':');
    let is_below = |component| matches!(component, Component::Normal(_) | Component::CurDir);
    path.is_empty() || has_drive || path.contains('\0') || !Path::new(&path).components().all(is_below)
}

/// A folder and those below it. What leads out of it is not followed, by `..` or by a symbolic link.
#[derive(Debug, Clone)]
pub struct Folder {
    root: PathBuf,
    /// The name of the file that it is the folder of.
    name: Option<String>,
}

/// Why a file is not to be had.
enum Absent {
    /// It is out of the folder.
    Outside(&'static str),
    /// It may be there some day.
    Missing(String),
}

impl Absent {
    fn why(self, path: &str) -> String {
        match self {
            Self::Outside(why) => format!("`{path}` {why}"),
            Self::Missing(why) => format!("`{path}` {why}"),
        }
    }
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

    /// Where the file called `path` is or would be; `None` where that is out of the folder.
    pub(super) fn place(&self, path: &str) -> Option<PathBuf> {
        let is_outside = matches!(self.find(path), Err(Absent::Outside(_)));
        let path = path.replace('\\', "/");
        let is_here = self.root.as_os_str() == ".";
        (!is_outside).then(|| if is_here { PathBuf::from(path) } else { self.root.join(path) })
    }

    /// The path below the folder, or why there is none.
    fn find(&self, path: &str) -> Result<PathBuf, Absent> {
        if leads_out(path) {
            return Err(Absent::Outside(
                "leads out of the folder; pictures are looked for in the file's folder and below",
            ));
        }
        let cannot = |error: std::io::Error| Absent::Missing(format!("cannot be found: {error}"));
        let found =
            self.root.join(path.replace('\\', "/")).canonicalize().map_err(|error| match error.kind() {
                ErrorKind::NotFound => Absent::Missing("is not there".to_owned()),
                _ => cannot(error),
            })?;
        if !found.starts_with(self.root.canonicalize().map_err(cannot)?) {
            return Err(Absent::Outside(
                "is a link out of the folder; pictures are looked for in the file's folder and below",
            ));
        }
        // Opening a pipe would wait for somebody to write into it.
        if !found.is_file() {
            return Err(Absent::Missing("is no file".to_owned()));
        }
        Ok(found)
    }

    /// The folders directly in `self.root.join(way)`, with the way to them. Links and hidden ones are left out.
    fn folders(&self, way: &str) -> Vec<(String, Self)> {
        let parent = self.root.join(way);
        let is_folder = |entry: &DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
        let entries = std::fs::read_dir(&parent).into_iter().flatten().flatten().filter(is_folder);
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let mut names: Vec<String> = names.filter(|name| !name.starts_with('.')).collect();
        names.sort_unstable();
        names.truncate(MAX_FOLDERS);
        let folder =
            |name: String| (format!("{way}{name}"), Self { root: parent.join(name), name: self.name.clone() });
        names.into_iter().map(folder).collect()
    }

    /// The folders of [`Sidecars::nearby`]: the way to each, and whether it is in this one.
    pub(super) fn near(&self) -> Vec<(String, bool, Self)> {
        let own = self.root.canonicalize().ok();
        let is_own = |folder: &Self| own.is_some() && folder.root.canonicalize().ok() == own;
        let below = self.folders("").into_iter().map(|(way, folder)| (way, true, folder));
        // The root of a file system is its own parent.
        let has_parent = own.as_ref().is_some_and(|own| own.parent().is_some());
        let siblings = if has_parent { self.folders("../") } else { Vec::new() };
        let siblings = siblings.into_iter().filter(|(_, folder)| !is_own(folder));
        below.chain(siblings.map(|(way, folder)| (way, false, folder))).collect()
    }
}

impl Sidecars for Folder {
    fn own_name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    fn names_in(&self, folder: &str, wanted: &dyn Fn(&str) -> bool) -> Vec<String> {
        let below = || {
            let found = self.root.join(folder.replace('\\', "/")).canonicalize().ok()?;
            found.starts_with(self.root.canonicalize().ok()?).then_some(found)
        };
        let found = match folder {
            "" => Some(self.root.clone()),
            _ if leads_out(folder) => None,
            _ => below(),
        };
        let entries = found.and_then(|found| std::fs::read_dir(found).ok()).into_iter().flatten();
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut names: Vec<String> = names.filter(|name| wanted(name)).take(MAX_NAMES).collect();
        names.sort();
        names
    }

    fn nearby(&self) -> Vec<Nearby<'_>> {
        let nearby =
            |(path, is_below, folder): (String, bool, Self)| Nearby { path, is_below, sidecars: Box::new(folder) };
        self.near().into_iter().map(nearby).collect()
    }

    fn size(&self, path: &str) -> Result<u64, String> {
        let found = self.find(path).map_err(|absent| absent.why(path))?;
        let metadata = found.metadata().map_err(|error| format!("`{path}` {error}"))?;
        Ok(metadata.len())
    }

    fn load(&self, path: &str, limits: &Limits) -> Result<Result<Bytes, String>> {
        let found = match self.find(path) {
            Ok(found) => found,
            Err(absent) => return Ok(Err(absent.why(path))),
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
