//! The bones and their hierarchy.

use super::Id;
use crate::math::Affine2;

/// A tree of bones, parents before children.
#[derive(Debug, Clone, Default)]
pub struct Skeleton {
    pub(super) bones: Vec<Bone>,
    pub(super) helpers: usize,
    /// See [`Self::is_bound_in_bones`]. Set when the model is built.
    pub(super) is_bound_in_bones: bool,
}

impl Skeleton {
    /// Returns the bones, parents before children, followed by the helpers. A pose has a matrix for each.
    pub fn bones(&self) -> &[Bone] {
        &self.bones
    }

    /// Returns the authored bones, without helpers.
    ///
    /// A helper moves vertices in a way that no authored bone does, and serves no other purpose. It has no name
    /// and is a child of the bone that it helps.
    pub fn authored_bones(&self) -> &[Bone] {
        &self.bones[..self.bones.len() - self.helpers]
    }

    /// Returns the authored bone that `bone` is or helps. `None` if there is no such bone.
    pub(crate) fn authored_bone(&self, bone: BoneId) -> Option<BoneId> {
        let count = self.authored_bones().len();
        let mut bone = bone;
        while bone.index() >= count {
            bone = self.bones.get(bone.index())?.parent?;
        }
        Some(bone)
    }

    /// Returns true if `bone_from_bind` of every bone is the identity: vertices are stored in the spaces of their bones.
    pub(crate) fn is_bound_in_bones(&self) -> bool {
        self.is_bound_in_bones
    }

    /// Returns the ids of all bones, in the order of [`Self::bones`].
    pub fn bone_ids(&self) -> impl ExactSizeIterator<Item = BoneId> + use<> {
        (0..self.bones.len()).map(BoneId::new)
    }

    /// Returns the first bone with the given name.
    pub fn find(&self, name: &str) -> Option<BoneId> {
        self.authored_bones().iter().position(|bone| &*bone.name == name).map(BoneId::new)
    }
}

/// Id of a bone.
pub type BoneId = Id<Bone>;

/// One bone.
#[derive(Debug, Clone, Default)]
pub struct Bone {
    /// The name in the file.
    pub name: Box<str>,
    /// The parent, always an earlier bone; `None` for a root.
    pub parent: Option<BoneId>,
    /// Transform from the world space in which the vertices were authored to bone space: the inverse of the bind
    /// pose. `None` if the bind pose is not invertible; the bone then moves no vertices. The identity if positions
    /// are stored in bone space.
    pub bone_from_bind: Option<Affine2>,
    /// How the editor shows the bone. It does not affect the picture.
    pub marker: Marker,
}

/// How an editor shows a bone, if the file says so.
#[derive(Debug, Clone, Default)]
pub struct Marker {
    /// Red, green, blue and alpha, straight.
    pub color: Option<[u8; 4]>,
    /// The name of an icon.
    pub icon: Option<Box<str>>,
    /// Hidden in the editor.
    pub is_hidden: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ModelBuilder;

    #[test]
    fn a_helper_stands_for_the_bone_that_it_helps() {
        let mut builder = ModelBuilder::default();
        let arm = builder.bone(Bone { name: "arm".into(), ..Bone::default() }).unwrap();
        let helper = builder.helper(arm).unwrap();
        let skeleton = builder.build();
        let skeleton = skeleton.skeleton();
        assert_eq!([helper, arm].map(|bone| skeleton.authored_bone(bone)), [Some(arm); 2]);
    }
}
