//! Which files beside a character were asked for while it was read: when they change it looks different, and nothing
//! is written over them.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use bytes::Bytes;

use super::{Folder, ReadOptions, Sidecars};
use crate::error::Result;
use crate::limits::Limits;
use crate::model::Model;

/// Of one character no more files are remembered than this.
const MAX_FILES: usize = 4096;

/// A folder that remembers what was asked of it.
#[derive(Debug)]
pub struct Beside {
    folder: Folder,
    asked: RefCell<Vec<String>>,
}

impl Beside {
    /// The folder in which `file` is.
    pub fn of(file: &Path) -> Self {
        Self { folder: Folder::of(file), asked: RefCell::default() }
    }

    /// What was asked for, be it there or not, and the atlas that could be there; `model` is what came of it.
    pub fn files(self, file: &Path, options: &ReadOptions, model: Option<&Model>) -> Vec<PathBuf> {
        let folder = file.parent().unwrap_or_else(|| Path::new(""));
        let mut files: Vec<PathBuf> = self.asked.into_inner().into_iter().map(|name| folder.join(name)).collect();
        match &options.atlas {
            None => files.push(file.with_extension("atlas")),
            Some(atlas) => {
                let folder = atlas.parent().unwrap_or_else(|| Path::new(""));
                let pages = model.map(Model::pages).unwrap_or_default();
                files.extend(pages.iter().map(|page| folder.join(&*page.name)));
                files.push(atlas.clone());
            }
        }
        files
    }

    fn remember(&self, path: &str) {
        let mut asked = self.asked.borrow_mut();
        if asked.len() < MAX_FILES {
            asked.push(path.replace('\\', "/"));
        }
    }
}

impl Sidecars for Beside {
    fn load(&self, path: &str, limits: &Limits) -> Result<Result<Bytes, String>> {
        self.remember(path);
        self.folder.load(path, limits)
    }

    fn own_name(&self) -> Option<&str> {
        self.folder.own_name()
    }

    fn names_ending_in(&self, suffix: &str) -> Vec<String> {
        self.folder.names_ending_in(suffix)
    }

    fn size(&self, path: &str) -> Result<u64, String> {
        self.remember(path);
        self.folder.size(path)
    }
}
