//! The motion of one bone, as a request to another thread.

use crate::base::memo::Shared;
use pchr::model::{AnimationId, BoneId, SkinId};
use pchr::{Animator, Character};

/// A bone in an animation and skins.
#[derive(Debug, Clone, PartialEq)]
pub struct BoneMotion {
    /// The character.
    pub character: Shared<Character>,
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
        let character = Shared::of(animator.character());
        Self { character, animation, skins: animator.skins().to_vec(), bone }
    }
}
