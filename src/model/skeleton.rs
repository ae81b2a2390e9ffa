//! The bones and how they hang together.

use super::BoneId;
use crate::math::Affine2;

/// A tree of bones, parents before children.
#[derive(Debug, Clone, Default)]
pub struct Skeleton {
    pub(super) bones: Vec<Bone>,
    pub(super) helpers: usize,
}

impl Skeleton {
    /// The bones, parents before children; after them the helpers. A pose has a matrix for each.
    pub fn bones(&self) -> &[Bone] {
        &self.bones
    }

    /// The bones that the author has made, without helpers.
    ///
    /// A helper only moves vertices, where no bone moves them just so. It has no name, and hangs on the bone that it
    /// helps.
    pub fn authored_bones(&self) -> &[Bone] {
        &self.bones[..self.bones.len() - self.helpers]
    }

    /// Every bone's id, in the order of [`Self::bones`].
    pub fn bone_ids(&self) -> impl ExactSizeIterator<Item = BoneId> + use<> {
        (0..self.bones.len()).map(BoneId::new)
    }

    /// The first bone of that name.
    pub fn find(&self, name: &str) -> Option<BoneId> {
        self.authored_bones().iter().position(|bone| &*bone.name == name).map(BoneId::new)
    }
}

/// One bone.
#[derive(Debug, Clone)]
pub struct Bone {
    /// The name in the file.
    pub name: Box<str>,
    /// `None` for a root. Always an earlier bone.
    pub parent: Option<BoneId>,
    /// From the world space in which the vertices were authored to the bone's own:
    /// the inverse of the bind pose. `None` where that has no inverse: the bone moves no vertex.
    /// The identity where positions are stored in the bone's own space.
    pub bone_from_bind: Option<Affine2>,
}
