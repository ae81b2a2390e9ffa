//! Which skins are worn: several at once, in an order.

use super::State;
use crate::model::{Model, SkinId};
use crate::motion::ranks_skins;

impl State {
    /// Puts a skin on, or takes it off where it is worn: over the others, or at the place that the file gives it among
    /// them. With `alone` it is the only one.
    pub fn wear(&mut self, skin: SkinId, alone: bool) {
        let is_worn = self.skins.contains(&skin);
        if alone {
            self.skins.clear();
        }
        self.skins.retain(|worn| *worn != skin);
        if alone || !is_worn {
            let is_ranked = self.loaded().is_some_and(|loaded| ranks_skins(&loaded.character));
            // The first of the file goes before the others, and so comes last.
            let rank = self.skins.iter().position(|worn| is_ranked && worn.index() < skin.index());
            self.skins.insert(rank.unwrap_or(self.skins.len()), skin);
        }
    }
}

/// By name, or by place in the list as `#index`.
pub(super) fn find_skin(model: &Model, wanted: &str) -> Option<SkinId> {
    model.find_skin(wanted).or_else(|| {
        let index: usize = wanted.strip_prefix('#')?.parse().ok()?;
        model.skin_ids().nth(index)
    })
}
