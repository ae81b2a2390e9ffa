//! Bones after everything else, for code that moves them before they are drawn.

use crate::error::Result;
use crate::math::Affine2;
use crate::model::{BoneId, Model, Select};

/// The bones of a pose after animations, constraints and physics, in world pixels.
#[derive(Debug)]
pub struct PlacedBones<'a> {
    model: &'a Model,
    world_from_bone: &'a mut [Affine2],
    /// Working memory: the bones that follow.
    follows: &'a mut Vec<bool>,
}

impl<'a> PlacedBones<'a> {
    pub(super) fn new(model: &'a Model, world_from_bone: &'a mut [Affine2], follows: &'a mut Vec<bool>) -> Self {
        Self { model, world_from_bone, follows }
    }

    /// Returns where a bone is, `world_from_bone`.
    ///
    /// # Errors
    ///
    /// Fails if the character has no such bone.
    pub fn get(&self, bone: impl Select<BoneId>) -> Result<Affine2> {
        Ok(self.world_from_bone[bone.select(self.model)?.index()])
    }

    /// Places a bone; a matrix that is not finite is ignored. Its descendants follow, unless the bone was flat: then they
    /// stay.
    ///
    /// # Errors
    ///
    /// Fails if the character has no such bone.
    pub fn set(&mut self, bone: impl Select<BoneId>, world_from_bone: Affine2) -> Result<()> {
        let bone = bone.select(self.model)?.index();
        if !world_from_bone.is_finite() {
            return Ok(());
        }
        let before = std::mem::replace(&mut self.world_from_bone[bone], world_from_bone);
        if before.matrix2.determinant() == 0.0 {
            return Ok(());
        }
        let by = world_from_bone * before.inverse();
        self.follows.clear();
        self.follows.resize(self.world_from_bone.len(), false);
        self.follows[bone] = true;
        // Parents come before their children.
        for (below, data) in self.model.skeleton().bones().iter().enumerate().skip(bone + 1) {
            if data.parent.is_some_and(|parent| self.follows[parent.index()]) {
                self.follows[below] = true;
                self.world_from_bone[below] = by * self.world_from_bone[below];
            }
        }
        Ok(())
    }

    /// Moves, turns and scales a bone in its own space. Its descendants follow.
    ///
    /// # Errors
    ///
    /// Fails if the character has no such bone.
    pub fn shift(&mut self, bone: impl Select<BoneId>, by: Affine2) -> Result<()> {
        let bone = bone.select(self.model)?;
        self.set(bone, self.world_from_bone[bone.index()] * by)
    }
}
