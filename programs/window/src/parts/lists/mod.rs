//! The rows of the lists in the side panel. They are computed when the character, the filter or what is
//! folded change, and kept while the character plays.

pub mod skins;
pub mod slots;

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::base::filter::Filter;
use crate::base::memo::{ByAddress, Cached};
use pchr::Character;
use pchr::draw::Hidden;
use pchr::model::{AnimationId, SkinId};

pub use skins::{SkinLine, SkinLines};
use slots::SlotLists;

/// A character and a filter.
type OfCharacter = (ByAddress<Character>, Filter);

/// The rows of the lists.
#[derive(Debug, Default)]
pub struct Lists {
    animations: Cached<OfCharacter, Arc<[AnimationId]>>,
    skins: Cached<(OfCharacter, ByAddress<BTreeSet<String>>), Arc<SkinLines>>,
    hidden: Cached<ByAddress<Hidden>, [usize; 2]>,
    /// The slots.
    pub slots: SlotLists,
}

impl Lists {
    /// Returns how often any of the lists was computed.
    #[cfg(test)]
    pub fn computed(&self) -> u64 {
        let Self { animations, skins, hidden, slots } = self;
        animations.computed() + skins.computed() + slots.computed() + hidden.computed()
    }

    /// Returns the animations that match a filter.
    pub fn animations(&mut self, character: &Arc<Character>, filter: &Filter) -> Arc<[AnimationId]> {
        let model = character.model();
        let matches = |id: &AnimationId| filter.matches(&model.animation(*id).name);
        let list = || model.animation_ids().filter(matches).collect();
        Arc::clone(self.animations.get((ByAddress::of(character), filter.clone()), list))
    }

    /// Returns the number of parts that were hidden, and of those that are shown alone.
    pub fn hidden(&mut self, hidden: &Arc<Hidden>) -> [usize; 2] {
        *self.hidden.get(ByAddress::of(hidden), || [hidden.hidden().count(), hidden.solo().count()])
    }

    /// Returns the rows of the skins that match a filter. Groups in `folded` are folded. The list opens at the first
    /// one of `active`.
    pub fn skins(
        &mut self,
        character: &Arc<Character>,
        filter: &Filter,
        folded: &Arc<BTreeSet<String>>,
        active: &[SkinId],
    ) -> Arc<SkinLines> {
        let key = ((ByAddress::of(character), filter.clone()), ByAddress::of(folded));
        Arc::clone(self.skins.get(key, || SkinLines::of(character, filter, folded, active).into()))
    }
}
