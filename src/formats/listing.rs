//! The names in a folder, read once and shared by all files that are looked up there.

use std::collections::HashMap;
#[cfg(feature = "spine")]
use std::collections::HashSet;
use std::path::{Path, PathBuf};
#[cfg(feature = "spine")]
use std::sync::OnceLock;
use std::sync::{Arc, Mutex, PoisonError};

/// Maximum number of names of a folder. Beyond it, only exact names are found.
const MAX_NAMES: usize = 1 << 20;

/// The names in a folder, sorted.
#[derive(Debug, Default)]
pub struct Listing {
    names: Vec<String>,
    /// Names of folders that are neither hidden nor links.
    folders: Vec<String>,
    /// What readers derive from the names.
    #[cfg(feature = "spine")]
    pub(super) derived: Derived,
}

/// What readers derive from the names of a folder, once for all files in it.
#[cfg(feature = "spine")]
#[derive(Debug, Default)]
pub(super) struct Derived {
    /// The names of images, by their names in lower case and without marks.
    pub images: OnceLock<HashMap<String, Vec<String>>>,
    /// The names of files that are no images, in lower case and up to the first dot.
    pub stems: OnceLock<HashSet<String>>,
    /// The names of atlases.
    pub atlases: OnceLock<Vec<String>>,
    /// The names of skeletons, by the names in lower case that their atlases may have.
    pub skeletons: OnceLock<HashMap<String, Vec<String>>>,
    /// The regions that each skeleton references.
    pub regions: OnceLock<Vec<HashSet<String>>>,
}

impl Listing {
    /// Creates the listing of a folder that contains these files.
    pub fn of_files(names: impl IntoIterator<Item = String>) -> Self {
        let mut names: Vec<String> = names.into_iter().collect();
        names.sort_unstable();
        Self { names, ..Self::default() }
    }

    /// Creates the listing of a folder from its entries: their names, and whether they are folders.
    pub(super) fn of_entries(entries: impl IntoIterator<Item = (String, bool)>) -> Self {
        let (mut names, mut folders) = (Vec::new(), Vec::new());
        for (name, is_folder) in entries.into_iter().take(MAX_NAMES) {
            if is_folder && !name.starts_with('.') {
                folders.push(name.clone());
            }
            names.push(name);
        }
        folders.sort_unstable();
        Self { folders, ..Self::of_files(names) }
    }

    /// Returns all names.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    pub(super) fn folders(&self) -> &[String] {
        &self.folders
    }
}

/// The folders read so far. [`Self::shared`] between files that are read at about the same time, each folder is read once,
/// and what is created later is not found. By default, folders are read for each file.
#[derive(Debug, Clone, Default)]
pub struct Listings(Option<Arc<Mutex<Known>>>);

type Known = HashMap<PathBuf, Arc<Listing>>;

impl Listings {
    /// Creates a memory that clones share.
    pub fn shared() -> Self {
        Self(Some(Arc::default()))
    }

    /// Returns these listings, or `others` if these are not shared.
    pub(super) fn or(&self, others: Self) -> Self {
        if self.0.is_some() { self.clone() } else { others }
    }

    /// Returns the names in `folder`, for which `read` is called if it was not read before.
    pub(super) fn of(&self, folder: &Path, read: impl FnOnce() -> Listing) -> Arc<Listing> {
        let Some(known) = &self.0 else { return Arc::new(read()) };
        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(listing) = known.get(folder) {
            return Arc::clone(listing);
        }
        let listing = Arc::new(read());
        known.insert(folder.to_owned(), Arc::clone(&listing));
        listing
    }
}

impl PartialEq for Listings {
    /// They do not change what is requested.
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}
