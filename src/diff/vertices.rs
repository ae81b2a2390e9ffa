//! Access to vertices, independent of how they are stored.

use crate::math::Vec2;
use crate::model::{Influence, Mesh, Skin4Vertex, Vertices};
use crate::pose::{SkinMatrix, for_each_deformed_vertex};

/// A vertex as authored.
#[derive(Debug)]
pub struct Vertex<'a> {
    /// Bind-pose position in world units.
    pub position: Vec2,
    /// Texture coordinates, 0–1, v down.
    pub uv: Vec2,
    stored: Stored<'a>,
}

#[derive(Debug)]
enum Stored<'a> {
    Four(Skin4Vertex),
    List(&'a [Influence]),
}

impl Vertex<'_> {
    /// Returns the bones and their non-zero weights. A bone may occur several times.
    pub fn influences(&self) -> impl Iterator<Item = (usize, f32)> {
        let (four, list) = match &self.stored {
            Stored::Four(vertex) => (Some(vertex), [].as_slice()),
            Stored::List(list) => (None, *list),
        };
        let four = four.into_iter().flat_map(|vertex| vertex.bone_ids.into_iter().zip(vertex.bone_weights));
        // Negative weights of the fixed-size form count as 0.
        let four = four.map(|(bone, weight)| (usize::from(bone), weight.max(0.0)));
        // An entry without a bone marks a vertex without influences.
        let list = list.iter().filter(|influence| influence.bone != Influence::NO_BONE);
        let list = list.map(|influence| (influence.bone as usize, influence.weight));
        four.chain(list).filter(|(_, weight)| *weight != 0.0)
    }
}

/// Returns the number of vertices of `mesh`.
pub fn count(mesh: &Mesh) -> usize {
    mesh.vertices.len()
}

/// Returns the vertices of `mesh`.
pub fn vertices(mesh: &Mesh) -> impl Iterator<Item = Vertex<'_>> {
    let (four, lists) = match &mesh.vertices {
        Vertices::Skin4(vertices) => (Some(vertices), None),
        Vertices::SkinN(vertices) => (None, Some(vertices)),
    };
    let four = four.into_iter().flat_map(|vertices| vertices.iter());
    let four =
        four.map(|vertex| Vertex { position: vertex.position, uv: vertex.uv, stored: Stored::Four(vertex) });
    let lists = lists.into_iter().flat_map(|vertices| vertices.iter()).map(|vertex| {
        // In all current formats, every influence of a vertex has the same authored position.
        let position = vertex.influences.first().map_or(Vec2::ZERO, |influence| influence.position);
        Vertex { position, uv: vertex.uv, stored: Stored::List(vertex.influences) }
    });
    four.chain(lists)
}

/// Computes the posed positions of the vertices of `mesh`, in world units.
pub fn posed(mesh: &Mesh, deform: &[Vec2], palette: &[SkinMatrix], positions: &mut Vec<Vec2>) {
    positions.clear();
    for_each_deformed_vertex(&mesh.vertices, deform, palette, |position, _| positions.push(position));
}

/// Returns true if two meshes have identical vertex data, so that the same palette poses them identically.
pub fn is_stored_alike(a: &Mesh, b: &Mesh) -> bool {
    match (&a.vertices, &b.vertices) {
        (Vertices::Skin4(a), Vertices::Skin4(b)) => a.bytes() == b.bytes(),
        (Vertices::SkinN(a), Vertices::SkinN(b)) => a.records() == b.records() && a.influences() == b.influences(),
        (Vertices::Skin4(_), Vertices::SkinN(_)) | (Vertices::SkinN(_), Vertices::Skin4(_)) => false,
    }
}
