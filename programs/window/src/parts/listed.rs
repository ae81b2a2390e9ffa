//! What the lists of the side panel show.

use std::sync::Arc;

use super::Parts;
use super::lists::SkinLines;
use crate::playback::Playback;
use pchr::Character;
use pchr::model::{AnimationId, SkinId, SlotId};

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

    /// Returns the slots that match the filter, front to back; on demand, only those that show something. What the user
    /// has hidden stays, so that it can be shown again.
    pub fn listed_slots(&mut self, playback: &mut Playback) -> Arc<[SlotId]> {
        let Some(character) = playback.character().map(Arc::clone) else { return Arc::default() };
        playback.animator.refresh();
        let (pose, side) = (playback.animator.pose(), &mut self.side);
        let (all, model) = (!side.only_visible, character.model());
        let is_listed = |slot: &SlotId| {
            let state = &pose.slots[slot.index()];
            let shows = state.attachment.is_some() && state.tint.light[3] > 0.0;
            all || (shows && pose.is_slot_active(model, *slot))
        };
        let order = pose.draw_order.iter().copied().filter(is_listed);
        side.lists.slots.listed(&character, &side.filter, order)
    }
}
