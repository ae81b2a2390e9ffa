//! Files in memory as the folder of a character.
//!
//! A page that opens an address does not know what is beside it, so a name that a reader asks for and that is not there is
//! noted; the page fetches it, and opens the character again.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path};
use std::sync::Arc;

use bytes::Bytes;
use pchr::Result;
use pchr::formats::{Listing, Nearby, Sidecars};
use pchr::limits::Limits;

/// Maximum number of files that one character is fetched with.
const MAX_WANTED: usize = 256;

/// Files by their paths from the topmost folder.
#[derive(Default)]
pub struct Files {
    known: BTreeMap<String, Bytes>,
    missing: BTreeSet<String>,
    /// Asked for, in this order.
    wanted: RefCell<Vec<String>>,
    is_complete: bool,
}

impl Files {
    pub fn new(is_complete: bool) -> Self {
        Self { is_complete, ..Self::default() }
    }

    pub fn add(&mut self, path: &str, bytes: Vec<u8>) {
        self.known.insert(path.to_owned(), bytes.into());
    }

    pub fn miss(&mut self, path: &str) {
        self.missing.insert(path.to_owned());
    }

    /// The file `path`; empty if there is none.
    pub fn main(&self, path: &str) -> Bytes {
        self.known.get(path).cloned().unwrap_or_default()
    }

    /// All files, by path.
    #[cfg(feature = "tools")]
    pub fn all(&self) -> Vec<(String, Bytes)> {
        self.known.iter().map(|(path, bytes)| (path.clone(), bytes.clone())).collect()
    }

    /// The folder of the file `path`.
    pub fn beside(&self, path: &str) -> Folder<'_> {
        let (folder, name) = path.rsplit_once('/').map_or(("", path), |(folder, name)| (folder, name));
        Folder { files: self, folder: folder.to_owned(), name: name.to_owned() }
    }

    /// Takes the names that were asked for while `main` was read: atlases first, because with an atlas the loose pictures of
    /// its regions are not asked for.
    pub fn wanted(&self, main: &str) -> Vec<String> {
        let mut wanted = self.wanted.take();
        if self.is_complete {
            return Vec::new();
        }
        let is_atlas = |path: &String| path.ends_with(".atlas") || path.ends_with(".atlas.txt");
        if wanted.iter().any(is_atlas) {
            wanted.retain(is_atlas);
        } else if !self.known.keys().any(is_atlas) && self.missing.iter().any(is_atlas) {
            // The usual name is missing, and what else is there nobody can list.
            let other = other_atlases(main).into_iter().find(|path| !self.missing.contains(path));
            if let Some(other) = other {
                return vec![other];
            }
        }
        wanted.truncate(MAX_WANTED);
        wanted
    }

    fn find(&self, path: &str) -> Result<Bytes, String> {
        if let Some(bytes) = self.known.get(path) {
            return Ok(bytes.clone());
        }
        let mut wanted = self.wanted.borrow_mut();
        if !self.missing.contains(path)
            && wanted.len() < 8 * MAX_WANTED
            && !wanted.iter().any(|other| other == path)
        {
            wanted.push(path.to_owned());
        }
        Err(format!("`{path}` does not exist"))
    }
}

/// The names that exporters give the atlas of `skeleton` beside the usual one: without the edition of the skeleton, with a
/// mark of premultiplied alpha, and with the extension that a game engine wants.
fn other_atlases(skeleton: &str) -> Vec<String> {
    let (folder, name) = skeleton.rsplit_once('/').map_or(("", skeleton), |(folder, name)| (folder, name));
    let stem = name.split('.').next().unwrap_or_default();
    let short = stem.rsplit_once('-').map(|(short, _)| short);
    let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
    let stems = short.into_iter().chain([stem]);
    let names =
        stems.flat_map(|stem| [format!("{stem}.atlas"), format!("{stem}-pma.atlas"), format!("{stem}.atlas.txt")]);
    names.map(|name| format!("{prefix}{name}")).collect()
}

/// A folder of [`Files`].
pub struct Folder<'a> {
    files: &'a Files,
    /// Its path, without a slash at the end; empty: the topmost.
    folder: String,
    /// The file that it is the folder of.
    name: String,
}

impl<'a> Folder<'a> {
    /// The path of a file from the topmost folder, or why it cannot be one.
    fn path(&self, path: &str) -> Result<String, String> {
        let slashes = path.replace('\\', "/");
        let mut parts: Vec<&str> = self.folder.split('/').filter(|part| !part.is_empty()).collect();
        for component in Path::new(&slashes).components() {
            match component {
                Component::Normal(part) => parts.extend(part.to_str()),
                Component::CurDir => {}
                Component::ParentDir | Component::RootDir | Component::Prefix(_) => {
                    return Err(format!("`{path}` leads out of the folder"));
                }
            }
        }
        // As for the programs, a drive is outside the folder. Other colons are encoded in addresses.
        if slashes.contains('\0') || slashes.as_bytes().get(1) == Some(&b':') || slashes.is_empty() {
            return Err(format!("`{path}` is not the name of a file in the folder"));
        }
        Ok(parts.join("/"))
    }

    /// The names in a folder, given by its path from the topmost one.
    fn names<'f>(files: &'f Files, folder: &str) -> impl Iterator<Item = &'f str> {
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        files.known.keys().filter_map(move |path| path.strip_prefix(&prefix))
    }

    /// The folders in a folder.
    fn folders(files: &Files, folder: &str) -> BTreeSet<String> {
        Self::names(files, folder).filter_map(|path| Some(path.split_once('/')?.0.to_owned())).collect()
    }

    fn near(&self, path: String, folder: String, is_below: bool) -> Nearby<'a> {
        let sidecars = Folder { files: self.files, folder, name: self.name.clone() };
        Nearby { path, is_below, sidecars: Box::new(sidecars) }
    }
}

impl Sidecars for Folder<'_> {
    fn load(&self, path: &str, _limits: &Limits) -> Result<Result<Bytes, String>> {
        Ok(self.path(path).and_then(|path| self.files.find(&path)))
    }

    fn own_name(&self) -> Option<&str> {
        Some(&self.name)
    }

    fn listing(&self, folder: &str) -> Arc<Listing> {
        let folder = if folder.is_empty() { Ok(self.folder.clone()) } else { self.path(folder) };
        let Ok(folder) = folder else { return Arc::default() };
        let files = Self::names(self.files, &folder).filter(|name| !name.contains('/')).map(str::to_owned);
        Arc::new(Listing::of_files(files))
    }

    fn above(&self) -> Vec<Box<dyn Sidecars + '_>> {
        let parent = |folder: &String| {
            (!folder.is_empty()).then(|| folder.rsplit_once('/').map_or("", |(parent, _)| parent).to_owned())
        };
        let folders = std::iter::successors(parent(&self.folder), parent);
        let sidecars = |folder| Folder { files: self.files, folder, name: String::new() };
        folders.map(|folder| Box::new(sidecars(folder)) as Box<dyn Sidecars>).collect()
    }

    fn nearby(&self) -> Vec<Nearby<'_>> {
        let joined = |folder: &str, name: &str| {
            if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
        };
        let below = Self::folders(self.files, &self.folder).into_iter();
        let mut near: Vec<_> =
            below.map(|name| self.near(name.clone(), joined(&self.folder, &name), true)).collect();
        if !self.folder.is_empty() {
            let (parent, own) = self.folder.rsplit_once('/').unwrap_or(("", &self.folder));
            let others = Self::folders(self.files, parent).into_iter().filter(|name| name != own);
            near.extend(others.map(|name| self.near(format!("../{name}"), joined(parent, &name), false)));
        }
        near
    }

    fn folder_of(&self, _file: &Path) -> Box<dyn Sidecars + '_> {
        Box::new(Folder { files: self.files, folder: self.folder.clone(), name: self.name.clone() })
    }

    fn size(&self, path: &str) -> Result<u64, String> {
        self.path(path).and_then(|path| self.files.find(&path)).map(|bytes| bytes.len() as u64)
    }
}
