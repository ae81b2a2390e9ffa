//! The files that a sheet refers to, each loaded once however often it is referred to.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use ::bytes::Bytes;

use crate::error::Result;
use crate::formats::source::Nearby;
use crate::formats::{Listing, Sidecars};
use crate::limits::{Budget, Limits};

/// Loads from other sidecars. All files together may be as large as one.
pub struct LoadedOnce<'a> {
    sidecars: &'a dyn Sidecars,
    files: RefCell<HashMap<String, Result<Bytes, String>>>,
    total: Cell<u64>,
}

impl<'a> LoadedOnce<'a> {
    pub fn new(sidecars: &'a dyn Sidecars) -> Self {
        Self { sidecars, files: RefCell::default(), total: Cell::default() }
    }
}

impl Sidecars for LoadedOnce<'_> {
    fn load(&self, path: &str, limits: &Limits) -> Result<Result<Bytes, String>> {
        if let Some(known) = self.files.borrow().get(path) {
            return Ok(known.clone());
        }
        let loaded = self.sidecars.load(path, limits)?;
        let len = loaded.as_ref().map_or(0, |bytes| bytes.len() as u64);
        self.total.set(self.total.get().saturating_add(len));
        Budget::new(limits).check_file(self.total.get()).map_err(|error| error.in_file(path))?;
        self.files.borrow_mut().insert(path.to_owned(), loaded.clone());
        Ok(loaded)
    }

    fn own_name(&self) -> Option<&str> {
        self.sidecars.own_name()
    }

    fn listing(&self, folder: &str) -> Arc<Listing> {
        self.sidecars.listing(folder)
    }

    fn nearby(&self) -> Vec<Nearby<'_>> {
        self.sidecars.nearby()
    }

    fn folder_of(&self, file: &Path) -> Box<dyn Sidecars + '_> {
        self.sidecars.folder_of(file)
    }

    fn size(&self, path: &str) -> std::result::Result<u64, String> {
        self.sidecars.size(path)
    }
}
