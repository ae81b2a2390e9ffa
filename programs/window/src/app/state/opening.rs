//! Opens pasted and recent files once they were looked up: they may be on a network share that does not answer.

use std::path::PathBuf;
use std::task::Poll;

use super::State;
use crate::base::lookup::look_up;
use crate::files::path_prompt::PathPrompt;
use crate::files::{Opening, pasted};
use crate::widgets::actions::{Dialog, Request};

/// Maximum length of a path in a message, in characters.
const MAX_NAMED: usize = 120;

impl State {
    /// Opens the files whose paths are in `text`, one per line.
    pub fn open_pasted(&mut self, text: &str) {
        self.open_existing(pasted::paths(text, std::env::home_dir().as_deref()), false);
    }

    /// Asks for a path, because the system cannot show `dialog`.
    pub fn ask_for_path(&mut self, dialog: Dialog) {
        if dialog == Dialog::Save {
            return self.notify_error(
                "No file dialog is available: type the path into the field, or install xdg-desktop-portal or zenity",
            );
        }
        self.files.prompt = Some(PathPrompt::new(dialog));
    }

    /// Does what `dialog` is for with the path in `text`. The user may have agreed to replace its file.
    pub fn take_path(&mut self, dialog: Dialog, text: &str, has_agreed: bool) {
        let path = pasted::paths(text, std::env::home_dir().as_deref()).into_iter().next();
        match (dialog, path) {
            (Dialog::Open | Dialog::Folder, _) | (_, None) => self.open_pasted(text),
            (Dialog::Scene, Some(path)) => self.save_scene(&path, has_agreed),
            (dialog, Some(path)) => self.take_paths(dialog, vec![path]),
        }
    }

    /// Does what `dialog` is for with the files or the folder that the user has chosen.
    pub fn take_paths(&mut self, dialog: Dialog, paths: Vec<PathBuf>) {
        let Some(first) = paths.first().cloned() else { return };
        match dialog {
            Dialog::Open | Dialog::Folder => self.open(paths),
            Dialog::Stage => self.add_to_stage(paths),
            Dialog::Compare => self.compare_with_file(first),
            Dialog::Underlay => {
                self.requests.push(Request::ReadUnderlay { file: first, is_background: false });
            }
            Dialog::Atlas => self.use_atlas(first),
            Dialog::Screenshots => self.screenshots = std::path::absolute(first).ok(),
            Dialog::Save => self.name_export(&first),
            // The system's dialog has asked, but not about a name to which the extension is added.
            Dialog::Scene => self.save_scene(&first, first.extension().is_some()),
        }
    }

    /// Opens a recent file.
    pub fn open_recent(&mut self, path: PathBuf) {
        self.open_existing(vec![path], true);
    }

    /// Opens the files of `paths` that exist. Replaces those that are still being looked up.
    fn open_existing(&mut self, paths: Vec<PathBuf>, are_recent: bool) {
        let lookup = look_up(paths, self.files.loading.waker.as_ref());
        self.files.opening = Some(Opening { lookup, are_recent });
        self.take_looked_up();
    }

    /// Takes over what was looked up since the last call. Call it at the beginning of a frame.
    pub fn take_looked_up(&mut self) {
        self.files.recent.update();
        let Some(opening) = &self.files.opening else { return };
        let Poll::Ready(found) = opening.lookup.take() else { return };
        let are_recent = opening.are_recent;
        self.files.opening = None;
        let (files, missing): (Vec<_>, Vec<_>) = found.into_iter().flatten().partition(|(_, exists)| *exists);
        let files: Vec<PathBuf> = files.into_iter().map(|(path, _)| path).collect();
        match (files.len(), &missing[..]) {
            (0, [(path, _)]) if are_recent => {
                self.files.recent.expire();
                self.notify_error(format!("{} does not exist", path.display()));
            }
            (0, []) => self.notify_error("There is no path in the clipboard"),
            (0, [(path, _)]) => {
                let name: String = path.to_string_lossy().chars().take(MAX_NAMED).collect();
                self.notify_error(format!("File not found: “{name}”"));
            }
            (0, _) => self.notify_error("None of the pasted lines is the path of an existing file"),
            (_, []) => self.open(files),
            (_, missing) => {
                self.open(files);
                let lines = if missing.len() == 1 { "line is" } else { "lines are" };
                self.notify_error(format!("{} pasted {lines} not the path of a file", missing.len()));
            }
        }
    }
}
