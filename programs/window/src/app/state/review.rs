//! Review on save: says what a save of the shown file has changed, and compares it with the version before.

use std::path::Path;

use super::State;
use crate::compare::{Other, Second};

impl State {
    /// Says what a save has changed as soon as that is known. Call it at the beginning of each frame.
    pub fn follow_review(&mut self) {
        let Some((changes, path)) = self.compare.review.follow(&self.files) else { return };
        let Some(document) = self.current().filter(|document| document.path() == path) else { return };
        if !self.compare.review.is_told && document.error().is_none() {
            self.notify(format!("Reloaded {}: {}", document.name(), changes.summary));
        }
    }

    /// Returns true if an earlier version of the shown file is known.
    pub fn has_earlier(&self) -> bool {
        self.current().is_some_and(|document| self.compare.review.earlier(document.path()).is_some())
    }

    /// Compares the shown file with its version before the last save, or ends the comparison.
    pub fn toggle_review(&mut self) {
        if self.compare.is_review() {
            self.compare.second = None;
        } else {
            self.begin_review();
        }
    }

    /// Shows the other one of two compared characters: at first, that is the version before the last save.
    pub fn blink(&mut self) {
        if self.compare.second.is_some() || self.begin_review() {
            // It would cover the name of the version.
            self.notice = None;
            self.compare.blink();
        }
    }

    /// Returns false if there is no earlier version.
    fn begin_review(&mut self) -> bool {
        let has_earlier = self.has_earlier();
        match has_earlier {
            true => {
                self.compare.second = Some(Box::new(Second::new(Other::Earlier)));
                self.compare.sees_second = false;
            }
            false if self.current().is_some_and(|document| self.compare.review.is_comparing(document.path())) => {
                self.notify("The last save is still being compared");
            }
            false => self.notify("The file has not changed since it was opened"),
        }
        has_earlier
    }

    /// Forgets the earlier version of a file.
    pub fn forget_earlier(&mut self, path: &Path) {
        self.compare.review.forget(path);
        if self.compare.is_review() && !self.has_earlier() {
            self.compare.second = None;
        }
    }

    /// Reads all files again in another way, so that no versions are comparable.
    pub fn read_otherwise(&mut self) {
        self.files.documents.for_each_mut(|(_, document)| document.read_otherwise());
        self.current()
            .map(|document| document.path().to_owned())
            .iter()
            .for_each(|path| self.forget_earlier(path));
    }
}
