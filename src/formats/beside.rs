//! Which files beside a character were asked for while it was read: when they change it looks different, and nothing
//! is written over them.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use bytes::Bytes;

use super::source::Nearby;
use super::{Folder, NoSidecars, ReadOptions, Sidecars};
use crate::error::Result;
use crate::limits::Limits;

/// Of one character no more files are remembered than this.
const MAX_FILES: usize = 4096;

/// A folder that remembers what was asked of it, and of the folders that were reached from it.
#[derive(Debug)]
pub struct Beside {
    /// `None`: there is nothing beside what was read from standard input.
    folder: Option<Folder>,
    asked: Rc<RefCell<Vec<PathBuf>>>,
}

impl Beside {
    /// The folder in which `file` is.
    pub fn of(file: &Path) -> Self {
        Self { folder: Some(Folder::of(file)), asked: Rc::default() }
    }

    /// No folder, for what comes from standard input.
    pub fn nowhere() -> Self {
        Self { folder: None, asked: Rc::default() }
    }

    /// The files that were asked for, whether they exist or not, and the atlas that could be there. Names and links
    /// that lead out of their folder are not among them: they were not looked up.
    pub fn files(self, file: &Path, options: &ReadOptions) -> Vec<PathBuf> {
        let mut files = self.asked.take();
        let own_atlas = || self.folder.as_ref()?.place(file.with_extension("atlas").file_name()?.to_str()?);
        files.extend(options.atlas.clone().or_else(own_atlas));
        files
    }

    fn remember(&self, path: &str) {
        let mut asked = self.asked.borrow_mut();
        if asked.len() < MAX_FILES {
            asked.extend(self.folder.as_ref().and_then(|folder| folder.place(path)));
        }
    }

    /// Another folder, for which the same list is kept.
    fn elsewhere(&self, folder: Folder) -> Self {
        Self { folder: Some(folder), asked: Rc::clone(&self.asked) }
    }

    fn sidecars(&self) -> &dyn Sidecars {
        self.folder.as_ref().map_or(&NoSidecars, |folder| folder)
    }
}

impl Sidecars for Beside {
    fn load(&self, path: &str, limits: &Limits) -> Result<Result<Bytes, String>> {
        self.remember(path);
        self.sidecars().load(path, limits)
    }

    fn own_name(&self) -> Option<&str> {
        self.sidecars().own_name()
    }

    fn names_in(&self, folder: &str, wanted: &dyn Fn(&str) -> bool) -> Vec<String> {
        self.sidecars().names_in(folder, wanted)
    }

    fn nearby(&self) -> Vec<Nearby<'_>> {
        let near = self.folder.as_ref().map(Folder::near).unwrap_or_default();
        let nearby =
            |(path, is_below, folder)| Nearby { path, is_below, sidecars: Box::new(self.elsewhere(folder)) };
        near.into_iter().map(nearby).collect()
    }

    fn folder_of(&self, file: &Path) -> Box<dyn Sidecars + '_> {
        Box::new(self.elsewhere(Folder::of(file)))
    }

    fn size(&self, path: &str) -> Result<u64, String> {
        self.remember(path);
        self.sidecars().size(path)
    }
}
