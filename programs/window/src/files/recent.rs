//! Recently opened files. Whether they exist is looked up on another thread.

use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf, absolute};
use std::task::Poll;

use crate::base::lookup::{Found, look_up};
use crate::base::name;
use crate::base::task::Task;
use crate::base::waker::Waker;

/// Maximum number of files.
const MOST: usize = 20;
/// Seconds after which the window checks again whether the files still exist, while it shows them.
const CHECK_SECS: f64 = 2.0;

/// A list of recently opened files.
#[derive(Debug, Default)]
pub struct RecentFiles {
    files: Vec<RecentFile>,
    /// The animations that were shown last, by the absolute path of the file.
    animations: HashMap<PathBuf, String>,
    /// When the files were last looked up, in egui's seconds.
    checked_at: Option<f64>,
    /// The files while they are being looked up.
    checking: Option<Task<Vec<Found>>>,
    /// The opened files that are being looked up, in order.
    adding: VecDeque<Task<Vec<Found>>>,
}

/// A recently opened file.
#[derive(Debug, Clone, PartialEq)]
pub struct RecentFile {
    /// Its absolute path.
    pub path: PathBuf,
    /// It did not exist when it was last looked up.
    pub is_missing: bool,
}

impl RecentFile {
    /// Returns the name of the file.
    pub fn name(&self) -> String {
        name::file(&self.path)
    }

    /// Returns the folder of the file.
    pub fn folder(&self) -> String {
        name::path(self.path.parent().unwrap_or(Path::new("")))
    }
}

impl RecentFiles {
    /// Returns the files, the last opened first.
    pub fn files(&self) -> &[RecentFile] {
        &self.files
    }

    /// Replaces the list by `paths`, the last opened first.
    pub fn restore(&mut self, paths: impl IntoIterator<Item = PathBuf>) {
        let files = paths.into_iter().filter(|path| path.is_absolute()).take(MOST);
        self.files = files.map(|path| RecentFile { path, is_missing: false }).collect();
        self.checked_at = None;
    }

    /// Remembers the animation of a file that is shown.
    pub fn remember(&mut self, path: &Path, animation: &str) {
        let Ok(path) = absolute(path) else { return };
        match self.animations.get_mut(&path) {
            Some(known) if known == animation => {}
            Some(known) => animation.clone_into(known),
            None => _ = self.animations.insert(path, animation.to_owned()),
        }
    }

    /// Returns the animation of a file that was shown last.
    pub fn animation(&self, path: &Path) -> Option<&str> {
        Some(self.animations.get(&absolute(path).ok()?)?)
    }

    /// Adds files that are opened at the front of the list, the last one first. Those that do not exist are not added.
    /// They are looked up on another thread, which calls `waker`; without one, they are looked up at once.
    pub fn add(&mut self, paths: &[PathBuf], waker: Option<&Waker>) {
        let paths: Vec<PathBuf> = paths.iter().filter_map(|path| absolute(path).ok()).collect();
        self.adding.push_back(look_up(paths, waker));
        self.update();
    }

    /// Takes over what was looked up.
    pub fn update(&mut self) {
        while let Some(Poll::Ready(found)) = self.adding.front().map(Task::take) {
            self.adding.pop_front();
            for (path, _) in found.into_iter().flatten().filter(|(_, exists)| *exists) {
                self.files.retain(|file| file.path != path);
                self.files.insert(0, RecentFile { path, is_missing: false });
                self.files.truncate(MOST);
            }
        }
        if let Some(Poll::Ready(found)) = self.checking.as_ref().map(Task::take) {
            self.checking = None;
            let found = found.unwrap_or_default();
            for file in &mut self.files {
                if let Some((_, exists)) = found.iter().find(|(path, _): &&Found| *path == file.path) {
                    file.is_missing = !exists;
                }
            }
        }
    }

    /// Removes all files.
    pub fn clear(&mut self) {
        self.files.clear();
        self.animations.clear();
    }

    /// Makes the next [`Self::check`] look up the files at once.
    pub fn expire(&mut self) {
        self.checked_at = None;
    }

    /// Looks up which files are missing, at most every few seconds, and not before the last time has ended. `now` is
    /// the time in seconds. `waker` is as for [`Self::add`].
    pub fn check(&mut self, now: f64, waker: Option<&Waker>) {
        if self.files.is_empty()
            || self.checking.is_some()
            || self.checked_at.is_some_and(|checked| now - checked < CHECK_SECS)
        {
            return;
        }
        self.checked_at = Some(now);
        self.checking = Some(look_up(self.files.iter().map(|file| file.path.clone()).collect(), waker));
        self.update();
    }
}
