//! The files that the user has selected in the gallery.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::Modifiers;

use super::Gallery;

/// The selected files, and the one that a range begins with.
#[derive(Debug, Default)]
pub struct Selection {
    files: BTreeSet<Arc<Path>>,
    anchor: Option<Arc<Path>>,
}

impl Selection {
    /// Returns true if `path` is selected.
    pub fn has(&self, path: &Path) -> bool {
        self.files.contains(path)
    }

    /// Clears it. Returns false if nothing was selected.
    pub fn clear(&mut self) -> bool {
        !std::mem::take(&mut self.files).is_empty()
    }

    /// Drops files for which `is_there` returns false.
    pub fn retain(&mut self, is_there: impl Fn(&Path) -> bool) {
        self.files.retain(|path| is_there(path));
    }
}

impl Gallery {
    /// Selects the listed file at `place`, as a click with these modifiers does: Ctrl adds or removes it, Shift selects
    /// everything from the last one. Returns false without either.
    pub fn select(&mut self, place: usize, modifiers: Modifiers) -> bool {
        let order = self.order();
        let path = |place: &usize| self.entries.get(*order.get(*place)?).map(|entry| Arc::clone(&entry.path));
        let Some(clicked) = path(&place).filter(|_| modifiers.command || modifiers.shift) else { return false };
        let Selection { files, anchor } = &mut self.selection;
        if !modifiers.shift {
            if !files.remove(&clicked) {
                files.insert(Arc::clone(&clicked));
            }
            *anchor = Some(clicked);
            return true;
        }
        let begin =
            anchor.as_ref().and_then(|anchor| (0..order.len()).find(|at| path(at).as_ref() == Some(anchor)));
        let begin = begin.unwrap_or(place);
        files.extend((begin.min(place)..=begin.max(place)).filter_map(|place| path(&place)));
        true
    }

    /// Returns the files that a command concerns: the selected ones in the order of the list, or else all listed ones.
    pub fn chosen_files(&mut self) -> Vec<PathBuf> {
        let files = self.listed_files();
        let selected: Vec<_> = files.iter().filter(|path| self.selection.has(path)).cloned().collect();
        if selected.is_empty() { files } else { selected }
    }
}
