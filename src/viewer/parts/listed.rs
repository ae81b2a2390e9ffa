//! What the lists of the side panel show.

use std::sync::Arc;

use super::lists::{Facts, SkinLines};
use crate::Character;
use crate::model::{AnimationId, SlotId};
use crate::viewer::app::state::State;
use crate::viewer::base::memo::ByAddress;

impl State {
    /// Returns the indices of the files that match the filter.
    pub fn listed_files(&mut self) -> Arc<[usize]> {
        self.side.lists.files(&self.documents, &self.side.filter)
    }

    /// Returns the animations that match the filter.
    pub fn listed_animations(&mut self) -> Arc<[AnimationId]> {
        let Some(character) = self.character() else { return Arc::default() };
        self.side.lists.animations(&character, &self.side.filter)
    }

    /// Returns the rows of the list of skins.
    pub fn listed_skins(&mut self) -> Arc<SkinLines> {
        let Some(character) = self.character() else { return Arc::default() };
        let (side, worn) = (&mut self.side, self.animator.skins());
        side.lists.skins(&character, &side.filter, &side.folded_skins, worn)
    }

    /// Returns the number of slots that match the filter.
    pub fn listed_slot_count(&mut self) -> usize {
        let Some(character) = self.character() else { return 0 };
        self.side.lists.slots.count(&character, &self.side.filter)
    }

    /// Returns the slots that match the filter, front to back.
    pub fn listed_slots(&mut self) -> Arc<[SlotId]> {
        let Some(character) = self.character() else { return Arc::default() };
        self.animator.refresh();
        let order = &self.animator.pose().draw_order;
        self.side.lists.slots.listed(&character, &self.side.filter, order)
    }

    /// Returns the facts about the shown character.
    pub fn facts(&mut self) -> Arc<Facts> {
        let shown = self.documents.get(self.current).and_then(|document| document.loaded());
        let Some(loaded) = shown else { return Arc::default() };
        let key = ByAddress::of(&loaded.character);
        Arc::clone(self.side.lists.facts.get(key, || Facts::of(loaded).into()))
    }

    fn character(&self) -> Option<Arc<Character>> {
        self.loaded().map(|loaded| Arc::clone(&loaded.character))
    }
}
