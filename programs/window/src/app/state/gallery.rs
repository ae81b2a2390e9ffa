//! Opens folders, and switches between the gallery and the files in it.

use std::path::PathBuf;

use super::State;

/// The index of no file.
const NONE: usize = usize::MAX;

impl State {
    /// Shows folders, and the files that were opened with them, in the gallery.
    pub fn open_gallery(&mut self, roots: Vec<PathBuf>) {
        let waker = self.files.loading.waker.clone();
        self.files.recent.add(&roots, waker.as_ref());
        self.files.gallery.open(roots, &self.files.read, waker.as_ref());
        self.show_gallery();
    }

    /// Opens files of the gallery together, on the stage, in place of those that are there.
    pub fn stage_tiles(&mut self, paths: Vec<PathBuf>) {
        self.lineup.members.clear();
        self.open(paths.first().cloned().into_iter().collect());
        self.add_to_stage(paths);
    }

    /// Shows the gallery instead of the file.
    pub fn show_gallery(&mut self) {
        self.leave();
        self.files.loading.cancel();
        // No file was shown yet, but the user is not waiting for one.
        self.files.loading.is_first = false;
        self.compare.second = None;
        self.compare.is_choosing = false;
        if let Some(document) = self.files.documents.get(self.files.current) {
            self.files.gallery.note_opened(document.path());
        }
        self.files.gallery.show_focus();
        self.files.current = NONE;
        self.arrive();
    }

    /// Shows the gallery, or returns to the file that was opened from it. Without a gallery, the folder of the shown
    /// file becomes one.
    pub fn toggle_gallery(&mut self) {
        let gallery = &self.files.gallery;
        if self.files.shows_gallery() {
            let last = gallery.opened.as_ref().and_then(|path| self.files.documents.find(path));
            match last {
                Some(last) => self.select(last),
                None => self.notify("No file of the gallery was opened yet"),
            }
        } else if gallery.is_open() {
            self.show_gallery();
        } else if let Some(document) = self.current().filter(|document| !document.is_piped()) {
            let path = document.path().to_owned();
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            self.open_gallery(vec![folder.map_or_else(|| PathBuf::from("."), Into::into)]);
        }
    }

    /// Closes the gallery, and shows the first file of the list, if there is one.
    pub fn close_gallery(&mut self) {
        let title = self.files.gallery.title();
        self.files.gallery.close();
        self.files.current = 0;
        self.select(0);
        self.arrive();
        self.notify(format!("Closed {title}"));
    }

    /// Returns the file of the gallery `steps` further than the shown one, or that which is being loaded.
    pub fn neighbour_in_gallery(&mut self, steps: isize) -> Option<PathBuf> {
        let index = self.files.loading_index().unwrap_or(self.files.current);
        let path = self.files.documents.get(index)?.path().to_owned();
        self.files.gallery.neighbour(&path, steps)
    }

    /// Removes the entry of a folder from the list of files, and shows the folder in the gallery.
    pub fn open_listed_folder(&mut self, index: usize) {
        let Some(path) = self.files.documents.get(index).map(|document| document.path().to_owned()) else {
            return;
        };
        self.leave();
        let shown = self.current().map(|document| document.path().to_owned());
        self.files.documents.remove(index);
        self.files.has_read = true;
        self.files.current = shown.and_then(|path| self.files.documents.find(&path)).unwrap_or(NONE);
        self.open_gallery(vec![path]);
    }
}
