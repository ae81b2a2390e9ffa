//! Tracking of the files that were requested while a character was read: it must be reloaded when they change, and
//! they must not be overwritten.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use bytes::Bytes;

use super::listing::{Listing, Listings};
use super::source::Nearby;
use super::{Folder, NO_SIDECARS, ReadOptions, Sidecars};
use crate::error::Result;
use crate::limits::Limits;

/// Maximum number of files recorded per character.
const MAX_FILES: usize = 4096;

/// A folder that records the files requested from it and from the folders reached from it.
#[derive(Debug)]
pub struct RecordedSidecars {
    /// `None` for standard input.
    folder: Option<Folder>,
    requested: Rc<RefCell<Vec<PathBuf>>>,
}

impl RecordedSidecars {
    /// Returns the folder that contains `file`.
    pub fn of(file: &Path) -> Self {
        Self { folder: Some(Folder::of(file)), requested: Rc::default() }
    }

    /// Uses folders that were read before, if they are shared.
    #[must_use]
    pub fn listed_in(self, listings: &Listings) -> Self {
        Self { folder: self.folder.map(|folder| folder.listed_in(listings)), ..self }
    }

    /// Returns no folder, for standard input.
    pub fn none() -> Self {
        Self { folder: None, requested: Rc::default() }
    }

    /// Returns access to the files, which records them.
    pub fn access(&self) -> &dyn Sidecars {
        self
    }

    /// Returns the requested files, whether they exist or not, and the potential atlas of the character. Names and
    /// links that lead out of their folder are not included: they were not looked up.
    pub fn files(&self, file: &Path, options: &ReadOptions) -> Vec<PathBuf> {
        let mut files = self.requested.borrow().clone();
        let own_atlas = || self.folder.as_ref()?.place(file.with_extension("atlas").file_name()?.to_str()?);
        files.extend(options.atlases.iter().cloned());
        if options.atlases.is_empty() {
            files.extend(own_atlas());
        }
        files
    }

    fn record(&self, path: &str) {
        let mut requested = self.requested.borrow_mut();
        if requested.len() < MAX_FILES {
            requested.extend(self.folder.as_ref().and_then(|folder| folder.place(path)));
        }
    }

    /// Returns another folder that records to the same list.
    fn in_folder(&self, folder: Folder) -> Self {
        Self { folder: Some(folder), requested: Rc::clone(&self.requested) }
    }

    fn sidecars(&self) -> &dyn Sidecars {
        self.folder.as_ref().map_or(NO_SIDECARS, |folder| folder)
    }
}

impl Sidecars for RecordedSidecars {
    fn load(&self, path: &str, limits: &Limits) -> Result<Result<Bytes, String>> {
        self.record(path);
        self.sidecars().load(path, limits)
    }

    fn load_candidate(&self, path: &str, limits: &Limits) -> Result<Result<Bytes, String>> {
        self.sidecars().load_candidate(path, limits)
    }

    fn own_name(&self) -> Option<&str> {
        self.sidecars().own_name()
    }

    fn listing(&self, folder: &str) -> Arc<Listing> {
        self.sidecars().listing(folder)
    }

    fn nearby(&self) -> Vec<Nearby<'_>> {
        let near = self.folder.as_ref().map(Folder::near).unwrap_or_default();
        let nearby =
            |(path, is_below, folder)| Nearby { path, is_below, sidecars: Box::new(self.in_folder(folder)) };
        near.into_iter().map(nearby).collect()
    }

    fn above(&self, below: &[&str]) -> Vec<Box<dyn Sidecars + '_>> {
        let above = self.folder.as_ref().map(|folder| folder.containing(below)).unwrap_or_default();
        above.into_iter().map(|folder| Box::new(self.in_folder(folder)) as Box<dyn Sidecars>).collect()
    }

    fn folder_of(&self, file: &Path) -> Box<dyn Sidecars + '_> {
        Box::new(self.in_folder(Folder::of(file)))
    }

    fn size(&self, path: &str) -> Result<u64, String> {
        self.record(path);
        self.sidecars().size(path)
    }

    fn written(&self, path: &str) -> Option<u64> {
        self.sidecars().written(path)
    }
}
