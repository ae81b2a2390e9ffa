//! Skinned triangles, in the bytes that the GPU takes.
//!
//! There are two kinds of vertices: [`Skin4Vertices`] are the file's own bytes, [`SkinNVertices`] are made by a
//! reader. Nothing after the skinning tells them apart.

mod skin4;
mod skin_n;

use bytes::Bytes;

use super::PageId;
use crate::bytes::u16_at;

pub use skin_n::{Influence, SkinNRecord, SkinNVertex, SkinNVertices};
pub use skin4::{Skin4Vertex, Skin4Vertices};

/// Skinned triangles drawn from one picture.
#[derive(Debug, Clone)]
pub struct Mesh {
    /// The name in the file.
    pub name: Box<str>,
    /// The picture; `None` where the file has none: drawn in a neutral colour with an outline.
    pub page: Option<PageId>,
    /// The vertices.
    pub vertices: Vertices,
    /// The triangles.
    pub indices: Indices,
    /// Its own colour, multiplied with that of its slot: straight RGBA, 0 to 1.
    pub tint: [f32; 4],
    /// The edges that only one triangle has, as pairs of vertices. Kept only where `page` is `None`.
    pub outline: Box<[[u16; 2]]>,
}

/// The vertices of a mesh, in one of the two ways that `skin4.wgsl` and `skin_n.wgsl` take them.
#[derive(Debug, Clone)]
pub enum Vertices {
    /// Four influences each.
    Skin4(Skin4Vertices),
    /// A list of influences each, of any length.
    SkinN(SkinNVertices),
}

impl Vertices {
    /// How many vertices there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Skin4(vertices) => vertices.len(),
            Self::SkinN(vertices) => vertices.len(),
        }
    }

    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl From<Skin4Vertices> for Vertices {
    fn from(vertices: Skin4Vertices) -> Self {
        Self::Skin4(vertices)
    }
}

impl From<SkinNVertices> for Vertices {
    fn from(vertices: SkinNVertices) -> Self {
        Self::SkinN(vertices)
    }
}

/// Triangles as little-endian `u16`, three a triangle, each an existing vertex of the mesh.
#[derive(Debug, Clone, Default)]
pub struct Indices {
    bytes: Bytes,
}

impl Indices {
    pub(crate) fn new(bytes: Bytes) -> Self {
        debug_assert!(bytes.len().is_multiple_of(6));
        Self { bytes }
    }

    /// Triangles of a mesh that no file has. That the vertices exist is checked when the mesh becomes part of a
    /// model.
    pub fn from_triangles(triangles: &[[u16; 3]]) -> Self {
        let bytes: Vec<u8> = triangles.as_flattened().iter().flat_map(|index| index.to_le_bytes()).collect();
        Self { bytes: bytes.into() }
    }

    /// The bytes for the index buffer.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// How many indices there are: three times the triangles.
    pub fn len(&self) -> usize {
        self.bytes.len() / 2
    }

    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// How many vertices a mesh has at least that these are the triangles of: one more than the largest index.
    pub fn vertex_count(&self) -> usize {
        let indices = self.bytes.as_chunks().0.iter().map(|&index| u16::from_le_bytes(index));
        indices.max().map_or(0, |largest| usize::from(largest) + 1)
    }

    /// The triangles, decoded.
    pub fn triangles(&self) -> impl ExactSizeIterator<Item = [u16; 3]> {
        self.bytes.chunks_exact(6).map(|triangle| std::array::from_fn(|i| u16_at(triangle, 2 * i)))
    }
}
