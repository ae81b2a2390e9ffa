//! Lookup of files that another file refers to, in its folder and below, and in folders that readers derive themselves:
//! [`Sidecars::nearby`] and [`Sidecars::above`]. Names and links that lead out of these are rejected before any system
//! call.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use ::bytes::Bytes;

use super::foreign::{LFS_REMEDY, is_lfs_pointer};
use super::listing::{Listing, Listings};
use super::source::{Nearby, Sidecars, open_regular_file, read_limited};
use crate::error::{Error, Result};
use crate::held::{entries_below, readable};
use crate::limits::Limits;
use crate::names::is_device;

/// Maximum number of nearby folders that are searched.
pub(super) const MAX_FOLDERS: usize = 100;

/// Maximum number of folders above a file that are searched.
pub(super) const MAX_ABOVE: usize = 4;

/// Maximum number of links in a path, as on Linux.
const MAX_LINKS: usize = 40;

/// Returns true if a path from a file leads out of its folder or names a device, judged by its text alone.
pub fn leads_out(path: &str) -> bool {
    // The path may be from Windows.
    let path = slashed(path);
    let has_drive = path.as_bytes().get(1) == Some(&b':');
    // On other systems these are ordinary names.
    let has_device = cfg!(windows) && path.split('/').any(is_device);
    let is_below = |component| matches!(component, Component::Normal(_) | Component::CurDir);
    path.is_empty()
        || has_drive
        || has_device
        || path.contains('\0')
        || !Path::new(&*path).components().all(is_below)
}

/// Returns a path that may be from Windows, with slashes.
pub fn slashed(path: &str) -> Cow<'_, str> {
    if path.contains('\\') { path.replace('\\', "/").into() } else { path.into() }
}

/// Returns the components of a relative path, last one first, or `None` for other paths.
fn parts(path: &Path) -> Option<Vec<OsString>> {
    let part = |component: Component<'_>| match component {
        Component::Prefix(_) | Component::RootDir => None,
        Component::CurDir => Some(OsString::new()),
        Component::ParentDir | Component::Normal(_) => Some(component.as_os_str().to_owned()),
    };
    let parts: Option<Vec<OsString>> = path.components().rev().map(part).collect();
    parts.map(|parts| parts.into_iter().filter(|part| !part.is_empty()).collect())
}

/// A folder and its subfolders. Paths that lead out of it, by `..` or by a symbolic link, are not followed.
#[derive(Debug, Clone)]
pub struct Folder {
    root: PathBuf,
    /// The name of the file whose folder this is.
    name: Option<String>,
    listings: Listings,
}

/// The reason why a file cannot be accessed.
enum Absent {
    /// It is outside the folder.
    Outside(String),
    /// It does not exist or cannot be read at present.
    Missing(String),
}

impl Absent {
    fn why(self, path: &str) -> String {
        match self {
            Self::Outside(why) | Self::Missing(why) => format!("`{path}` {why}"),
        }
    }
}

impl Folder {
    /// Returns the folder that contains `file`.
    pub fn of(file: &Path) -> Self {
        let root = match file.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        let name = file.file_name().and_then(|name| name.to_str()).map(str::to_owned);
        Self { root, name, listings: Listings::shared() }
    }

    /// Uses folders that were read before, if they are shared.
    #[must_use]
    pub(crate) fn listed_in(self, listings: &Listings) -> Self {
        Self { listings: listings.or(self.listings), ..self }
    }

    /// Returns true if `path`, which may not exist, is in the folder or below, also if links are followed.
    pub fn contains(&self, path: &str) -> bool {
        !matches!(self.follow(path), Err(Absent::Outside(_)))
    }

    /// Returns the actual or future location of the file `path`, or `None` if it is outside the folder.
    pub(super) fn place(&self, path: &str) -> Option<PathBuf> {
        let is_outside = matches!(self.find(path), Err(Absent::Outside(_)));
        let path = slashed(path);
        let is_here = self.root.as_os_str() == ".";
        (!is_outside).then(|| if is_here { PathBuf::from(&*path) } else { self.root.join(&*path) })
    }

    /// Returns the location of the file `path`, or the reason why it cannot be accessed.
    fn find(&self, path: &str) -> Result<PathBuf, Absent> {
        let (found, kind) = self.follow(path)?;
        // Opening a pipe would block until it has a writer.
        if kind.is_file() { Ok(found) } else { Err(Absent::Missing("is not a file".to_owned())) }
    }

    fn metadata(&self, path: &str) -> Result<fs::Metadata, String> {
        let found = self.find(path).map_err(|absent| absent.why(path))?;
        readable(&found).and_then(|_| found.metadata()).map_err(|error| format!("`{path}` {error}"))
    }

    /// Resolves all links in `path`. Links are read one by one: the system would access files outside the folder
    /// before they could be rejected.
    fn follow(&self, path: &str) -> Result<(PathBuf, fs::FileType), Absent> {
        const RULE: &str = "; images must be in the file's folder or below";
        if leads_out(path) {
            return Err(Absent::Outside(format!("leads out of the folder{RULE}")));
        }
        let is_outside = || Absent::Outside(format!("is a link that leads out of the folder{RULE}"));
        let cannot = |error: io::Error| match error.kind() {
            ErrorKind::NotFound => Absent::Missing("does not exist".to_owned()),
            _ => Absent::Missing(format!("cannot be accessed: {error}")),
        };
        let root = self.root.canonicalize().map_err(cannot)?;
        // A stack of components, the next one last.
        let mut todo: Vec<OsString> = parts(Path::new(&*slashed(path))).ok_or_else(is_outside)?;
        let mut below = PathBuf::new();
        let mut links = 0;
        while let Some(part) = todo.pop() {
            if part == ".." {
                // Only the target of a link can contain `..`.
                if !below.pop() {
                    return Err(is_outside());
                }
                continue;
            }
            below.push(part);
            let here = root.join(&below);
            if !here.symlink_metadata().map_err(cannot)?.is_symlink() {
                continue;
            }
            links += 1;
            if links > MAX_LINKS {
                return Err(Absent::Missing("cannot be accessed: too many links".to_owned()));
            }
            let mut target = here.read_link().map_err(cannot)?;
            below.pop();
            if target.is_absolute() {
                target = self.strip_root(&root, &target).ok_or_else(is_outside)?;
                below.clear();
            }
            todo.extend(parts(&target).ok_or_else(is_outside)?);
        }
        let found = root.join(&below);
        let kind = found.symlink_metadata().map_err(cannot)?.file_type();
        Ok((found, kind))
    }

    /// Makes an absolute path relative to the folder, judged by its text.
    fn strip_root(&self, root: &Path, path: &Path) -> Option<PathBuf> {
        let named = std::path::absolute(&self.root).ok();
        let below = path.strip_prefix(root).ok().or_else(|| path.strip_prefix(named?).ok());
        below.map(Path::to_owned)
    }

    /// Returns the names in a folder; none if it cannot be read.
    fn list(&self, folder: &Path) -> Arc<Listing> {
        let is_text = |(name, is_folder): (OsString, bool)| Some((name.into_string().ok()?, is_folder));
        let entries = || entries(folder).into_iter().flatten().filter_map(is_text);
        self.listings.of(folder, || Listing::of_entries(entries()))
    }

    /// Returns the direct subfolders of `self.root.join(way)` with their relative paths, without links and hidden
    /// folders.
    fn folders(&self, way: &str) -> Vec<(String, Self)> {
        let parent = self.root.join(way);
        let listing = self.list(&parent);
        let folder = |name: &String| {
            let (name_of_file, listings) = (self.name.clone(), self.listings.clone());
            (format!("{way}{name}"), Self { root: parent.join(name), name: name_of_file, listings })
        };
        listing.folders().iter().take(MAX_FOLDERS).map(folder).collect()
    }

    /// Returns the folders of [`Sidecars::nearby`]: relative path, whether it is a subfolder of this one, and the
    /// folder.
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

impl Folder {
    /// Returns the folders of [`Sidecars::above`].
    pub(super) fn containing(&self, below: &[&str]) -> Vec<Self> {
        let own = self.root.canonicalize().unwrap_or_default();
        let ways = || below.iter().filter(|way| !leads_out(way));
        let roots =
            own.ancestors().skip(1).take(MAX_ABOVE).flat_map(|above| ways().map(move |way| above.join(way)));
        // A link could lead anywhere; links below are followed as long as they stay in the folder.
        let real = roots.filter(|root| root.canonicalize().is_ok_and(|real| real == *root));
        real.map(|root| Self { root, name: None, listings: self.listings.clone() }).collect()
    }
}

/// Returns the names in a folder, and whether each is a folder.
fn entries(folder: &Path) -> io::Result<Box<dyn Iterator<Item = (OsString, bool)>>> {
    if let Some((root, below)) = readable(folder)? {
        return Ok(Box::new(entries_below(root, &below)?));
    }
    let entry = |entry: fs::DirEntry| (entry.file_name(), entry.file_type().is_ok_and(|kind| kind.is_dir()));
    Ok(Box::new(fs::read_dir(folder)?.flatten().map(entry)))
}

impl Sidecars for Folder {
    fn own_name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    fn listing(&self, folder: &str) -> Arc<Listing> {
        match folder {
            "" => self.list(&self.root),
            _ => match self.follow(folder) {
                Ok((found, kind)) if kind.is_dir() => self.list(&found),
                Ok(_) | Err(_) => Arc::default(),
            },
        }
    }

    fn nearby(&self) -> Vec<Nearby<'_>> {
        let nearby =
            |(path, is_below, folder): (String, bool, Self)| Nearby { path, is_below, sidecars: Box::new(folder) };
        self.near().into_iter().map(nearby).collect()
    }

    fn above(&self, below: &[&str]) -> Vec<Box<dyn Sidecars + '_>> {
        self.containing(below).into_iter().map(|folder| Box::new(folder) as Box<dyn Sidecars>).collect()
    }

    fn size(&self, path: &str) -> Result<u64, String> {
        Ok(self.metadata(path)?.len())
    }

    fn written(&self, path: &str) -> Option<u64> {
        let written = self.metadata(path).ok()?.modified().ok()?;
        Some(written.duration_since(UNIX_EPOCH).ok()?.as_secs())
    }

    fn load(&self, path: &str, limits: &Limits) -> Result<Result<Bytes, String>> {
        let found = match self.find(path) {
            Ok(found) => found,
            Err(absent) => return Ok(Err(absent.why(path))),
        };
        let read = open_regular_file(&found).and_then(|(file, len)| read_limited(file, len, limits));
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
