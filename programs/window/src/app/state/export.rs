//! Opens, follows and closes the export dialog.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::State;
use crate::export::{Cast, CastChoices, Export, Phase, Shown, sources};
use pchr::formats::ReadOptions;

impl State {
    /// Opens the dialog for the current character, with the previous choices as far as they apply.
    pub fn open_export(&mut self) {
        self.export = self.new_export().map(Box::new);
        if self.export.is_none() {
            self.notify_error("There is nothing to export");
        }
    }

    /// Closes the dialog and remembers its choices. Does nothing during an export, which has its own *Cancel*
    /// button.
    pub fn close_export(&mut self) {
        if let Some(export) = self.export.take_if(|export| !export.is_running()) {
            self.saved_export = Some(export.save());
        }
    }

    /// Sets the output path that the user has chosen in the system's dialog.
    pub fn name_export(&mut self, path: &Path) {
        match (&mut self.export, path.to_str()) {
            (Some(export), Some(path)) if !export.is_running() => export.choose_path(path),
            (Some(_), None) => self.notify_error(format!("{} is not valid Unicode", path.display())),
            (Some(_) | None, _) => {}
        }
    }

    /// Keeps the dialog in sync with the window: reopens it for another file, and updates it if the file was
    /// reloaded.
    pub fn follow_export(&mut self) {
        let Some(export) = &self.export else { return };
        if matches!(export.phase, Phase::Running(_)) {
            return;
        }
        // It shows the stage as it was when the dialog was opened.
        let is_stage = export.has_stage() && self.has_companions();
        if is_stage || export.is_of_gallery() && self.files.shows_gallery() {
            return;
        }
        let is_same = self.current().is_some_and(|document| {
            export.options.subject.files.first().map(|file| file.as_path()) == Some(document.path())
        });
        let character = self.loaded().map(|loaded| Arc::clone(&loaded.character));
        let sources = self.current().map(sources).unwrap_or_default();
        match (&mut self.export, character) {
            (Some(export), Some(character)) if is_same => export.set_character(character, sources),
            (_, Some(_)) => {
                self.close_export();
                self.open_export();
            }
            (_, None) => self.close_export(),
        }
    }

    /// Opens or closes the dialog.
    pub fn toggle_export(&mut self) {
        match &self.export {
            Some(_) => self.close_export(),
            None => self.open_export(),
        }
    }

    pub fn new_export(&mut self) -> Option<Export> {
        let (view, cast, stage) = (self.view(), self.cast(), self.staged());
        let Some(document) = self.current() else {
            return cast.map(|cast| Export::of_gallery(cast, self.saved_export.as_ref()));
        };
        document.loaded()?;
        let shown = Shown {
            document,
            read: ReadOptions {
                keep_going: document.errors_left_out() > 0,
                ..document.reading.options(&self.files.read)
            },
            playback: &self.playback,
            hidden: &self.parts.hidden,
            background: self.overlays.background,
            underlay: self.overlays.underlay.as_ref(),
            filter: self.canvas.filter,
            antialias: self.canvas.antialias,
            view,
            cast,
            stage,
        };
        Export::new(shown, self.saved_export.as_ref())
    }

    /// Returns the characters on the stage, or else in the gallery, if there are several.
    fn cast(&mut self) -> Option<Cast> {
        let (files, folder, place): (Vec<PathBuf>, _, _) = if self.has_companions() {
            let files: Vec<_> = self.lineup.members.iter().map(|member| member.path.clone()).collect();
            let folder = files.first().and_then(|file| file.parent()).map(Path::to_owned);
            (files, folder, "on the stage".to_owned())
        } else {
            let gallery = &mut self.files.gallery;
            (gallery.chosen_files(), gallery.folder(), format!("in {}", gallery.title()))
        };
        // Standard input cannot be read again.
        let is_readable = files.len() > 1 && !files.iter().any(|file| file.as_os_str() == "-");
        let label = format!("All {} {place}", files.len());
        let keep_going = files.iter().any(|file| self.files.lacks_parts(file));
        let (read, choices) = (ReadOptions { keep_going, ..self.files.read.clone() }, CastChoices::default());
        is_readable.then(|| Cast { files, folder: folder.unwrap_or_default(), label, read, choices })
    }
}
