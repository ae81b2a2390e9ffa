//! The files of the list.

use std::collections::HashMap;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use super::document::{Document, Origin};
use crate::base::distinct;

/// The files of the list, in order. Each path is there once: only the list creates its files, and lends them one at a time.
#[derive(Debug, Default)]
pub struct Documents {
    list: Vec<Document>,
    places: HashMap<PathBuf, usize>,
    version: u64,
}

impl Documents {
    /// Returns the index of a file.
    pub fn find(&self, path: &Path) -> Option<usize> {
        self.places.get(path).copied()
    }

    /// Adds the files that are not in the list. Returns the index of the first of `paths`.
    pub fn add(&mut self, paths: Vec<PathBuf>, origin: Origin) -> Option<usize> {
        let first = paths.first().cloned()?;
        for path in paths {
            if !self.places.contains_key(&path) {
                self.places.insert(path.clone(), self.list.len());
                self.list.push(Document::new(path, origin));
            }
        }
        self.changed();
        self.find(&first)
    }

    /// Removes a file.
    pub fn remove(&mut self, index: usize) {
        self.list.remove(index);
        let paths = self.list.iter().map(|document| document.path().to_owned());
        self.places = paths.zip(0..).collect();
        self.changed();
    }

    /// Returns the file at `index`.
    pub fn get_mut(&mut self, index: usize) -> Option<&mut Document> {
        self.list.get_mut(index)
    }

    /// Calls `change` for each file and its index.
    pub fn for_each_mut(&mut self, change: impl FnMut((usize, &mut Document))) {
        self.list.iter_mut().enumerate().for_each(change);
    }

    fn changed(&mut self) {
        let paths: Vec<&Path> = self.list.iter().map(Document::path).collect();
        let folders = distinct::folders(&paths);
        self.list.iter_mut().zip(folders).for_each(|(document, folder)| document.folder = folder);
        self.version += 1;
    }

    /// Returns a number that changes with the list.
    pub fn version(&self) -> u64 {
        self.version
    }
}

impl Deref for Documents {
    type Target = [Document];

    fn deref(&self) -> &[Document] {
        &self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_is_there_once_and_is_found() {
        let mut documents = Documents::default();
        for (paths, first) in [(&["a", "b"][..], Some(0)), (&["b", "a", "c"], Some(1)), (&[], None)] {
            let paths = paths.iter().map(PathBuf::from).collect();
            assert_eq!(documents.add(paths, Origin::Window), first);
        }
        let version = documents.version();
        documents.remove(1);
        assert_ne!(documents.version(), version);
        let found = ["a", "b", "c"].map(|path| documents.find(Path::new(path)));
        assert_eq!((found, documents.len()), ([Some(0), None, Some(1)], 2));
    }
}
