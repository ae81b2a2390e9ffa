//! The skins in which a character is opened.

use std::cmp::Reverse;
use std::collections::HashSet;

use super::Rig;
use crate::model::{Model, SkinId};

impl Rig {
    /// Returns the skins without which most slots would be empty at rest, first the one that is overridden by the others.
    /// See [`initial_skins`](crate::motion::initial_skins).
    pub(in crate::motion) fn initial_skins(&self, model: &Model) -> Vec<SkinId> {
        let mut missing = self.missing_keys();
        let count = missing.iter().filter(|is_missing| **is_missing).count();
        let filled_by = |skin: SkinId, missing: &[bool]| {
            self.skins[skin.index()].entries.iter().filter(|(key, _)| missing[*key as usize]).count()
        };
        let fullest = model.skin_ids().max_by_key(|&skin| (filled_by(skin, &missing), Reverse(skin.index())));
        let Some(fullest) = fullest.filter(|_| count > 0) else { return Vec::new() };
        let others: Vec<SkinId> = match filled_by(fullest, &missing) * 2 < count {
            true => model.skin_ids().filter(|skin| *skin != fullest).collect(),
            false => Vec::new(),
        };
        let (mut worn, mut folders) = (Vec::new(), HashSet::new());
        for skin in [fullest].into_iter().chain(others) {
            let folder = model.skin(skin).name.rsplit_once('/').map(|(folder, _)| folder);
            if filled_by(skin, &missing) == 0 || folder.is_some_and(|folder| !folders.insert(folder)) {
                continue;
            }
            self.skins[skin.index()].entries.iter().for_each(|(key, _)| missing[*key as usize] = false);
            worn.push(skin);
        }
        // Later skins override earlier ones.
        worn.reverse();
        worn
    }

    /// Returns for each attachment name whether a slot that names it at rest finds it, but not in the default skin; for
    /// none if that is the case for at most half of these slots. If no slot names any and the default skin is empty, all
    /// names are missing.
    fn missing_keys(&self) -> Vec<bool> {
        let mut in_default = vec![false; self.key_count];
        let mut in_others = vec![false; self.key_count];
        for (id, skin) in self.skins.iter().enumerate() {
            let is_default = self.default_skin.is_some_and(|default| default.index() == id);
            let found = if is_default { &mut in_default } else { &mut in_others };
            skin.entries.iter().for_each(|(key, _)| found[*key as usize] = true);
        }
        let mut named = self.slots.iter().filter_map(|slot| slot.key).map(|key| key as usize).peekable();
        if named.peek().is_none() {
            return if in_default.contains(&true) { vec![false; self.key_count] } else { in_others };
        }
        let (mut missing, mut surplus) = (vec![false; self.key_count], 0i64);
        for key in named {
            missing[key] = in_others[key] && !in_default[key];
            surplus += i64::from(missing[key]) - i64::from(in_default[key]);
        }
        if surplus <= 0 {
            missing.fill(false);
        }
        missing
    }
}
