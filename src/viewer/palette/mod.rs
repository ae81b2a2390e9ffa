//! The command palette: finds commands, animations and skins by parts of their names.

mod fuzzy;

use std::cmp::Reverse;
use std::sync::{Arc, Weak};

pub use fuzzy::Query;

use super::command::Command;
use super::state::State;
use crate::character::Character;
use crate::error::escaped;
use crate::model::{AnimationId, SkinId};

/// Something that the palette offers.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    /// A command.
    Command(Command),
    /// An animation of the shown character.
    Animation(AnimationId),
    /// A skin of the shown character.
    Skin(SkinId),
}

impl Entry {
    /// Returns what kind of entry it is; empty for commands.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Command(_) => "",
            Self::Animation(_) => "Animation",
            Self::Skin(_) => "Skin",
        }
    }
}

/// The open command palette.
#[derive(Debug, Default)]
pub struct CommandPalette {
    /// What the user has typed.
    pub query: String,
    /// The place of the selected entry among those found.
    pub selected: usize,
    entries: Vec<(Entry, String)>,
    /// Indices of the entries found, best first, and the query that found them.
    found: Vec<usize>,
    searched: Option<String>,
    /// The character that the entries belong to.
    character: Weak<Character>,
}

impl CommandPalette {
    /// Returns the number of entries found.
    pub fn count(&self) -> usize {
        self.found.len()
    }

    /// Returns the entry at `place` of those found, with its name.
    pub fn entry(&self, place: usize) -> Option<(&Entry, &str)> {
        self.entries.get(*self.found.get(place)?).map(|(entry, name)| (entry, name.as_str()))
    }

    /// Moves the selection by `rows`, stopping at the ends unless a single step wraps around.
    pub fn step(&mut self, rows: isize) {
        let Some(last) = self.count().checked_sub(1) else { return };
        self.selected = match rows {
            1 if self.selected >= last => 0,
            -1 if self.selected == 0 => last,
            _ => self.selected.saturating_add_signed(rows).min(last),
        };
    }

    fn search(&mut self) {
        if self.searched.as_ref() == Some(&self.query) {
            return;
        }
        let query = Query::new(&self.query);
        let scored = self.entries.iter().enumerate();
        let mut found: Vec<(i32, usize)> =
            scored.filter_map(|(index, (_, name))| Some((query.score(name)?, index))).collect();
        found.sort_by_key(|&(score, index)| (Reverse(score), index));
        self.found = found.into_iter().map(|(_, index)| index).collect();
        self.selected = 0;
        self.searched = Some(self.query.clone());
    }
}

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
        let commands = Command::ALL.into_iter().filter(is_listed);
        let mut entries: Vec<(Entry, String)> =
            commands.map(|command| (Entry::Command(command), command.label().to_owned())).collect();
        let name = |name: &str| if name.is_empty() { "(no name)".to_owned() } else { escaped(name) };
        if let Some(model) = self.model() {
            let animations = model.animation_ids();
            entries.extend(animations.map(|id| (Entry::Animation(id), name(&model.animation(id).name))));
            let skins = model.skin_ids();
            entries.extend(skins.map(|id| (Entry::Skin(id), name(&model.skin(id).name))));
        }
        entries
    }

    /// Returns whether an entry is on; `None` if it cannot be switched on.
    pub fn is_entry_on(&self, entry: &Entry) -> Option<bool> {
        match entry {
            Entry::Command(command) => self.is_on(*command),
            Entry::Animation(id) => Some(self.animator.playback(0).animation() == Some(*id)),
            Entry::Skin(id) => Some(self.animator.skins().contains(id)),
        }
    }

    /// Chooses the selected entry and closes the palette. Returns its command for the caller to run. Entries without
    /// an effect are not chosen.
    pub fn choose_entry(&mut self) -> Option<Command> {
        let palette = self.palette.as_ref()?;
        let entry = palette.entry(palette.selected)?.0.clone();
        match entry {
            Entry::Command(command) if self.unavailable(command).is_some() => return None,
            Entry::Command(_) => {}
            Entry::Animation(id) => self.show_animation(id),
            Entry::Skin(id) => self.wear(id, false),
        }
        self.palette = None;
        match entry {
            Entry::Command(command) => Some(command),
            Entry::Animation(_) | Entry::Skin(_) => None,
        }
    }
}
