//! What a character looks like beside its animations: skins, moved bones, physics; and replacing the character.

use std::sync::Arc;

use super::{Animator, Steps};
use crate::character::Character;
use crate::error::Result;
use crate::math::Vec2;
use crate::model::{BoneId, Select, SkinId, UnknownName};
use crate::motion::{BoneOverride, Dynamics, has_physics, ranks_skins};

impl Animator {
    /// The skins that are worn over the default one. A later one overrides an earlier one.
    pub fn skins(&self) -> &[SkinId] {
        &self.cue.skins
    }

    /// Wears these skins over the default one and no others. A later one overrides an earlier one; in formats that rank
    /// skins themselves, such as SkelForm, the order in the file decides.
    ///
    /// # Errors
    ///
    /// If the character lacks one of the skins. Nothing changes then.
    pub fn set_skins<S: Select<SkinId>>(&mut self, skins: impl IntoIterator<Item = S>) -> Result<()> {
        let model = self.character.model();
        let skins: Vec<SkinId> =
            skins.into_iter().map(|skin| skin.select(model)).collect::<Result<_, UnknownName>>()?;
        self.cue.skins = skins;
        self.is_stale = true;
        Ok(())
    }

    /// Puts a skin on over those that are worn; in formats that rank skins themselves, at its rank. A skin that is worn
    /// already moves there.
    ///
    /// # Errors
    ///
    /// If the character has no such skin.
    pub fn put_on(&mut self, skin: impl Select<SkinId>) -> Result<()> {
        let skin = skin.select(self.character.model())?;
        let worn = &mut self.cue.skins;
        worn.retain(|&other| other != skin);
        // The first of the file overrides the others, and so comes last.
        let is_ranked = ranks_skins(&self.character);
        let rank = worn.iter().position(|other| is_ranked && other.index() < skin.index());
        worn.insert(rank.unwrap_or(worn.len()), skin);
        self.is_stale = true;
        Ok(())
    }

    /// Takes a skin off. It has no effect if the skin is not worn.
    ///
    /// # Errors
    ///
    /// If the character has no such skin.
    pub fn take_off(&mut self, skin: impl Select<SkinId>) -> Result<()> {
        let skin = skin.select(self.character.model())?;
        self.cue.skins.retain(|&other| other != skin);
        self.is_stale = true;
        Ok(())
    }

    /// The bones that are moved by the caller.
    pub fn overrides(&self) -> &[BoneOverride] {
        &self.overrides
    }

    /// Moves a bone after animations and before constraints, until [`Self::release_bone`]. It replaces what was set for
    /// the same bone before.
    pub fn override_bone(&mut self, bone: BoneOverride) {
        match self.overrides.iter_mut().find(|other| other.bone == bone.bone) {
            Some(other) => *other = bone,
            None => self.overrides.push(bone),
        }
        self.is_stale = true;
    }

    /// Moves the origin of a bone to a position in world pixels until [`Self::release_bone`]: a target of inverse
    /// kinematics, for example.
    ///
    /// # Errors
    ///
    /// If the character has no such bone.
    pub fn move_bone(&mut self, bone: impl Select<BoneId>, world_position: Vec2) -> Result<()> {
        let bone = bone.select(self.character.model())?;
        self.override_bone(BoneOverride::at(bone, world_position));
        Ok(())
    }

    /// Leaves a bone to the animations again. It has no effect if the caller has not moved it.
    ///
    /// # Errors
    ///
    /// If the character has no such bone.
    pub fn release_bone(&mut self, bone: impl Select<BoneId>) -> Result<()> {
        let bone = bone.select(self.character.model())?;
        self.overrides.retain(|other| other.bone != bone);
        self.is_stale = true;
        Ok(())
    }

    /// Leaves all bones to the animations again.
    pub fn release_bones(&mut self) {
        self.overrides.clear();
        self.is_stale = true;
    }

    /// True if physics is shown: it is by default, if the character has it.
    pub fn shows_physics(&self) -> bool {
        self.steps.is_some()
    }

    /// Shows physics, if the character has it, or not.
    pub fn set_physics(&mut self, shown: bool) {
        self.physics = shown;
        let shown = shown && has_physics(&self.character);
        if shown != self.steps.is_some() {
            self.steps = shown.then(Steps::default);
            self.is_stale = true;
        }
    }

    /// Shows physics and smoothing as `dynamics` says.
    pub fn set_dynamics(&mut self, dynamics: Dynamics) {
        self.steps = Some(Steps::new(dynamics));
        self.is_stale = true;
    }

    /// Starts physics again from where it would be if what is shown had been played from its first frame.
    pub fn restart_physics(&mut self) {
        self.jump();
    }

    /// Replaces the character, for example with a newer version of its file. Speed, loop mode, fade and physics stay;
    /// skins and the animations of all tracks stay if the new character has them by the same name. Positions in
    /// animations stay, queues and moved bones are cleared.
    pub fn set_character(&mut self, character: impl Into<Arc<Character>>) {
        let before = std::mem::replace(&mut self.character, character.into());
        let (old, new) = (before.model(), self.character.model());
        let skins = self.cue.skins.iter().filter_map(|&skin| new.find_skin(&old.skin(skin).name));
        self.cue.skins = skins.collect();
        self.overrides.clear();
        self.tracks.replace_model(old, new);
        self.cue.layers.clear();
        self.cue.animation = None;
        self.steps = (self.physics && has_physics(&self.character)).then(Steps::default);
        self.is_stale = true;
    }
}
