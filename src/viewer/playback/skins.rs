//! The active skins: several at once, in an order.

use crate::Character;
use crate::export::choose::other_skins;
use crate::model::{Model, SkinId};
use crate::motion::initial_skins;
use crate::viewer::app::state::State;

impl State {
    /// Activates a skin, or deactivates it if it is active. With `alone`, it becomes the only one.
    pub fn wear(&mut self, skin: SkinId, alone: bool) {
        let is_worn = self.animator.skins().contains(&skin);
        if alone {
            self.wear_only(vec![skin]);
        } else if is_worn {
            let others = self.animator.skins().iter().copied().filter(|&worn| worn != skin);
            self.wear_only(others.collect());
        } else if let Err(error) = self.animator.add_skin(skin) {
            self.notify_error(error.to_string());
        }
    }

    /// Activates exactly these skins of the shown character.
    pub fn wear_only(&mut self, skins: Vec<SkinId>) {
        if let Err(error) = self.animator.set_skins(skins) {
            self.notify_error(error.to_string());
        }
    }

    /// Activates the skins that a character needs, if the user has not chosen any, and shows a notice if it has others.
    pub fn wear_initial_skins(&mut self, character: &Character) {
        let skins = initial_skins(character);
        self.wear_only(skins.clone());
        self.auto_skins = if other_skins(character, &skins) > 0 { skins } else { Vec::new() };
    }
}

/// Finds a skin by name, or by `#index`.
pub fn find_skin(model: &Model, wanted: &str) -> Option<SkinId> {
    model.find_skin(wanted).or_else(|| {
        let index: usize = wanted.strip_prefix('#')?.parse().ok()?;
        model.skin_ids().nth(index)
    })
}
