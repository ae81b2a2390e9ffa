//! State of the side panel: which sections are folded, the filter, and the tree.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::lists::Lists;
use super::tree::{Item, Tree};
use crate::base::filter::Filter;
use crate::base::texts::texts;
use crate::scene::selection::Selected;

texts! {
    /// A section of the side panel.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Section: name {
        /// Files.
        Files => "files",
        /// Animations.
        Animations => "animations",
        /// Skins.
        Skins => "skins",
        /// Slots in draw order.
        Slots => "slots",
        /// Bones, slots, attachments, skins, constraints and events.
        Tree => "tree",
        /// Facts about the character.
        Character => "character",
    }
}

/// State of the side panel.
#[derive(Debug)]
pub struct SidePanel {
    /// Its width in points, in a window that is wide enough.
    pub width: f32,
    /// The same in a wide window.
    pub wide_width: f32,
    /// There are two columns.
    pub has_two_columns: bool,
    /// There is room for more than the lists.
    pub is_high: bool,
    /// The sections that the user has folded or unfolded.
    pub sections: BTreeMap<Section, bool>,
    /// The groups of skins that are folded.
    pub folded_skins: Arc<BTreeSet<String>>,
    /// Filter of all lists.
    pub filter: Filter,
    /// The filter gets the keyboard focus in the next frame.
    pub wants_filter: bool,
    /// Only slots that show something are listed.
    pub only_visible: bool,
    /// The rows of the other lists.
    pub lists: Lists,
    /// The tree.
    pub tree: Tree,
    /// The row of the tree that gets the keyboard focus once it is laid out.
    pub wants_row: Option<Item>,
    /// The selection that the tree has revealed.
    pub revealed: Option<Selected>,
    /// Counts what the tree was scrolled to.
    pub reveals: u64,
    /// The row that the tree was last scrolled to.
    pub revealed_row: usize,
}

impl Default for SidePanel {
    fn default() -> Self {
        Self {
            width: Self::WIDTH,
            wide_width: Self::WIDE,
            has_two_columns: false,
            is_high: true,
            sections: BTreeMap::new(),
            folded_skins: Arc::default(),
            filter: Filter::default(),
            wants_filter: false,
            only_visible: false,
            lists: Lists::default(),
            tree: Tree::default(),
            wants_row: None,
            revealed: None,
            reveals: 0,
            revealed_row: 0,
        }
    }
}

impl SidePanel {
    /// The width in points until the user drags the edge.
    pub const WIDTH: f32 = 230.0;
    /// The same in a wide window.
    pub const WIDE: f32 = 420.0;

    /// Returns whether a section is unfolded. Facts fold by themselves where the lists need the room.
    pub fn is_open(&self, section: Section) -> bool {
        let by_default = match section {
            Section::Files | Section::Animations | Section::Skins => true,
            Section::Slots => self.has_two_columns,
            Section::Tree => false,
            Section::Character => self.is_high,
        };
        self.sections.get(&section).copied().unwrap_or(by_default)
    }

    /// Folds or unfolds a section.
    pub fn toggle(&mut self, section: Section) {
        let is_open = self.is_open(section);
        self.sections.insert(section, !is_open);
    }
}
