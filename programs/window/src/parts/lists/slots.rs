//! The list of slots in draw order, front to back. Animations change the order; then the list is computed again.

use std::sync::Arc;

use super::OfCharacter;
use crate::base::filter::Filter;
use crate::base::memo::{ByAddress, Cached};
use pchr::Character;
use pchr::model::SlotId;

/// The slots that match the filter, and those in their order.
#[derive(Debug, Default)]
pub struct SlotLists {
    matching: Cached<OfCharacter, Matching>,
    ordered: u64,
}

/// The slots of a character that match a filter.
#[derive(Debug)]
struct Matching {
    /// Indexed by slot.
    matches: Vec<bool>,
    count: usize,
    /// The draw order, and the slots that match in the order of the list.
    order: Vec<SlotId>,
    listed: Arc<[SlotId]>,
}

impl Matching {
    /// The pictures of a sheet share a slot, which is not worth a list.
    fn of(character: &Character, filter: &Filter) -> Self {
        let model = character.model();
        let is_worth_a_list = !model.skins().is_empty() || model.slots().len() > 1;
        let slots = model.slots().iter();
        let matches: Vec<bool> = slots.map(|slot| is_worth_a_list && filter.matches(&slot.name)).collect();
        let count = matches.iter().filter(|matches| **matches).count();
        Self { matches, count, order: Vec::new(), listed: Arc::default() }
    }
}

impl SlotLists {
    /// Returns how often the list was computed.
    #[cfg(test)]
    pub fn computed(&self) -> u64 {
        self.matching.computed() + self.ordered
    }

    /// Returns the number of slots that match a filter.
    pub fn count(&mut self, character: &Arc<Character>, filter: &Filter) -> usize {
        self.matching(character, filter).count
    }

    /// Returns the slots of `order`, the draw order, that match a filter, front to back.
    pub fn listed(
        &mut self,
        character: &Arc<Character>,
        filter: &Filter,
        order: impl Iterator<Item = SlotId> + Clone,
    ) -> Arc<[SlotId]> {
        let matching = self.matching(character, filter);
        if !matching.order.iter().copied().eq(order.clone()) {
            matching.order.clear();
            matching.order.extend(order);
            let matches = |slot: &SlotId| matching.matches.get(slot.index()) == Some(&true);
            let listed: Arc<[SlotId]> = matching.order.iter().rev().copied().filter(matches).collect();
            matching.listed = Arc::clone(&listed);
            self.ordered += 1;
            return listed;
        }
        Arc::clone(&matching.listed)
    }

    fn matching(&mut self, character: &Arc<Character>, filter: &Filter) -> &mut Matching {
        self.matching.get((ByAddress::of(character), filter.clone()), || Matching::of(character, filter))
    }
}
