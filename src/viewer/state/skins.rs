//! The active skins: several at once, in an order.

use super::{FRAMES_A_LIMIT, State};
use crate::character::Character;
use crate::model::{AnimationId, Model, SkinId};
use crate::motion::sole_skin;
use crate::viewer::document::Document;

impl State {
    /// Activates a skin, or deactivates it if it is active. With `alone`, it becomes the only one.
    pub fn wear(&mut self, skin: SkinId, alone: bool) {
        let is_worn = self.animator.skins().contains(&skin);
        if alone {
            self.wear_only(vec![skin]);
        } else if is_worn {
            let others = self.animator.skins().iter().copied().filter(|&worn| worn != skin);
            self.wear_only(others.collect());
        } else if let Err(error) = self.animator.put_on(skin) {
            self.notify_error(error.to_string());
        }
    }

    /// Activates exactly these skins of the shown character.
    pub fn wear_only(&mut self, skins: Vec<SkinId>) {
        if let Err(error) = self.animator.set_skins(skins) {
            self.notify_error(error.to_string());
        }
    }

    /// Activates skins for a character for which the user has not chosen any. If one is activated because nothing
    /// is visible without it, a notice is shown.
    pub(super) fn wear_default_skins(&mut self, character: &Character, animation: Option<AnimationId>) {
        let sole = sole_skin(character);
        let work = self.read.limits.work / FRAMES_A_LIMIT;
        let loaded = self.documents.get_mut(self.current).and_then(Document::loaded_mut);
        let found = loaded.and_then(|loaded| loaded.opening_skin(animation, work));
        self.auto_skin = found.filter(|_| sole.is_none());
        self.wear_only(sole.or(self.auto_skin).into_iter().collect());
    }
}

/// Finds a skin by name, or by `#index`.
pub(super) fn find_skin(model: &Model, wanted: &str) -> Option<SkinId> {
    model.find_skin(wanted).or_else(|| {
        let index: usize = wanted.strip_prefix('#')?.parse().ok()?;
        model.skin_ids().nth(index)
    })
}
