//! What the lists of the side panel show.

use std::sync::Arc;

use super::Parts;
use super::lists::SkinLines;
use crate::Character;
use crate::model::{AnimationId, SkinId, SlotId};
use crate::viewer::playback::Playback;

impl Parts {
    /// Returns the animations that match the filter.
    pub fn listed_animations(&mut self, character: &Arc<Character>) -> Arc<[AnimationId]> {
        self.side.lists.animations(character, &self.side.filter)
    }

    /// Returns the rows of the list of skins.
    pub fn listed_skins(&mut self, character: &Arc<Character>, active: &[SkinId]) -> Arc<SkinLines> {
        let side = &mut self.side;
        side.lists.skins(character, &side.filter, &side.folded_skins, active)
    }

    /// Returns the number of slots that match the filter.
    pub fn listed_slot_count(&mut self, character: &Arc<Character>) -> usize {
        self.side.lists.slots.count(character, &self.side.filter)
    }

    /// Returns the slots that match the filter, front to back.
    pub fn listed_slots(&mut self, playback: &mut Playback) -> Arc<[SlotId]> {
        let Some(character) = playback.character().map(Arc::clone) else { return Arc::default() };
        playback.animator.refresh();
        let order = &playback.animator.pose().draw_order;
        self.side.lists.slots.listed(&character, &self.side.filter, order)
    }
}
