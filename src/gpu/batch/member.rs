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
    /// Its depth. For a [`ClipMatrix`](crate::gpu::ClipMatrix) it is the z of the plane in the world that the character is in;
    /// for a [`View`](crate::draw::View) it is the depth itself, and a character beyond 0 to 1 is not drawn. It matters to
    /// perspective cameras and to [`Pipelines::with_depth_test`](crate::gpu::Pipelines::with_depth_test).
    pub z: f32,
}

impl<'a> From<&'a DrawList> for Member<'a> {
    /// A character at the origin of the world, with a z of 0.
    fn from(list: &'a DrawList) -> Self {
        Self { list, world_from_character: Affine2::IDENTITY, z: 0.0 }
    }
}
