//! Bones after everything else, for code that moves them before they are drawn.

use crate::error::Result;
use crate::math::Affine2;
use crate::model::{BoneId, Model, Select};

/// The bones of a pose after animations, constraints and physics, in world pixels.
#[derive(Debug)]
pub struct PlacedBones<'a> {
    model: &'a Model,
    world_from_bone: &'a mut [Affine2],
}

impl<'a> PlacedBones<'a> {
    pub(super) fn new(model: &'a Model, world_from_bone: &'a mut [Affine2]) -> Self {
        Self { model, world_from_bone }
    }

    /// Returns where a bone is, `world_from_bone`.
    ///
    /// # Errors
    ///
    /// Fails if the character has no such bone.
    pub fn get(&self, bone: impl Select<BoneId>) -> Result<Affine2> {
        Ok(self.world_from_bone[bone.select(self.model)?.index()])
    }

    /// Places a bone. Its descendants follow, unless the bone was flat: then they stay.
    ///
    /// # Errors
    ///
    /// Fails if the character has no such bone.
    pub fn set(&mut self, bone: impl Select<BoneId>, world_from_bone: Affine2) -> Result<()> {
        let bone = bone.select(self.model)?.index();
        let before = std::mem::replace(&mut self.world_from_bone[bone], world_from_bone);
        if before.matrix2.determinant() == 0.0 {
            return Ok(());
        }
        let by = world_from_bone * before.inverse();
        for below in bone + 1..self.world_from_bone.len() {
            if self.hangs(below, bone) {
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

    /// Returns true if `ancestor` is above a later bone. Parents come before their children.
    fn hangs(&self, bone: usize, ancestor: usize) -> bool {
        let parent = |bone: usize| self.model.skeleton().bones()[bone].parent.map(|parent| parent.index());
        let mut above = parent(bone);
        while let Some(next) = above.filter(|&next| next > ancestor) {
            above = parent(next);
        }
        above == Some(ancestor)
    }
}
