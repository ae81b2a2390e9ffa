//! What the last save of a file has changed, and the version before it.
//!
//! An earlier version is kept until a later save has changed something: a save without changes, or one that cannot be
//! read, leaves it in place. While a save is being compared, one version more is kept.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::changes::Changes;
use super::findings::Pair;
use crate::base::answer::Deferred;
use crate::base::memo::Shared;
use crate::base::waker::Waker;
use crate::files::Files;
use crate::files::document::Document;
use pchr::limits::Limits;

/// Reads that follow each other so closely belong to one save: editors write the file, its atlas and its pictures one
/// after the other.
const ONE_SAVE: Duration = Duration::from_secs(2);

/// The earlier version of a file, and what has changed since.
#[derive(Debug, Default)]
pub struct Review {
    /// The version before the last save that has changed something.
    earlier: Option<Document>,
    changes: Option<Arc<Changes>>,
    base: Option<Base>,
    found: Deferred<Pair, Arc<Changes>>,
    /// When a save was last found to have changed something.
    last: Option<Instant>,
    /// The user already knows about something that the save has removed.
    pub is_told: bool,
}

/// The version that the shown one is being compared with.
#[derive(Debug)]
enum Base {
    /// The earlier one: another part of the same save has arrived.
    Earlier,
    /// The one that was just replaced.
    Replaced(Box<Document>),
}

impl Review {
    /// Takes the version of a file that was just replaced by a later one. `is_told`: the user knows what it lacks.
    pub fn replaced(&mut self, before: Document, is_told: bool) {
        self.is_told = is_told;
        let is_same = |document: &Document| document.path() == before.path();
        let is_same_save = self.last.is_some_and(|last| last.elapsed() < ONE_SAVE);
        match &self.base {
            // Nobody has seen what the save before has changed.
            Some(Base::Replaced(base)) if is_same(base) => {}
            Some(Base::Earlier) if self.earlier.as_ref().is_some_and(is_same) => {}
            _ if is_same_save && self.earlier.as_ref().is_some_and(is_same) => self.base = Some(Base::Earlier),
            _ => self.base = Some(Base::Replaced(Box::new(before))),
        }
    }

    /// Returns what a save has changed and the file, once, as soon as it is known. Call it once per frame.
    pub fn follow(&mut self, files: &Files) -> Option<(Arc<Changes>, PathBuf)> {
        let base = match self.base.as_ref()? {
            Base::Earlier => self.earlier.as_ref()?,
            Base::Replaced(base) => base,
        };
        let now = files.documents.get(files.documents.find(base.path())?)?;
        let both = [&base.loaded()?.character, &now.loaded()?.character];
        let file = base.path().to_string_lossy().replace('\\', "/");
        let limits: &Limits = &files.read.limits;
        let characters = both.map(Shared::of);
        let pair = Pair { characters, files: [file.clone(), file], limits: limits.clone() };
        let waker: Option<&Waker> = files.loading.waker.as_ref();
        let changes = self.found.follow(pair, waker, Changes::of).cloned()?;
        let path = base.path().to_owned();
        // It keeps both characters alive.
        self.found = Deferred::default();
        if !changes.is_empty() {
            self.last = Some(Instant::now());
        }
        match self.base.take() {
            Some(Base::Replaced(base)) if !changes.is_empty() => {
                (self.earlier, self.changes) = (Some(*base), Some(Arc::clone(&changes)));
            }
            Some(Base::Earlier) => self.changes = Some(Arc::clone(&changes)),
            Some(Base::Replaced(_)) | None => {}
        }
        Some((changes, path))
    }

    /// Returns true while the file at `path` is being compared with the version before it.
    pub fn is_comparing(&self, path: &Path) -> bool {
        match &self.base {
            Some(Base::Replaced(base)) => base.path() == path,
            Some(Base::Earlier) => self.earlier(path).is_some(),
            None => false,
        }
    }

    /// Returns the earlier version of the file at `path`.
    pub fn earlier(&self, path: &Path) -> Option<&Document> {
        self.earlier.as_ref().filter(|earlier| earlier.path() == path)
    }

    /// Like [`Self::earlier`], mutable for cached values.
    pub fn earlier_mut(&mut self, path: &Path) -> Option<&mut Document> {
        self.earlier.as_mut().filter(|earlier| earlier.path() == path)
    }

    /// Returns what the last save of the file at `path` has changed.
    pub fn changes(&self, path: &Path) -> Option<&Arc<Changes>> {
        self.changes.as_ref().filter(|_| self.earlier(path).is_some())
    }

    /// Forgets the earlier version of the file at `path`.
    pub fn forget(&mut self, path: &Path) {
        let (has_earlier, is_comparing) = (self.earlier(path).is_some(), self.is_comparing(path));
        if has_earlier {
            (self.earlier, self.changes) = (None, None);
        }
        if is_comparing {
            (self.base, self.found) = (None, Deferred::default());
        }
    }

    /// Lets the next version come a while after the last save, however soon it comes.
    #[cfg(test)]
    pub fn end_save(&mut self) {
        self.last = self.last.and_then(|last| last.checked_sub(Duration::from_secs(3)));
    }

    /// Lets the next version be part of the last save, however slow the machine is.
    #[cfg(test)]
    pub fn continue_save(&mut self) {
        self.last = self.last.map(|last| last + Duration::from_secs(600));
    }
}
