//! The files of the list: opening, reading, watching, leaving and closing them.

pub mod check;
pub mod document;
pub mod documents;
pub mod facts;
pub mod gallery;
pub mod loading;
pub mod panel;
pub mod pasted;
pub mod path_prompt;
pub mod recent;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::base::filter::Filter;
use crate::base::lookup::Found;
use crate::base::memo::{ByAddress, Cached};
use crate::base::task::Task;
use crate::scene::loaded::Loaded;
use check::Check;
use document::Document;
use documents::Documents;
use facts::Facts;
use gallery::Gallery;
use loading::Loading;
use loading::job::Step;
use path_prompt::PathPrompt;
use pchr::Character;
use pchr::export::{OverlayChoice, Subject};
use pchr::formats::ReadOptions;
use recent::RecentFiles;

/// Reads a scene with several characters, or says why it cannot.
pub type ReadScene = fn(&Path) -> Result<Subject, String>;

/// The files of the list, the one that is shown, and the one that is being loaded.
#[derive(Debug, Default)]
pub struct Files {
    /// The files.
    pub documents: Documents,
    /// The index of the shown one; beyond the list while the gallery is shown.
    pub current: usize,
    /// How they are read.
    pub read: ReadOptions,
    /// What was requested on the command line or by a scene, until a file is shown.
    pub wanted: Wanted,
    /// Reads a scene.
    pub read_scene: Option<ReadScene>,
    /// Recently opened files.
    pub recent: RecentFiles,
    /// Files that are opened if they exist.
    pub opening: Option<Opening>,
    /// The path that the user is asked for, where the system has no file dialog.
    pub prompt: Option<PathPrompt>,
    /// The file that is being loaded.
    pub loading: Loading,
    /// The folders that were opened.
    pub gallery: Gallery,
    /// Files were opened, read or closed since the window last checked: the set of watched files has changed.
    pub has_read: bool,
    /// What is found in the shown file.
    pub check: Check,
    pub listed: Cached<(u64, Filter), Arc<[usize]>>,
    pub facts: Cached<ByAddress<Character>, Arc<Facts>>,
    /// The heights of the warnings in points, as far as they were laid out, for a width in points.
    pub warning_heights: Cached<(ByAddress<Facts>, f32), Vec<Option<f32>>>,
}

/// What was requested on the command line or by a scene, until a file is shown.
#[derive(Debug, Default)]
pub struct Wanted {
    /// What to show.
    pub subject: Subject,
    /// The overlays of `--show`. Some have bones.
    pub show: Vec<OverlayChoice>,
    /// The picture behind the character.
    pub background: Option<PathBuf>,
}

/// Files that are opened if they exist.
#[derive(Debug)]
pub struct Opening {
    /// Finds out whether they do.
    pub lookup: Task<Vec<Found>>,
    /// They are recent files, not pasted ones.
    pub are_recent: bool,
}

impl Files {
    /// Returns the shown file.
    pub fn current(&self) -> Option<&Document> {
        self.documents.get(self.current)
    }

    /// Returns the shown character and its metadata.
    pub fn loaded(&self) -> Option<&Loaded> {
        self.current()?.loaded()
    }

    /// Returns true if parts of animations with errors are known to be left out of a file.
    pub fn lacks_parts(&self, path: &Path) -> bool {
        let document = self.documents.find(path).and_then(|index| self.documents.get(index));
        document.map_or_else(|| self.gallery.errors_left_out(path), Document::errors_left_out) > 0
    }

    /// Returns the name of the animation to show first of a file, if it was requested or shown before.
    pub fn wanted_animation(&self, path: &Path) -> Option<String> {
        let kept = || self.recent.animation(path).map(str::to_owned);
        self.wanted.subject.animations.first().cloned().or_else(kept)
    }

    /// Returns true if the gallery is shown instead of a file.
    pub fn shows_gallery(&self) -> bool {
        self.gallery.is_open() && self.current().is_none()
    }

    /// Returns the index of the file that is being loaded.
    pub fn loading_index(&self) -> Option<usize> {
        self.documents.find(&self.loading.source()?.path)
    }

    /// Returns the name of the file that is being loaded, and what is being done.
    pub fn loading_status(&self) -> Option<(String, Step)> {
        let document = self.documents.get(self.loading_index()?)?;
        Some((document.name(), self.loading.step()?))
    }

    /// Returns the indices of the files that match a filter.
    pub fn listed(&mut self, filter: &Filter) -> Arc<[usize]> {
        let documents = &self.documents;
        let matches = |index: &usize| {
            let document = &documents[*index];
            filter.matches(&document.name()) || filter.matches(&document.folder)
        };
        let list = || (0..documents.len()).filter(matches).collect();
        Arc::clone(self.listed.get((documents.version(), filter.clone()), list))
    }

    /// Returns the facts about the shown character.
    pub fn facts(&mut self) -> Arc<Facts> {
        let shown = self.documents.get(self.current).and_then(|document| document.loaded());
        let Some(loaded) = shown else { return Arc::default() };
        let key = ByAddress::of(&loaded.character);
        Arc::clone(self.facts.get(key, || Facts::of(loaded).into()))
    }

    /// Returns how often a list was computed.
    #[cfg(test)]
    pub fn computed(&self) -> u64 {
        self.listed.computed() + self.facts.computed()
    }
}

#[cfg(test)]
pub mod tests;
