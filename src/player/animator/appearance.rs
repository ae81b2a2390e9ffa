//! Appearance apart from animations: skins, moved bones, changed slots, physics; and replacing the character.

use std::sync::Arc;

use super::{Animator, Steps};
use crate::character::Character;
use crate::error::{Error, Result, escaped};
use crate::math::Vec2;
use crate::model::{AttachmentId, BoneId, Select, SkinId, SlotId, Tint, UnknownName};
use crate::motion::{BoneOverride, SlotOverride, default_skins, has_physics, ranks_skins};

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

    /// Returns the bones moved by the caller.
    pub fn overrides(&self) -> &[BoneOverride] {
        &self.overrides
    }

    /// Moves a bone after animations and before constraints, until [`Self::release_bone`]. Replaces an earlier
    /// override of the same bone.
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
    /// Fails if the character has no such bone.
    pub fn move_bone(&mut self, bone: impl Select<BoneId>, world_position: Vec2) -> Result<()> {
        let bone = bone.select(self.character.model())?;
        self.override_bone(BoneOverride::at(bone, world_position));
        Ok(())
    }

    /// Returns a bone to the animations. It has no effect if the caller has not moved it.
    ///
    /// # Errors
    ///
    /// Fails if the character has no such bone.
    pub fn release_bone(&mut self, bone: impl Select<BoneId>) -> Result<()> {
        let bone = bone.select(self.character.model())?;
        self.overrides.retain(|other| other.bone != bone);
        self.is_stale = true;
        Ok(())
    }

    /// Returns all bones to the animations.
    pub fn release_bones(&mut self) {
        self.overrides.clear();
        self.is_stale = true;
    }

    /// Returns the slots changed by the caller.
    pub fn slot_overrides(&self) -> &[SlotOverride] {
        &self.cue.slots
    }

    /// Changes a slot in every frame until [`Self::release_slot`], whatever animations show. What `change` leaves
    /// open stays as earlier calls for the same slot have set it.
    pub fn override_slot(&mut self, change: SlotOverride) {
        let slots = &mut self.cue.slots;
        let at = slots.iter().position(|other| other.slot == change.slot).unwrap_or_else(|| {
            slots.push(SlotOverride::new(change.slot));
            slots.len() - 1
        });
        let before = &mut slots[at];
        before.attachment = change.attachment.or(before.attachment);
        before.tint = change.tint.or(before.tint);
        self.is_stale = true;
    }

    /// Shows an attachment in a slot in every frame until [`Self::release_slot`], or nothing if `name` is `None`. The
    /// attachment comes from the active skins or, if none of them has it, from the first skin in the file that does.
    ///
    /// ```
    /// # let mut lamp = pchr::Animator::open("assets/paper-lamp.json")?;
    /// lamp.set_attachment("bulb", None)?;
    /// lamp.set_attachment("bulb", "shade".into()).expect_err("the shade belongs to another slot");
    /// lamp.release_slot("bulb")?;
    /// # Ok::<(), pchr::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the character has no such slot, or the slot no such attachment in any skin.
    pub fn set_attachment(&mut self, slot: impl Select<SlotId>, name: Option<&str>) -> Result<()> {
        let slot = slot.select(self.character.model())?;
        let attachment = name.map(|name| self.attachment(slot, name)).transpose()?;
        self.override_slot(SlotOverride { attachment: Some(attachment), ..SlotOverride::new(slot) });
        Ok(())
    }

    /// Finds an attachment of a slot by name.
    fn attachment(&self, slot: SlotId, name: &str) -> Result<AttachmentId> {
        let model = self.character.model();
        let default = default_skins(&self.character).iter().rev();
        let active = self.cue.skins.iter().rev().chain(default).map(|id| model.skin(*id));
        let mut entries = active.chain(model.skins()).flat_map(|skin| &skin.entries);
        let found = entries.find(|entry| entry.slot == slot && *entry.key == *name);
        let message = || {
            let [slot, name] = [&*model.slot(slot).name, name].map(escaped);
            Error::misuse(
                "no-such-attachment",
                format!("the slot `{slot}` has no attachment `{name}` in any skin"),
            )
        };
        found.map(|entry| entry.attachment).ok_or_else(message)
    }

    /// Tints a slot in every frame until [`Self::release_slot`].
    ///
    /// # Errors
    ///
    /// Fails if the character has no such slot.
    pub fn set_tint(&mut self, slot: impl Select<SlotId>, tint: Tint) -> Result<()> {
        let slot = slot.select(self.character.model())?;
        self.override_slot(SlotOverride::tinted(slot, tint));
        Ok(())
    }

    /// Returns a slot to the animations. It has no effect if the caller has not changed it.
    ///
    /// # Errors
    ///
    /// Fails if the character has no such slot.
    pub fn release_slot(&mut self, slot: impl Select<SlotId>) -> Result<()> {
        let slot = slot.select(self.character.model())?;
        self.cue.slots.retain(|other| other.slot != slot);
        self.is_stale = true;
        Ok(())
    }

    /// Returns all slots to the animations.
    pub fn release_slots(&mut self) {
        self.cue.slots.clear();
        self.is_stale = true;
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
            self.steps = shown.then(Steps::default);
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
        self.cue.slots.clear();
        self.tracks.replace_model(old, new);
        // Ids of the old model are in them.
        self.records.clear();
        self.steps = (self.physics && has_physics(&self.character)).then(Steps::default);
        self.jump();
        self.refresh();
    }
}
