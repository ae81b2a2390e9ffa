//! Buffers for the pose and the skinning matrices of what is painted over the character, kept from frame to frame.

use std::sync::Arc;

use super::placing::Placing;
use crate::base::memo::{ByAddress, Cached};
use pchr::Character;
use pchr::draw::Hidden;
use pchr::model::{BoneId, Model};
use pchr::pose::{Pose, SkinMatrix, palette};

/// A pose with its skinning matrices.
#[derive(Debug, Clone, Copy)]
pub struct Skinned<'a> {
    /// The model.
    pub model: &'a Model,
    /// The pose.
    pub pose: &'a Pose,
    /// Its skinning matrices.
    pub matrices: &'a [SkinMatrix],
}

/// The buffers.
#[derive(Debug, Default)]
pub struct SkinnedBuffers {
    visible: Pose,
    matrices: Vec<SkinMatrix>,
    first_children: Cached<ByAddress<Character>, Arc<[Option<BoneId>]>>,
}

impl SkinnedBuffers {
    /// Returns a pose without what is hidden, on the stage.
    pub fn skin<'a>(
        &'a mut self,
        model: &'a Model,
        mut pose: &'a Pose,
        hidden: &Hidden,
        placing: &Placing,
    ) -> Skinned<'a> {
        if !hidden.is_empty() || !placing.is_plain() {
            self.visible.clone_from(pose);
            hidden.apply(model, &mut self.visible);
            placing.apply(&mut self.visible);
            pose = &self.visible;
        }
        palette(model, pose, &mut self.matrices);
        Skinned { model, pose, matrices: &self.matrices }
    }

    /// Returns the first child of each authored bone.
    pub fn first_children(&mut self, character: &Arc<Character>) -> Arc<[Option<BoneId>]> {
        let list = || {
            let skeleton = character.model().skeleton();
            let mut children = vec![None; skeleton.authored_bones().len()];
            for (id, bone) in skeleton.bone_ids().zip(skeleton.authored_bones()) {
                if let Some(child) = bone.parent.and_then(|parent| children.get_mut(parent.index())) {
                    child.get_or_insert(id);
                }
            }
            children.into()
        };
        Arc::clone(self.first_children.get(ByAddress::of(character), list))
    }
}
