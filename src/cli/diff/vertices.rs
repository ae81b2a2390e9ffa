//! The only place of the comparison that knows how vertices are stored.

use crate::math::Vec2;
use crate::model::{Mesh, Skin4Vertex};
use crate::pose::{SkinMatrix, skin4};

/// One vertex as it was authored.
#[derive(Debug)]
pub struct Vertex {
    /// Bind-pose world units.
    pub position: Vec2,
    /// 0–1, v down.
    pub uv: Vec2,
    stored: Skin4Vertex,
}

impl Vertex {
    /// Bones and the positive weights with which they pull; a bone may come several times.
    pub fn influences(&self) -> impl Iterator<Item = (usize, f32)> {
        let all = self.stored.bone_ids.into_iter().map(usize::from).zip(self.stored.bone_weights);
        all.filter(|(_, weight)| *weight > 0.0)
    }
}

/// How many vertices `mesh` has.
pub fn count(mesh: &Mesh) -> usize {
    mesh.vertices.len()
}

/// The vertices of `mesh`.
pub fn vertices(mesh: &Mesh) -> impl Iterator<Item = Vertex> {
    mesh.vertices.iter().map(|stored| Vertex { position: stored.position, uv: stored.uv, stored })
}

/// Where the vertices of `mesh` are in a pose, in world units.
pub fn posed(mesh: &Mesh, palette: &[SkinMatrix]) -> impl Iterator<Item = Vec2> {
    mesh.vertices.iter().map(|vertex| skin4(&vertex, palette))
}

/// Whether two meshes are stored in the same bytes, so that the same palette poses them alike.
pub fn is_stored_alike(a: &Mesh, b: &Mesh) -> bool {
    a.vertices.bytes() == b.vertices.bytes()
}
