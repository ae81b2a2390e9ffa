//! The motion of one bone, as a request to another thread.

use std::sync::Arc;

use pchr::model::{AnimationId, BoneId, SkinId};
use pchr::{Animator, Character};

/// A bone in an animation and skins. Equal to another one of the same character.
#[derive(Debug, Clone)]
pub struct BoneMotion {
    /// The character.
    pub character: Arc<Character>,
    /// The animation.
    pub animation: AnimationId,
    /// The skins.
    pub skins: Vec<SkinId>,
    /// The bone.
    pub bone: BoneId,
}

impl BoneMotion {
    /// Returns a bone of the character of `animator`, in its skins.
    pub fn of(animator: &Animator, animation: AnimationId, bone: BoneId) -> Self {
        Self { character: Arc::clone(animator.character()), animation, skins: animator.skins().to_vec(), bone }
    }

    /// Returns true if [`Self::of`] would return the same.
    pub fn is_of(&self, animator: &Animator, animation: AnimationId, bone: BoneId) -> bool {
        let is_same = Arc::ptr_eq(&self.character, animator.character()) && self.skins == animator.skins();
        is_same && (self.animation, self.bone) == (animation, bone)
    }
}

impl PartialEq for BoneMotion {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.character, &other.character)
            && (self.animation, self.bone, &self.skins) == (other.animation, other.bone, &other.skins)
    }
}
