//! The command palette: finds commands, animations, skins and recent files by parts of their names.

pub mod fuzzy;
pub mod help;
pub mod listing;
pub mod panel;

use std::cmp::Reverse;
use std::path::PathBuf;
use std::sync::Weak;

pub use fuzzy::Query;

use crate::base::name;
use crate::widgets::command::Command;
use pchr::Character;
use pchr::model::{AnimationId, SkinId};

/// Points that a command found by one of its other words has less.
const BY_WORD: i32 = 800;

/// Something that the palette offers.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    /// A command.
    Command(Command),
    /// An animation of the shown character.
    Animation(AnimationId),
    /// A skin of the shown character.
    Skin(SkinId),
    /// A recently opened file.
    File(PathBuf),
}

impl Entry {
    /// Returns what kind of entry it is; empty for commands.
    pub fn kind(&self) -> String {
        match self {
            Self::Command(_) => String::new(),
            Self::Animation(_) => "Animation".to_owned(),
            Self::Skin(_) => "Skin".to_owned(),
            Self::File(path) => {
                let folder = path.parent().map(name::path);
                format!("Recent file in {}", folder.unwrap_or_default())
            }
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
    pub entries: Vec<(Entry, String)>,
    /// Indices of the entries found, best first, and the query that found them.
    found: Vec<usize>,
    pub searched: Option<String>,
    /// The character that the entries belong to.
    pub character: Weak<Character>,
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

    /// Finds the entries for the query, if it has changed.
    pub fn search(&mut self) {
        if self.searched.as_ref() == Some(&self.query) {
            return;
        }
        let query = Query::new(&self.query);
        let mut found = self.matches(&query, false);
        if found.is_empty() {
            found = self.matches(&query, true);
        }
        found.sort_by_key(|&(score, index)| (Reverse(score), index));
        self.found = found.into_iter().map(|(_, index)| index).collect();
        self.selected = 0;
        self.searched = Some(self.query.clone());
    }

    /// Returns the score and index of each entry whose name matches, or that is a command with a matching word.
    fn matches(&self, query: &Query, scattered: bool) -> Vec<(i32, usize)> {
        let by_word = |entry: &Entry| {
            let Entry::Command(command) = entry else { return None };
            let words = command.face().words.split(' ').filter(|word| !word.is_empty());
            words.filter_map(|word| query.score(word, false)).max().map(|score| score - BY_WORD)
        };
        let score = |entry: &Entry, name: &str| query.score(name, scattered).max(by_word(entry));
        let entries = self.entries.iter().enumerate();
        entries.filter_map(|(index, (entry, name))| Some((score(entry, name)?, index))).collect()
    }
}

#[cfg(test)]
pub mod tests;
