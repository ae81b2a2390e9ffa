//! The list of files: opens, selects, reads again and closes them.

use std::path::{Path, PathBuf};

use super::State;
use super::scene_file::SCENE;
use crate::files::document::{Document, Origin};
use pchr::formats::{Grid, PageAlpha};

/// Why the grid cannot be changed.
pub const NOT_CUT: &str = "The file was not cut into frames here";

impl State {
    /// Adds files to the list and shows the first of them. Files that are already in the list are read again. A scene replaces
    /// what is on the stage.
    pub fn open(&mut self, paths: Vec<PathBuf>) {
        let is_scene = |path: &&PathBuf| path.extension().is_some_and(|it| it.eq_ignore_ascii_case(SCENE));
        if let Some(scene) = paths.iter().find(is_scene) {
            return self.open_scene(scene);
        }
        self.list(paths, Origin::Window);
    }

    pub fn list(&mut self, paths: Vec<PathBuf>, origin: Origin) {
        self.files.recent.add(&paths, self.files.loading.waker.as_ref());
        let Some(index) = self.files.documents.add(paths, origin) else { return };
        self.files.has_read = true;
        if let Some(document) = self.files.documents.get_mut(index) {
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
        if self.files.current >= self.files.documents.len() {
            return;
        }
        if self.files.loading_index() == Some(self.files.current) {
            self.files.loading.cancel();
        }
        self.compare.second = None;
        self.files.check.forget();
        if let Some(path) = self.current().map(|document| document.path().to_owned()) {
            self.places.remove(&path);
            self.forget_earlier(&path);
        }
        self.files.documents.remove(self.files.current);
        self.files.has_read = true;
        match (self.files.loading_index(), self.files.documents.len()) {
            (Some(next), _) => {
                self.files.current = next;
                self.arrive();
            }
            (None, 0) if self.files.gallery.is_open() => self.show_gallery(),
            (None, 0) => {
                self.files.current = 0;
                self.arrive();
            }
            (None, count) => {
                self.files.current = self.files.current.min(count - 1);
                // Show nothing of the closed file while the next one is read.
                self.arrive();
                self.enter(self.files.current);
            }
        }
    }

    fn enter(&mut self, index: usize) {
        let Some(document) = self.files.documents.get_mut(index) else { return };
        if document.is_expired() {
            return self.load(index);
        }
        self.files.loading.cancel();
        self.set_current(index);
        self.read_second();
        self.arrive();
    }

    /// Shows a file alone, and the list of findings about it.
    pub fn show_findings(&mut self, path: PathBuf) {
        self.files.check.is_shown = true;
        if self.current().is_none_or(|document| document.path() != path) {
            self.compare.second = None;
            self.open(vec![path]);
        }
    }

    /// Shows the file `steps` further in the list, wrapping around.
    pub fn select_by(&mut self, steps: isize) {
        let count = self.files.documents.len() as isize;
        if let Some(path) = self.neighbour_in_gallery(steps) {
            self.open(vec![path]);
        } else if count > 1 && !self.files.shows_gallery() {
            // From the one that the user has asked for, though it may not be there yet.
            let from = self.files.loading_index().unwrap_or(self.files.current);
            self.select((from as isize + steps).rem_euclid(count) as usize);
        }
    }

    /// Reads the shown file again, keeping animation, frame and view, or that which is being loaded.
    pub fn reload(&mut self) {
        if self.files.shows_gallery() && self.files.loading.is_idle() {
            let waker = self.files.loading.waker.clone();
            return self.files.gallery.search(&self.files.read, waker.as_ref());
        }
        let index = self.files.loading_index().unwrap_or(self.files.current);
        if let Some(document) = self.files.documents.get_mut(index) {
            document.expire();
            self.select(index);
        }
    }

    /// Cuts the shown picture into frames, and plays them.
    pub fn cut_into(&mut self, grid: Grid) {
        if let Some(document) = self.files.documents.get_mut(self.files.current) {
            document.reading.grid = Some(grid);
            document.read_otherwise();
            self.reload();
        }
    }

    /// Lets the user cut the shown picture in another way.
    pub fn cut_again(&mut self) {
        let Some(document) = self.files.documents.get_mut(self.files.current) else { return };
        let Some(grid) = document.reading.grid else { return self.notify(NOT_CUT) };
        self.sheet.grid.begin_with(document.path(), grid);
        document.forget_reading();
        self.reload();
    }

    /// Reads the shown character with an atlas that the user has chosen.
    pub fn use_atlas(&mut self, path: PathBuf) {
        if let Some(document) = self.files.documents.get_mut(self.files.current) {
            document.reading.atlas = Some(path);
            document.read_otherwise();
            self.reload();
        }
    }

    /// Plays a symbol of the shown character, which is read again for that.
    pub fn play_symbol(&mut self, symbol: String) {
        let name = format!("symbol:{symbol}");
        if let Some(animation) = self.model().and_then(|model| model.find_animation(&name)) {
            self.show_animation(animation);
        } else if let Some(document) = self.files.documents.get_mut(self.files.current) {
            if !document.reading.symbols.contains(&symbol) {
                document.reading.symbols.push(symbol);
            }
            document.reading.then_show = Some(name);
            document.read_otherwise();
            self.reload();
        }
    }

    /// Changes whether images are read as straight or premultiplied. All files are read again, keeping animation,
    /// frame, skins and view.
    pub fn set_page_alpha(&mut self, page_alpha: PageAlpha) {
        if self.files.read.page_alpha != page_alpha {
            self.files.read.page_alpha = page_alpha;
            self.read_otherwise();
            self.select(self.files.loading_index().unwrap_or(self.files.current));
        }
    }

    /// Handles changed files. The shown one, or that which is being loaded, is read again now, the others when they
    /// are shown.
    pub fn files_changed(&mut self, changed: &dyn Fn(&Path) -> bool) {
        let wanted = self.files.loading_index().unwrap_or(self.files.current);
        let mut is_due = false;
        self.files.documents.for_each_mut(|(index, document)| {
            if !document.is_piped() && document.files().any(changed) {
                document.expire();
                is_due |= index == wanted;
            }
        });
        if is_due {
            self.select(wanted);
        }
        self.read_second();
    }

    /// Reads the shown file again, and says so once it is there.
    pub fn reload_and_notify(&mut self) {
        self.notice = None;
        self.reload();
        self.announce();
    }

    /// Closes the shown file, unless it is being exported.
    pub fn close_and_notify(&mut self) {
        match self.current().map(Document::name) {
            // The dialog closes with its file and could not report the result of the export.
            Some(_) if self.export.as_ref().is_some_and(|export| export.is_running()) => {}
            Some(name) => {
                self.close();
                self.notify(format!("Closed {name}"));
            }
            None if self.files.gallery.is_open() => self.close_gallery(),
            None => self.notify("No file is open"),
        }
    }
}
