//! The files that a sheet refers to, each loaded once however often it is referred to.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::path::Path;

use ::bytes::Bytes;

use crate::error::Result;
use crate::formats::Sidecars;
use crate::limits::{Budget, Limits};

/// Loads from other sidecars, by name only. All files together may be as large as one.
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

    fn above(&self, below: &[&str]) -> Vec<Box<dyn Sidecars + '_>> {
        self.sidecars.above(below)
    }

    fn load_chosen(&self, file: &Path, limits: &Limits) -> Result<Bytes> {
        self.sidecars.load_chosen(file, limits)
    }

    fn size(&self, path: &str) -> std::result::Result<u64, String> {
        self.sidecars.size(path)
    }
}
