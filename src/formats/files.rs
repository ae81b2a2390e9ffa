//! Files in memory, in which atlases and pages are found by the rules of the disk.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::iter;
use std::path::Path;
use std::sync::Arc;

use ::bytes::Bytes;

use super::folder::{MAX_ABOVE, MAX_FOLDERS, leads_out, slashed};
use super::listing::{Listing, Listings};
use super::source::{Nearby, Sidecars};
use super::{Input, ReadOptions, from_input};
use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Result};
use crate::limits::{Budget, Limits};

/// Files in memory, such as those of an archive, of a download or of [`include_bytes!`].
///
/// A path leads from the topmost folder to the file, with `/`: `heroes/hero.json`. Near a character, its atlas and its
/// pictures are found as they would be on disk.
///
/// ```
/// # const LAMP: &[u8] = include_bytes!("../../assets/paper-lamp.json");
/// # const ATLAS: &[u8] = include_bytes!("../../assets/paper-lamp.atlas");
/// # const PAGE: &[u8] = include_bytes!("../../assets/paper-lamp.png");
/// use pchr::Animator;
/// use pchr::formats::Files;
///
/// let files = Files::new([("lamp.json", LAMP), ("paper-lamp.atlas", ATLAS), ("paper-lamp.png", PAGE)]);
/// let mut lamp = Animator::new(files.open("lamp.json")?);
/// lamp.play("hop")?;
/// # Ok::<(), pchr::Error>(())
/// ```
#[derive(Default)]
pub struct Files {
    known: BTreeMap<String, Bytes>,
    otherwise: Option<Box<Load>>,
    listings: Listings,
}

/// Returns the file with a path, or `None` if it does not exist.
type Load = dyn Fn(&str) -> Option<Bytes> + Send + Sync;

impl Files {
    /// Creates files from their paths and contents. Of several with one path, the last counts.
    pub fn new<P: Into<String>, B: Into<Bytes>>(files: impl IntoIterator<Item = (P, B)>) -> Self {
        let known = files.into_iter().map(|(path, bytes)| (cleaned(&path.into()), bytes.into()));
        Self { known: known.collect(), otherwise: None, listings: Listings::shared() }
    }

    /// Unpacks a ZIP archive.
    ///
    /// # Errors
    ///
    /// Fails like [`zip::unpack`](super::zip::unpack).
    #[cfg(feature = "skelform")]
    pub fn from_zip(bytes: impl Into<Bytes>, limits: &Limits) -> Result<Self> {
        super::zip::unpack(&bytes.into(), limits).map(Self::new)
    }

    /// Calls `load` with the path of each file that is not among these, such as one of a game's own archive. It returns
    /// `None` if the file does not exist. Only names that a reader asks for are found in this way: an atlas that is called
    /// like its skeleton, and the pictures that a file names.
    #[must_use]
    pub fn or_else(self, load: impl Fn(&str) -> Option<Bytes> + Send + Sync + 'static) -> Self {
        Self { otherwise: Some(Box::new(load)), ..self }
    }

    /// Adds a file, or replaces the one with this path.
    pub fn insert(&mut self, path: impl Into<String>, bytes: impl Into<Bytes>) {
        self.known.insert(cleaned(&path.into()), bytes.into());
        self.listings = Listings::shared();
    }

    /// Returns the files that were given, sorted by path.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Bytes)> {
        self.known.iter().map(|(path, bytes)| (path.as_str(), bytes))
    }

    /// Returns the contents of a file.
    pub fn get(&self, path: &str) -> Option<Bytes> {
        let path = cleaned(path);
        self.known.get(&path).cloned().or_else(|| self.otherwise.as_ref()?(&path))
    }

    /// Returns the folder of the file `path`.
    pub fn beside(&self, path: &str) -> impl Sidecars {
        self.around(path)
    }

    fn around(&self, path: &str) -> Within<'_> {
        let path = cleaned(path);
        Within { files: self, folder: parent(&path).to_owned(), name: path.rsplit('/').next().map(str::to_owned) }
    }

    /// Reads the character in the file `path` with default options.
    ///
    /// # Errors
    ///
    /// Fails if there is no such file, and like [`Character::open`].
    pub fn open(&self, path: &str) -> Result<Character> {
        self.open_with(path, &ReadOptions::default(), &mut Diagnostics::default())
    }

    /// Like [`open`](Self::open), with options and findings. Atlases of the options are among these files, too.
    pub fn open_with(
        &self,
        path: &str,
        options: &ReadOptions,
        diagnostics: &mut Diagnostics,
    ) -> Result<Character> {
        let bytes = self.loaded(path)?;
        let input = Input { bytes, sidecars: &self.beside(path) };
        from_input(&input, options, diagnostics).map_err(|error| error.in_file(path))
    }

    fn loaded(&self, path: &str) -> Result<Bytes> {
        self.get(path).ok_or_else(|| Error::io(path, std::io::ErrorKind::NotFound.into()))
    }

    /// Returns the paths in a folder, relative to it.
    fn below<'a>(&'a self, folder: &str) -> impl Iterator<Item = &'a str> {
        let start = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let from = self.known.range(start.clone()..);
        from.map_while(move |(path, _)| path.strip_prefix(&start))
    }
}

impl fmt::Debug for Files {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.known.keys()).finish()
    }
}

/// The path of a file's folder; empty for the topmost.
fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// A path from the topmost folder, with `/` and without `.` and empty parts.
fn cleaned(path: &str) -> String {
    joined("", &slashed(path))
}

fn joined(folder: &str, path: &str) -> String {
    let parts = folder.split('/').chain(path.split('/'));
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty() && *part != ".").collect();
    parts.join("/")
}

/// A folder of files.
struct Within<'a> {
    files: &'a Files,
    /// Its path.
    folder: String,
    /// The file whose folder this is.
    name: Option<String>,
}

impl Within<'_> {
    /// The path of a file from the topmost folder, or why it cannot be one.
    fn path(&self, path: &str) -> Result<String, String> {
        if leads_out(path) {
            return Err(format!("`{path}` leads out of the folder; images must be in the file's folder or below"));
        }
        Ok(joined(&self.folder, &slashed(path)))
    }

    fn find(&self, path: &str) -> Result<Bytes, String> {
        self.files.get(&self.path(path)?).ok_or_else(|| format!("`{path}` does not exist"))
    }

    fn list(&self, folder: &str) -> Arc<Listing> {
        self.files.listings.of(Path::new(folder), || {
            let paths = self.files.below(folder);
            let entries: BTreeSet<(String, bool)> = paths
                .map(|path| {
                    path.split_once('/').map_or((path.to_owned(), false), |(name, _)| (name.to_owned(), true))
                })
                .collect();
            Listing::of_entries(entries)
        })
    }

    /// The folders in `folder`, except `own`; `way` leads there.
    fn near(&self, folder: &str, way: &str, own: &str, is_below: bool) -> Vec<Nearby<'_>> {
        let listing = self.list(folder);
        let others = listing.folders().iter().map(|name| (name, joined(folder, name)));
        let nearby = |(name, folder): (&String, String)| Nearby {
            path: format!("{way}{name}"),
            is_below,
            sidecars: Box::new(Within { files: self.files, folder, name: self.name.clone() }),
        };
        others.filter(|(_, folder)| folder != own).take(MAX_FOLDERS).map(nearby).collect()
    }
}

impl Sidecars for Within<'_> {
    fn load(&self, path: &str, limits: &Limits) -> Result<Result<Bytes, String>> {
        let found = self.find(path);
        if let Ok(bytes) = &found {
            Budget::new(limits).check_file(bytes.len() as u64)?;
        }
        Ok(found)
    }

    fn own_name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    fn listing(&self, folder: &str) -> Arc<Listing> {
        match folder {
            "" => self.list(&self.folder),
            _ => self.path(folder).map(|folder| self.list(&folder)).unwrap_or_default(),
        }
    }

    fn nearby(&self) -> Vec<Nearby<'_>> {
        let mut near = self.near(&self.folder, "", "", true);
        if !self.folder.is_empty() {
            near.extend(self.near(parent(&self.folder), "../", &self.folder, false));
        }
        near
    }

    fn above(&self, below: &[&str]) -> Vec<Box<dyn Sidecars + '_>> {
        let above = |folder: &String| (!folder.is_empty()).then(|| parent(folder).to_owned());
        let ways = || below.iter().filter(|way| !leads_out(way));
        let folders = iter::successors(above(&self.folder), above).take(MAX_ABOVE);
        let folders = folders.flat_map(|folder| ways().map(move |way| joined(&folder, way)));
        let within = |folder| Box::new(Within { files: self.files, folder, name: None }) as Box<dyn Sidecars>;
        folders.map(within).collect()
    }

    fn load_chosen(&self, file: &Path, limits: &Limits) -> Result<Bytes> {
        let path = file.to_string_lossy();
        let bytes = self.files.loaded(&path)?;
        Budget::new(limits).check_file(bytes.len() as u64).map_err(|error| error.in_file(path))?;
        Ok(bytes)
    }

    fn folder_of(&self, file: &Path) -> Box<dyn Sidecars + '_> {
        Box::new(self.files.around(&file.to_string_lossy()))
    }

    fn size(&self, path: &str) -> Result<u64, String> {
        Ok(self.find(path)?.len() as u64)
    }
}
