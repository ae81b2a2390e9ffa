//! Opens, fills and runs the palette.

use std::sync::Arc;

use super::State;
use crate::base::name::shown;
use crate::palette::{CommandPalette, Entry};
use crate::widgets::command::Command;
use crate::widgets::command_row::Status;

impl State {
    /// Opens the palette with an empty query, or closes it.
    pub fn toggle_palette(&mut self) {
        self.palette = match self.palette {
            Some(_) => None,
            None => Some(CommandPalette::default()),
        };
    }

    /// Updates what the open palette has found, after the query or the character has changed.
    pub fn update_palette(&mut self) {
        let Some(mut palette) = self.palette.take() else { return };
        let shown = self.loaded().map(|loaded| Arc::downgrade(&loaded.character)).unwrap_or_default();
        if palette.entries.is_empty() || !palette.character.ptr_eq(&shown) {
            palette.entries = self.palette_entries();
            palette.character = shown;
            palette.searched = None;
        }
        palette.search();
        self.palette = Some(palette);
    }

    fn palette_entries(&self) -> Vec<(Entry, String)> {
        // Animations are listed by name.
        let is_listed = |command: &Command| !matches!(command, Command::Animation(_) | Command::Palette);
        let commands = Command::all().filter(is_listed);
        let mut entries: Vec<(Entry, String)> =
            commands.map(|command| (Entry::Command(command), command.label().to_owned())).collect();
        if let Some(model) = self.model() {
            let animations = model.animation_ids();
            entries.extend(animations.map(|id| (Entry::Animation(id), shown(&model.animation(id).name))));
            let skins = model.skin_ids();
            entries.extend(skins.map(|id| (Entry::Skin(id), shown(&model.skin(id).name))));
        }
        let files = self.files.recent.files().iter();
        entries.extend(files.map(|file| (Entry::File(file.path.clone()), file.name())));
        entries
    }

    /// Returns whether an entry is on, and why it cannot be used.
    pub fn entry_status(&self, entry: &Entry) -> Status {
        let is_on = match entry {
            Entry::Command(command) => return self.status(*command),
            Entry::Animation(id) => Some(self.playback.animator.playback(0).animation() == Some(*id)),
            Entry::Skin(id) => Some(self.playback.animator.skins().contains(id)),
            Entry::File(_) => None,
        };
        Status { is_on, unavailable: None }
    }

    /// Chooses the selected entry and closes the palette. Returns its command for the caller to run. Entries without
    /// an effect are not chosen.
    pub fn choose_entry(&mut self) -> Option<Command> {
        let palette = self.palette.as_ref()?;
        let entry = palette.entry(palette.selected)?.0.clone();
        match entry.clone() {
            Entry::Command(command) if self.unavailable(command).is_some() => return None,
            Entry::Command(_) => {}
            Entry::Animation(id) => self.show_animation(id),
            Entry::Skin(id) => {
                if let Err(error) = self.playback.toggle_skin(id, false) {
                    self.notify_error(error.to_string());
                }
            }
            Entry::File(path) => self.open_recent(path),
        }
        self.palette = None;
        match entry {
            Entry::Command(command) => Some(command),
            Entry::Animation(_) | Entry::Skin(_) | Entry::File(_) => None,
        }
    }
}
