//! What the caller changes beside animations: bones, slots and constraints.

use std::sync::Arc;

use super::Animator;
use crate::error::{Error, Result, escaped};
use crate::math::{Affine2, Vec2};
use crate::model::{
    AtlasPage, AttachmentId, BoneId, ConstraintId, ConstraintKind, ConstraintTarget, Select, SlotId, Tint,
};
use crate::motion::{BoneOverride, ConstraintOverride, SlotOverride, default_skins, settings_of};

impl Animator {
    /// Returns the bones moved by the caller.
    pub fn bone_overrides(&self) -> &[BoneOverride] {
        &self.overrides.bones
    }

    /// Moves a bone for as long as its [`Lifetime`](crate::motion::Lifetime) says. Replaces an earlier override of the
    /// same bone and lifetime. Positions and transforms in the world take [`Self::placement`] into account.
    ///
    /// ```
    /// # use pchr::{math::{Affine2, vec2}, motion::{BoneOverride, Lifetime}};
    /// # let mut lamp = pchr::Animator::open("assets/paper-lamp.json")?;
    /// let head = lamp.model().skeleton().find("head").expect("the lamp has a head");
    /// // From a physics engine, in every frame, after constraints:
    /// let body = Affine2::from_angle_translation(0.5, vec2(20.0, 60.0));
    /// lamp.override_bone(BoneOverride { lifetime: Lifetime::ThisFrame, ..BoneOverride::placed(head, body) });
    /// lamp.update(1.0 / 60.0);
    /// assert_eq!(lamp.bone("head")?, body);
    /// # Ok::<(), pchr::Error>(())
    /// ```
    pub fn override_bone(&mut self, bone: BoneOverride) {
        self.overrides.put_bone(bone);
        self.is_stale = true;
    }

    /// Moves the origin of a bone to a position in world pixels until [`Self::release_bone`]: a target of inverse
    /// kinematics, for example. If nothing follows it, see [`Self::hints`].
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
        self.overrides.bones.retain(|other| other.bone != bone);
        self.is_stale = true;
        Ok(())
    }

    /// Returns all bones to the animations.
    pub fn release_bones(&mut self) {
        self.overrides.bones.clear();
        self.is_stale = true;
    }

    /// Returns the slots changed by the caller.
    pub fn slot_overrides(&self) -> &[SlotOverride] {
        &self.overrides.slots
    }

    /// Changes a slot for as long as its [`Lifetime`](crate::motion::Lifetime) says. What `change` leaves open stays as
    /// earlier calls for the same slot and lifetime have set it.
    ///
    /// ```
    /// # use pchr::{model::Tint, motion::{Lifetime, SlotOverride}};
    /// # let mut lamp = pchr::Animator::open("assets/paper-lamp.json")?;
    /// let bulb = lamp.model().find_slot("bulb").expect("the lamp has a bulb");
    /// let flash = Tint { light: [1.0; 4], dark: Some([0.8; 3]) };
    /// lamp.override_slot(SlotOverride { lifetime: Lifetime::ThisFrame, ..SlotOverride::tinted(bulb, flash) });
    /// lamp.update(1.0 / 60.0);
    /// assert_eq!(lamp.pose().slots[bulb.index()].tint, flash);
    /// # Ok::<(), pchr::Error>(())
    /// ```
    pub fn override_slot(&mut self, change: SlotOverride) {
        self.overrides.put_slot(change);
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

    /// Finds an attachment of a slot by name: in the active skins or, if none of them has it, in the first skin in the
    /// file that does.
    ///
    /// # Errors
    ///
    /// Fails if the character has no such slot, or the slot no such attachment in any skin.
    pub fn attachment(&self, slot: impl Select<SlotId>, name: &str) -> Result<AttachmentId> {
        let slot = slot.select(self.model())?;
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

    /// Returns the constraints changed by the caller.
    pub fn constraint_overrides(&self) -> &[ConstraintOverride] {
        &self.overrides.constraints
    }

    /// Changes a constraint for as long as its [`Lifetime`](crate::motion::Lifetime) says. What `change` leaves open stays
    /// as earlier calls for the same constraint and lifetime have set it.
    pub fn override_constraint(&mut self, change: ConstraintOverride) {
        self.overrides.put_constraint(change);
        self.is_stale = true;
    }

    /// Sets a setting of a constraint in every frame until [`Self::release_constraint`], by the names and in the units of
    /// [`constraint_settings`](crate::motion::constraint_settings).
    ///
    /// ```
    /// # let mut lamp = pchr::Animator::open("assets/paper-lamp.json")?;
    /// lamp.set_constraint("look", "mix", 0.5)?; // halfway to the mouse
    /// lamp.set_constraint_target("look", "hold")?; // and to something else
    /// lamp.set_constraint("look", "mixx", 0.0).expect_err("inverse kinematics has a mix and a softness");
    /// lamp.release_constraint("look")?;
    /// # Ok::<(), pchr::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the character has no such constraint, or the constraint no such setting.
    pub fn set_constraint(
        &mut self,
        constraint: impl Select<ConstraintId>,
        setting: &str,
        value: f32,
    ) -> Result<()> {
        let model = self.character.model();
        let id = constraint.select(model)?;
        let settings = settings_of(&self.character, id);
        let Some(set) = settings.iter().find(|known| known.name == setting) else {
            let [constraint, setting] = [&*model.constraint(id).name, setting].map(escaped);
            let names: Vec<&str> = settings.iter().map(|setting| setting.name).collect();
            let message = match names.join("`, `") {
                none if none.is_empty() => {
                    format!("the constraint `{constraint}` has no settings that can be changed")
                }
                names => format!("the constraint `{constraint}` has no setting `{setting}`; available: `{names}`"),
            };
            return Err(Error::misuse("no-such-setting", message));
        };
        let mut change = ConstraintOverride::new(id);
        *(set.of)(&mut change.settings) = Some(value);
        self.override_constraint(change);
        Ok(())
    }

    /// Lets inverse kinematics or a transform constraint follow another bone in every frame until
    /// [`Self::release_constraint`]. Others have no bone to follow, and stay.
    ///
    /// # Errors
    ///
    /// Fails if the character has no such constraint or bone.
    pub fn set_constraint_target(
        &mut self,
        constraint: impl Select<ConstraintId>,
        bone: impl Select<BoneId>,
    ) -> Result<()> {
        let target = Some(bone.select(self.character.model())?);
        let constraint = constraint.select(self.character.model())?;
        self.override_constraint(ConstraintOverride { target, ..ConstraintOverride::new(constraint) });
        Ok(())
    }

    /// Returns a constraint to the animations. It has no effect if the caller has not changed it.
    ///
    /// # Errors
    ///
    /// Fails if the character has no such constraint.
    pub fn release_constraint(&mut self, constraint: impl Select<ConstraintId>) -> Result<()> {
        let constraint = constraint.select(self.character.model())?;
        self.overrides.constraints.retain(|other| other.constraint != constraint);
        self.is_stale = true;
        Ok(())
    }

    /// Returns hints for the log of a debug build: IK constraints that do not follow a bone moved in the last pose, because
    /// their mix is 0.
    ///
    /// ```
    /// # let mut lamp = pchr::Animator::open("assets/paper-lamp.json")?;
    /// lamp.set_constraint("look", "mix", 0.0)?;
    /// lamp.move_bone("mouse", pchr::math::vec2(100.0, 150.0))?;
    /// lamp.update(1.0 / 60.0);
    /// let expected = "the IK constraint `look` does not follow the moved bone `mouse`: its mix is 0";
    /// assert_eq!(lamp.hints(), [expected]);
    /// # Ok::<(), pchr::Error>(())
    /// ```
    pub fn hints(&self) -> Vec<String> {
        let (model, cue) = (self.model(), &self.cue);
        let animated = |id| match &self.steps {
            Some(steps) => steps.dynamics.ik_mix(id),
            None => self.evaluator.ik_mix(id),
        };
        let mut hints = Vec::new();
        for (id, constraint) in model.constraint_ids().zip(model.constraints()) {
            let changes = || cue.constraints.iter().rev().filter(|put| put.constraint == id);
            let own = match constraint.target {
                Some(ConstraintTarget::Bone(bone)) if constraint.kind == ConstraintKind::Ik => bone,
                _ => continue,
            };
            let target = changes().find_map(|put| put.target).unwrap_or(own);
            let set = changes().find_map(|put| put.settings.mix.filter(|mix| mix.is_finite()));
            let Some(animated) = animated(id) else { continue };
            let is_off = set.map_or(animated, f64::from) == 0.0;
            if is_off && cue.bones.iter().any(|put| put.bone == target && put.position.is_some()) {
                let Some(bone) = model.skeleton().bones().get(target.index()) else { continue };
                let [bone, constraint] = [&bone.name, &constraint.name].map(|name| escaped(name));
                hints.push(format!(
                    "the IK constraint `{constraint}` does not follow the moved bone `{bone}`: its mix is 0"
                ));
            }
        }
        hints
    }

    /// Returns all constraints to the animations.
    pub fn release_constraints(&mut self) {
        self.overrides.constraints.clear();
        self.is_stale = true;
    }

    /// Adds a picture to the character, as an attachment of a slot: its centre, y up, is moved into the space of the slot's
    /// bone by `bone_from_picture`. The slot does not show it yet.
    ///
    /// Playback goes on, and all ids stay valid. But the character becomes a new one, which other animators do not have,
    /// and renderers of the old one have to be made again. It takes as long as copying the model without its pixels.
    ///
    /// ```
    /// # use pchr::{math::{Affine2, vec2}, model::{AlphaSource, AtlasPage}};
    /// # let mut lamp = pchr::Animator::open("assets/paper-lamp.json")?;
    /// let pixels = [255, 0, 0, 255].repeat(4 * 4).into();
    /// let (name, alpha_source) = ("sticker".into(), AlphaSource::Stated);
    /// let page = AtlasPage { name, width: 4, height: 4, pixels, is_premultiplied: false, alpha_source };
    /// lamp.add_picture("bulb", "sticker", page, Affine2::from_translation(vec2(10.0, 0.0)))?;
    /// lamp.set_attachment("bulb", Some("sticker"))?;
    /// # Ok::<(), pchr::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the character has no such slot, the slot has an attachment of this name or no bone that moves it, or the
    /// number of pixels is wrong.
    pub fn add_picture(
        &mut self,
        slot: impl Select<SlotId>,
        name: &str,
        page: AtlasPage,
        bone_from_picture: Affine2,
    ) -> Result<AttachmentId> {
        let slot = slot.select(self.character.model())?;
        Arc::make_mut(&mut self.character).model_mut().add_picture(slot, name, page, bone_from_picture)
    }

    /// Returns a slot to the animations. It has no effect if the caller has not changed it.
    ///
    /// # Errors
    ///
    /// Fails if the character has no such slot.
    pub fn release_slot(&mut self, slot: impl Select<SlotId>) -> Result<()> {
        let slot = slot.select(self.character.model())?;
        self.overrides.slots.retain(|other| other.slot != slot);
        self.is_stale = true;
        Ok(())
    }

    /// Returns all slots to the animations.
    pub fn release_slots(&mut self) {
        self.overrides.slots.clear();
        self.is_stale = true;
    }
}
