//! Skins, physics, and replacing the character.

use std::sync::Arc;

use super::Animator;
use crate::character::Character;
use crate::error::Result;
use crate::model::{Select, SkinId, UnknownName};
use crate::motion::{has_physics, ranks_skins};

impl Animator {
    /// Returns the active skins in addition to the default one. Later ones override earlier ones.
    pub fn skins(&self) -> &[SkinId] {
        &self.cue.skins
    }

    /// Removes all skins but the default one.
    pub fn clear_skins(&mut self) {
        self.cue.skins.clear();
        self.is_stale = true;
    }

    /// Sets the active skins in addition to the default one. Later ones override earlier ones; in formats that
    /// rank skins themselves, such as SkelForm, the order in the file decides.
    ///
    /// # Errors
    ///
    /// Fails if the character lacks one of the skins. Nothing changes then.
    pub fn set_skins<S: Select<SkinId>>(&mut self, skins: impl IntoIterator<Item = S>) -> Result<()> {
        let model = self.character.model();
        let skins: Vec<SkinId> =
            skins.into_iter().map(|skin| skin.select(model)).collect::<Result<_, UnknownName>>()?;
        self.cue.skins = skins;
        self.is_stale = true;
        Ok(())
    }

    /// Activates a skin above the active ones; in formats that rank skins themselves, at its rank. A skin that is
    /// already active moves there.
    ///
    /// # Errors
    ///
    /// Fails if the character has no such skin.
    pub fn add_skin(&mut self, skin: impl Select<SkinId>) -> Result<()> {
        let skin = skin.select(self.character.model())?;
        let worn = &mut self.cue.skins;
        worn.retain(|&other| other != skin);
        // The first skin of the file overrides the others, and so comes last.
        let is_ranked = ranks_skins(&self.character);
        let rank = worn.iter().position(|other| is_ranked && other.index() < skin.index());
        worn.insert(rank.unwrap_or(worn.len()), skin);
        self.is_stale = true;
        Ok(())
    }

    /// Deactivates a skin. It has no effect if the skin is not active.
    ///
    /// # Errors
    ///
    /// Fails if the character has no such skin.
    pub fn remove_skin(&mut self, skin: impl Select<SkinId>) -> Result<()> {
        let skin = skin.select(self.character.model())?;
        self.cue.skins.retain(|&other| other != skin);
        self.is_stale = true;
        Ok(())
    }

    /// Returns true if physics is applied. It is by default, if the character has it.
    pub fn shows_physics(&self) -> bool {
        self.steps.is_some()
    }

    /// Enables or disables physics. It has no effect if the character has none.
    pub fn set_physics(&mut self, shown: bool) {
        self.physics = shown;
        let shown = shown && has_physics(&self.character);
        if shown != self.steps.is_some() {
            self.steps = shown.then(Box::default);
            // Either way of evaluation keeps its own state.
            self.jump();
        }
    }

    /// Restarts physics from the state that it would have if the current cue had been played from its first frame.
    pub fn restart_physics(&mut self) {
        self.jump();
    }

    /// Replaces the character, for example with a newer version of its file. Speed, loop mode, fade and physics
    /// stay. Skins and the animations of all tracks stay if the new character has them by the same names,
    /// including their positions. Queues, moved bones, changed slots and unread events are cleared.
    pub fn set_character(&mut self, character: impl Into<Arc<Character>>) {
        let before = std::mem::replace(&mut self.character, character.into());
        let (old, new) = (before.model(), self.character.model());
        let skins = self.cue.skins.iter().filter_map(|&skin| new.find_skin(&old.skin(skin).name));
        self.cue.skins = skins.collect();
        self.overrides.clear();
        self.root_motion = None;
        self.tracks.replace_model(old, new);
        // Ids of the old model are in them.
        self.records.clear();
        self.steps = (self.physics && has_physics(&self.character)).then(Box::default);
        self.jump();
        self.refresh();
    }
}
