//! The active skins: several at once, in an order.

use super::Playback;
use pchr::export::NO_SKIN;
use pchr::export::choose::other_skins;
use pchr::model::{Model, SkinId};
use pchr::motion::initial_skins;
use pchr::{Character, Result};

impl Playback {
    /// Activates a skin, or deactivates it if it is active. With `alone`, it becomes the only one.
    pub fn toggle_skin(&mut self, skin: SkinId, alone: bool) -> Result<()> {
        let active = self.animator.skins();
        if alone {
            self.animator.set_skins(vec![skin])
        } else if active.contains(&skin) {
            let others: Vec<SkinId> = active.iter().copied().filter(|&other| other != skin).collect();
            self.animator.set_skins(others)
        } else {
            self.animator.add_skin(skin)
        }
    }

    /// Activates the skins that a character needs, if the user has not chosen any, and shows a notice if it has others.
    pub fn add_initial_skins(&mut self, character: &Character) -> Result<()> {
        let skins = initial_skins(character);
        self.auto_skins = if other_skins(character, &skins) > 0 { skins.clone() } else { Vec::new() };
        self.animator.set_skins(skins)
    }

    /// Activates the skins of these names, as far as `character` has them. If its file was saved without any of them, it
    /// gets those that it needs.
    pub fn put_on_again(&mut self, names: &[String], character: &Character) -> Result<()> {
        let known: Vec<SkinId> = names.iter().filter_map(|name| find_skin(character.model(), name)).collect();
        if known.is_empty() && names.iter().any(|name| name != NO_SKIN) {
            self.add_initial_skins(character)
        } else {
            self.animator.set_skins(known)
        }
    }
}

/// Finds a skin by name, or by `#index`.
pub fn find_skin(model: &Model, wanted: &str) -> Option<SkinId> {
    model.find_skin(wanted).or_else(|| {
        let index: usize = wanted.strip_prefix('#')?.parse().ok()?;
        model.skin_ids().nth(index)
    })
}
