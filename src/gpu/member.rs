//! What is drawn: a character in its pose and place.

use crate::draw::DrawList;
use crate::math::Affine2;

/// One character of a crowd: the same model, in its own pose and place.
#[derive(Debug, Clone, Copy)]
pub struct Member<'a> {
    /// The draw list of its pose.
    pub list: &'a DrawList,
    /// Its place in the world.
    pub world_from_character: Affine2,
}

impl<'a> From<&'a DrawList> for Member<'a> {
    /// A character at the origin of the world.
    fn from(list: &'a DrawList) -> Self {
        Self { list, world_from_character: Affine2::IDENTITY }
    }
}
