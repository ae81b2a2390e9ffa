//! Follows the folders of the gallery: changed files are drawn again, new ones appear, and removed ones disappear.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::task::Poll;

use super::entry::{Entry, Thumbnail};
use super::{Gallery, search};
use crate::base::task::Task;
use crate::base::waker::Waker;
use pchr::limits::Limits;

/// Most folders that are watched: systems limit their number.
const MOST_FOLDERS: usize = 500;

/// What is known about changes in the folders.
#[derive(Debug, Default)]
pub struct Live {
    pub limits: Limits,
    pub waker: Option<Waker>,
    /// The watched folders, and their names without links.
    pub folders: Vec<(PathBuf, PathBuf)>,
    /// The folders are not those that are watched.
    pub is_due: bool,
    /// Something has changed since the last search.
    pub is_outdated: bool,
    pub searching: Option<Task<Vec<Entry>>>,
    pub found: Vec<Entry>,
}

impl Gallery {
    /// Returns a pattern in each folder that is to be watched, if they are others than before.
    pub fn take_watched(&mut self) -> Option<Vec<PathBuf>> {
        if !std::mem::take(&mut self.live.is_due) {
            return None;
        }
        let of_entries = self.entries.iter().filter_map(|entry| entry.path.parent());
        let roots = self.roots.iter().map(PathBuf::as_path).filter(|root| root.is_dir());
        let folders: HashSet<&Path> = roots.chain(of_entries).collect();
        let named = folders.into_iter().take(MOST_FOLDERS);
        let named = named.map(|folder| match folder.as_os_str().is_empty() {
            true => PathBuf::from("."),
            false => folder.to_owned(),
        });
        self.live.folders =
            named.filter_map(|folder| Some((folder.clone(), folder.canonicalize().ok()?))).collect();
        Some(self.live.folders.iter().map(|(folder, _)| folder.join("*")).collect())
    }

    /// Notes what has changed. What is not a character of its own may belong to any in its folder.
    pub fn note_changes<'a>(&mut self, changed: impl Iterator<Item = &'a Path>) {
        for path in changed {
            let Some(real) = path.parent() else { continue };
            let mut folders = self.live.folders.iter();
            let Some((folder, _)) = folders.find(|(_, known)| known == real || known == path) else { continue };
            self.live.is_outdated = true;
            let file = path.file_name().map(|name| folder.join(name)).unwrap_or_default();
            if let Some(entry) = self.places.get(file.as_path()).and_then(|index| self.entries.get_mut(*index)) {
                entry.expire();
                continue;
            }
            let beside = self.entries.iter_mut().filter(|entry| entry.path.parent() == Some(folder));
            beside.for_each(Entry::expire);
        }
    }

    /// Searches again if something has changed, and takes over what was found. Call it while the gallery is visible.
    pub fn refresh(&mut self) {
        if self.searching.is_some() {
            return;
        }
        if self.live.is_outdated && self.live.searching.is_none() {
            self.live.is_outdated = false;
            self.live.found.clear();
            let Live { limits, waker, .. } = &self.live;
            self.live.searching = Some(search::start(self.roots.clone(), limits.clone(), waker.as_ref()));
        }
        while let Some(Poll::Ready(found)) = self.live.searching.as_ref().map(Task::take) {
            match found {
                Some(portion) => self.live.found.extend(portion),
                None => {
                    self.live.searching = None;
                    self.merge();
                }
            }
        }
    }

    /// Replaces the files by those that were found, and keeps what is known about them.
    fn merge(&mut self) {
        let known = self.entries.drain(..).map(|entry| (Arc::clone(&entry.path), entry));
        let mut known: HashMap<Arc<Path>, Entry> = known.collect();
        let merged =
            std::mem::take(&mut self.live.found).into_iter().map(|found| match known.remove(&found.path) {
                Some(mut old) if found.facts.is_none() => {
                    if old.modified != found.modified {
                        old.expire();
                    }
                    Entry { modified: found.modified, ..old }
                }
                Some(_) | None => found,
            });
        self.entries = merged.collect();
        self.places.clear();
        for (index, entry) in self.entries.iter().enumerate() {
            self.places.entry(Arc::clone(&entry.path)).or_insert(index);
        }
        self.unread = self.entries.iter().filter(|entry| entry.facts.is_none()).count();
        self.textures = self.entries.iter().filter(|it| matches!(it.thumbnail, Thumbnail::Uploaded(..))).count();
        let Self { strips, places, entries, selection, .. } = self;
        strips.retain(|strip| places.get(&strip.path).is_some_and(|index| !entries[*index].is_expired));
        selection.retain(|path| places.contains_key(path));
        self.version += 1;
        self.live.is_due = true;
    }
}
