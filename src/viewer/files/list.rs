//! The list of files: opens, selects, reads again and closes them.

use std::path::{Path, PathBuf};

use super::document::Document;
use crate::formats::PageAlpha;
use crate::viewer::app::state::State;

impl State {
    /// Adds files to the list and shows the first of them. Files that are already in the list are read again.
    pub fn open(&mut self, paths: Vec<PathBuf>) {
        self.list(paths, Document::new);
    }

    pub fn list(&mut self, paths: Vec<PathBuf>, document: fn(PathBuf) -> Document) {
        self.recent.add(&paths, self.loading.waker.as_ref());
        let Some(index) = self.documents.add(paths, document) else { return };
        self.has_read = true;
        if let Some(document) = self.documents.get_mut(index) {
            document.expire();
        }
        self.select(index);
    }

    /// Shows the file at `index` as the user left it.
    pub fn select(&mut self, index: usize) {
        self.leave();
        self.enter(index);
    }

    /// Closes the shown file. The file that is being loaded is shown next, or else the next one of the list, or the
    /// last one; if there is none, the window is empty.
    pub fn close(&mut self) {
        if self.current >= self.documents.len() {
            return;
        }
        if self.loading_index() == Some(self.current) {
            self.loading.cancel();
        }
        self.compare.second = None;
        self.documents.remove(self.current);
        self.has_read = true;
        match (self.loading_index(), self.documents.len()) {
            (Some(next), _) => {
                self.current = next;
                self.arrive();
            }
            (None, 0) => {
                self.current = 0;
                self.arrive();
            }
            (None, count) => {
                self.current = self.current.min(count - 1);
                // Show nothing of the closed file while the next one is read.
                self.arrive();
                self.enter(self.current);
            }
        }
    }

    fn enter(&mut self, index: usize) {
        let Some(document) = self.documents.get_mut(index) else { return };
        if document.is_expired() {
            return self.load(index);
        }
        self.loading.cancel();
        self.set_current(index);
        self.read_second();
        self.arrive();
    }

    /// Shows the file `steps` further in the list, wrapping around.
    pub fn select_by(&mut self, steps: isize) {
        let count = self.documents.len() as isize;
        if count > 1 {
            // From the one that the user has asked for, though it may not be there yet.
            let from = self.loading_index().unwrap_or(self.current);
            self.select((from as isize + steps).rem_euclid(count) as usize);
        }
    }

    /// Reads the shown file again, keeping animation, frame and view, or that which is being loaded.
    pub fn reload(&mut self) {
        let index = self.loading_index().unwrap_or(self.current);
        if let Some(document) = self.documents.get_mut(index) {
            document.expire();
            self.select(index);
        }
    }

    /// Changes whether images are read as straight or premultiplied. All files are read again, keeping animation,
    /// frame, skins and view.
    pub fn set_page_alpha(&mut self, page_alpha: PageAlpha) {
        if self.read.page_alpha != page_alpha {
            self.read.page_alpha = page_alpha;
            self.documents.iter_mut().for_each(Document::expire);
            self.select(self.loading_index().unwrap_or(self.current));
        }
    }

    /// Handles changed files. The shown one, or that which is being loaded, is read again now, the others when they
    /// are shown.
    pub fn files_changed(&mut self, changed: &dyn Fn(&Path) -> bool) {
        let wanted = self.loading_index().unwrap_or(self.current);
        let mut is_due = false;
        for (index, document) in self.documents.iter_mut().enumerate() {
            if !document.is_piped() && document.files().any(changed) {
                document.expire();
                is_due |= index == wanted;
            }
        }
        if is_due {
            self.select(wanted);
        }
        self.read_second();
    }
}
