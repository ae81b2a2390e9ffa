//! The characters in folders, as small pictures that play under the pointer.
//!
//! [`search`] finds the files, [`thumbnail`] makes their pictures, both on threads, and [`cache`] keeps them. Only what is
//! visible is made, and only what is visible or was so lately is a texture.

pub mod cache;
pub mod entry;
pub mod listing;
pub mod live;
pub mod panel;
pub mod search;
pub mod selection;
pub mod thumbnail;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::task::Poll;

use egui::ColorImage;

use crate::base::filter::Filter;
use crate::base::memo::Cached;
use crate::base::name;
use crate::base::pool::Pool;
use crate::base::task::Task;
use crate::base::waker::Waker;
use crate::widgets::kept::image;
use cache::Cache;
use entry::{Entry, Texture, Thumbnail};
use listing::Sort;
use live::Live;
use pchr::formats::{Listings, ReadOptions};
use pchr::progress::Progress;
use selection::Selection;
use thumbnail::{Kind, MadeThumbnail, Maker, ThumbnailRequest};

/// Number of threads that make pictures. They share the processor with the window, and memory with each other.
const THREADS: usize = 2;
/// Number of textures that are kept of what is no longer visible.
const TEXTURES: usize = 400;
/// Number of strips that are kept.
const STRIPS: usize = 4;
/// Number of files that are read ahead when all have to be.
const AHEAD: usize = 8;

/// The gallery.
#[derive(Debug, Default)]
pub struct Gallery {
    /// What it shows: folders, and files that were opened with them. Empty: no gallery is open.
    roots: Vec<PathBuf>,
    searching: Option<Task<Vec<Entry>>>,
    entries: Vec<Entry>,
    places: HashMap<Arc<Path>, usize>,
    order: Cached<(u64, Filter, Sort), Arc<[usize]>>,
    /// Changes with what the order depends on.
    version: u64,
    /// The text that narrows it down.
    pub filter: Filter,
    /// What it is sorted by.
    pub sort: Sort,
    /// The tiles are large.
    pub is_large: bool,
    /// The selected files.
    pub selection: Selection,
    live: Live,
    /// The folder in which pictures are kept; `None`: they are not.
    pub cache: Option<PathBuf>,
    /// The file that was opened last, which gets the focus when the gallery is shown again.
    pub opened: Option<Arc<Path>>,
    /// The tile of [`Self::opened`], or else the first, is to have the focus.
    pub wants_focus: bool,
    /// The field of the filter is to have the focus.
    pub wants_filter: bool,
    /// Where the focus is to be moved to, and the number of this move.
    pub reveal: u64,
    pool: Option<Pool<ThumbnailRequest, MadeThumbnail>>,
    making: Arc<Progress>,
    strips: Vec<Strip>,
    /// The side of the pictures in pixels.
    side: u32,
    frame: u64,
    /// Number of textures, of files that were not read yet, and of requests that are open.
    textures: usize,
    unread: usize,
    asked: usize,
}

/// Pictures that play.
#[derive(Debug)]
struct Strip {
    path: Arc<Path>,
    picture: Option<ColorImage>,
    texture: Option<Texture>,
    count: u32,
    picture_secs: f64,
}

impl Drop for Gallery {
    fn drop(&mut self) {
        self.making.cancel();
    }
}

impl Gallery {
    /// Returns true if there is one, whether it is visible or not.
    pub fn is_open(&self) -> bool {
        !self.roots.is_empty()
    }

    /// Closes it.
    pub fn close(&mut self) {
        let (cache, sort, is_large) = (self.cache.take(), self.sort, self.is_large);
        *self = Self::default();
        (self.cache, self.sort, self.is_large) = (cache, sort, is_large);
    }

    /// Shows `roots`, folders and files, read with `options`.
    pub fn open(&mut self, roots: Vec<PathBuf>, options: &ReadOptions, waker: Option<&Waker>) {
        self.roots = roots;
        self.opened = None;
        self.filter.text.clear();
        self.search(options, waker);
    }

    /// Searches the folders again.
    pub fn search(&mut self, options: &ReadOptions, waker: Option<&Waker>) {
        // What is still being made is of no use.
        std::mem::take(&mut self.making).cancel();
        self.entries.clear();
        self.places.clear();
        self.strips.clear();
        self.selection.clear();
        self.live =
            Live { limits: options.limits.clone(), waker: waker.cloned(), is_due: true, ..Live::default() };
        (self.textures, self.unread) = (0, 0);
        self.version += 1;
        self.show_focus();
        let maker = Maker {
            // Each folder is listed once for all of its files.
            read: ReadOptions { listings: Listings::shared(), ..options.clone() },
            cache: self.cache.clone().map(Cache::new),
            progress: Arc::clone(&self.making),
        };
        self.pool = Some(Pool::start("gallery", THREADS, waker, move |wanted| maker.make(wanted)));
        self.searching = Some(search::start(self.roots.clone(), options.limits.clone(), waker));
        self.update();
    }

    /// Takes over what the threads have found and made. Call it at the beginning of a frame.
    pub fn update(&mut self) {
        let known = self.entries.len();
        while let Some(Poll::Ready(found)) = self.searching.as_ref().map(Task::take) {
            match found {
                Some(portion) => self.entries.extend(portion),
                None => (self.searching, self.live.is_due) = (None, true),
            }
        }
        for (index, entry) in self.entries.iter().enumerate().skip(known) {
            self.places.entry(Arc::clone(&entry.path)).or_insert(index);
            self.unread += usize::from(entry.facts.is_none());
        }
        self.version += u64::from(self.entries.len() > known);
        let made = self.pool.as_ref().map(Pool::take).unwrap_or_default();
        for (wanted, thumbnail) in made {
            match wanted.kind {
                Kind::Still => self.take_still(&wanted, thumbnail),
                Kind::Strip if wanted.side == self.side => self.take_strip(wanted.path, thumbnail),
                // It was drawn for another screen.
                Kind::Strip => {}
            }
        }
    }

    fn take_still(&mut self, wanted: &ThumbnailRequest, thumbnail: MadeThumbnail) {
        let Some(entry) = self.places.get(&wanted.path).and_then(|index| self.entries.get_mut(*index)) else {
            return;
        };
        entry.thumbnail = thumbnail
            .picture
            .as_ref()
            .map_or(Thumbnail::Unavailable, |picture| Thumbnail::Decoded(image(picture)));
        let is_expired = wanted.side != self.side || wanted.changes != entry.changes;
        // What plays was drawn before.
        if std::mem::replace(&mut entry.is_expired, is_expired) {
            self.strips.retain(|strip| strip.path != wanted.path);
        }
        if entry.facts.as_ref() != Some(&thumbnail.facts) {
            self.unread -= usize::from(entry.facts.is_none());
            entry.facts = Some(thumbnail.facts);
            self.version += u64::from(self.sort.needs_facts() || self.filter.is_on());
        }
    }

    fn take_strip(&mut self, path: Arc<Path>, thumbnail: MadeThumbnail) {
        let MadeThumbnail { picture, count, picture_secs, .. } = thumbnail;
        let picture = picture.as_ref().map(image);
        self.strips.retain(|strip| strip.path != path);
        self.strips.push(Strip { path, picture, texture: None, count, picture_secs });
        if self.strips.len() > STRIPS {
            self.strips.remove(0);
        }
    }

    /// Returns the indices of the files to show, in order.
    pub fn order(&mut self) -> Arc<[usize]> {
        let key = (self.version, self.filter.clone(), self.sort);
        Arc::clone(self.order.get(key, || listing::listed(&self.entries, &self.filter, self.sort).into()))
    }

    /// Returns the files to show, in order.
    pub fn listed_files(&mut self) -> Vec<PathBuf> {
        let order = self.order();
        order.iter().map(|index| self.entries[*index].path.to_path_buf()).collect()
    }

    /// Returns true if there are several characters, whether they are listed or not.
    pub fn has_several(&self) -> bool {
        self.entries.len() > 1
    }

    /// Returns the file `steps` further than `path`, wrapping around; `None` if the gallery does not show `path`.
    pub fn neighbour(&mut self, path: &Path, steps: isize) -> Option<PathBuf> {
        let order = self.order();
        let at = order.iter().position(|index| *self.entries[*index].path == *path)?;
        let next = (at as isize + steps).rem_euclid(order.len() as isize) as usize;
        Some(self.entries[order[next]].path.to_path_buf())
    }

    /// Returns true if the gallery has other files than `path` beside it.
    pub fn has_others(&self, path: &Path) -> bool {
        self.entries.len() > 1 && self.places.contains_key(path)
    }

    /// Returns the number of errors in parts of animations that were left out of a file, as far as known.
    pub fn errors_left_out(&self, path: &Path) -> usize {
        let entry = self.places.get(path).and_then(|index| self.entries.get(*index));
        entry.and_then(|entry| entry.facts.as_ref()).map_or(0, |facts| facts.errors)
    }

    /// Notes that a file is shown. When the gallery returns, it has the focus, and its picture is made again.
    pub fn note_opened(&mut self, path: &Path) {
        let Some((path, index)) = self.places.get_key_value(path) else { return };
        self.opened = Some(Arc::clone(path));
        if let Some(entry) = self.entries.get_mut(*index) {
            entry.is_expired = true;
        }
    }

    /// Moves the focus to the file that was opened last, or else to the first.
    pub fn show_focus(&mut self) {
        self.wants_focus = true;
        self.reveal += 1;
    }

    /// Returns the names of the folders for display.
    pub fn title(&self) -> String {
        let name = |root: &PathBuf| name::file(&std::path::absolute(root).unwrap_or_else(|_| root.clone()));
        match &self.roots[..] {
            [root] => name(root),
            [root, others @ ..] => format!("{} and {} more", name(root), others.len()),
            [] => String::new(),
        }
    }

    /// Returns the first folder that it shows, or the folder of the first file.
    pub fn folder(&self) -> Option<PathBuf> {
        let root = self.roots.first()?;
        let is_file = self.places.contains_key(root.as_path());
        Some(if is_file { root.parent()?.to_owned() } else { root.clone() })
    }

    /// Asks for what is missing of the `visible` files, and for the strip of the one under the pointer, whose pictures
    /// have a `side` in pixels.
    fn ask(&mut self, visible: &[usize], pointed: Option<usize>, side: u32) {
        if std::mem::replace(&mut self.side, side) != side {
            // Pictures that were drawn for another screen are shown until there are others.
            let drawn =
                |entry: &&mut Entry| matches!(entry.thumbnail, Thumbnail::Decoded(_) | Thumbnail::Uploaded(..));
            self.entries.iter_mut().filter(drawn).for_each(|entry| entry.is_expired = true);
            self.strips.clear();
        }
        let Some(pool) = &self.pool else { return };
        let mut wanted = Vec::new();
        let still = |index: &usize| {
            let entry = self.entries.get(*index)?;
            let is_missing = entry.is_expired || matches!(entry.thumbnail, Thumbnail::Wanted);
            let (path, changes) = (Arc::clone(&entry.path), entry.changes);
            is_missing.then_some(ThumbnailRequest { path, kind: Kind::Still, side, changes })
        };
        let strip = pointed.and_then(|index| {
            let entry = self.entries.get(index)?;
            let is_known = self.strips.iter().any(|strip| strip.path == entry.path);
            let is_playable = matches!(entry.thumbnail, Thumbnail::Decoded(_) | Thumbnail::Uploaded(..));
            let path = Arc::clone(&entry.path);
            let changes = entry.changes;
            (is_playable && !is_known).then_some(ThumbnailRequest { path, kind: Kind::Strip, side, changes })
        });
        wanted.extend(strip);
        wanted.extend(visible.iter().filter_map(still));
        if self.sort.needs_facts() && self.unread > 0 {
            let unread = self.entries.iter().enumerate().filter(|(_, entry)| entry.facts.is_none());
            wanted.extend(unread.take(AHEAD).filter_map(|(index, _)| still(&index)));
        }
        if self.asked > 0 || !wanted.is_empty() {
            self.asked = wanted.len();
            pool.ask(wanted);
        }
    }

    /// Drops the textures that have not been visible for longest.
    fn forget_textures(&mut self) {
        let drawn = |entry: &Entry| match entry.thumbnail {
            Thumbnail::Uploaded(_, frame) => Some(frame),
            Thumbnail::Wanted | Thumbnail::Decoded(_) | Thumbnail::Unavailable => None,
        };
        if self.textures <= TEXTURES * 2 {
            return;
        }
        let mut frames: Vec<u64> = self.entries.iter().filter_map(drawn).collect();
        frames.sort_unstable();
        let oldest = frames.len().checked_sub(TEXTURES).map_or(0, |at| frames[at]);
        for entry in &mut self.entries {
            if drawn(entry).is_some_and(|frame| frame < oldest) {
                entry.thumbnail = Thumbnail::Wanted;
            }
        }
        self.textures = self.entries.iter().filter_map(drawn).count();
    }
}

#[cfg(test)]
pub mod tests;
