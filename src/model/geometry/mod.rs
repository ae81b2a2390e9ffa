//! Skinned meshes in GPU layout.
//!
//! There are two vertex formats: [`Skin4Vertices`] are the bytes of the file, [`SkinNVertices`] are built by a
//! reader. After skinning they are treated alike.

mod skin4;
mod skin_n;

use bytes::Bytes;

use super::PageId;
use crate::bytes::u16_at;

pub use skin_n::{Influence, SkinNRecord, SkinNVertex, SkinNVertices};
pub use skin4::{Skin4Vertex, Skin4Vertices};

/// Tolerance of the sum of a vertex's weights, which is 1. The vertex is moved by that fraction of its distance from the
/// origin: one pixel at 1,000. Rounding to `f32` is off by up to 1e-7, rounding four weights to four decimals by 2e-4.
pub(crate) const WEIGHT_SUM_TOLERANCE: f64 = 1e-3;

/// A skinned mesh, textured with one page.
#[derive(Debug, Clone)]
pub struct Mesh {
    /// The name in the file.
    pub name: Box<str>,
    /// The page; if `None`, the mesh is drawn in a neutral colour with an outline, or [not at all](super::Model::is_drawn).
    pub page: Option<PageId>,
    /// The vertices.
    pub vertices: Vertices,
    /// The triangles.
    pub indices: Indices,
    /// Colour that multiplies the slot's tint: straight RGBA, 0 to 1.
    pub tint: [f32; 4],
    /// The edges that belong to only one triangle, as pairs of vertices. Empty unless `page` is `None`.
    pub outline: Box<[[u16; 2]]>,
}

/// The vertices of a mesh, in the layout of `skin4.wgsl` or of `skin_n.wgsl`.
#[derive(Debug, Clone)]
pub enum Vertices {
    /// Four influences per vertex.
    Skin4(Skin4Vertices),
    /// Any number of influences per vertex.
    SkinN(SkinNVertices),
}

impl Vertices {
    /// Returns the number of vertices.
    pub fn len(&self) -> usize {
        match self {
            Self::Skin4(vertices) => vertices.len(),
            Self::SkinN(vertices) => vertices.len(),
        }
    }

    /// Returns true if there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the sum of the weights of a vertex as they are used: of four weights, negative ones count as 0.
    pub(crate) fn weight_sum(&self, index: usize) -> Option<f64> {
        match self {
            Self::Skin4(vertices) => {
                let vertex = vertices.get(u16::try_from(index).ok()?)?;
                Some(vertex.bone_weights.into_iter().map(|weight| f64::from(weight.max(0.0))).sum())
            }
            Self::SkinN(vertices) => {
                let vertex = vertices.iter().nth(index)?;
                Some(vertex.influences.iter().map(|influence| f64::from(influence.weight)).sum())
            }
        }
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

/// Triangles as little-endian `u16` indices, three per triangle, each a valid vertex of the mesh.
#[derive(Debug, Clone, Default)]
pub struct Indices {
    bytes: Bytes,
}

impl Indices {
    pub(crate) fn new(bytes: Bytes) -> Self {
        debug_assert!(bytes.len().is_multiple_of(6));
        Self { bytes }
    }

    /// Creates indices from triangles. Whether the vertices exist is checked when the mesh is added to a model.
    pub fn from_triangles(triangles: &[[u16; 3]]) -> Self {
        let bytes: Vec<u8> = triangles.as_flattened().iter().flat_map(|index| index.to_le_bytes()).collect();
        Self { bytes: bytes.into() }
    }

    /// The two triangles of a rectangle, whose corners follow each other.
    pub(crate) const fn of_rectangle() -> Self {
        Self { bytes: Bytes::from_static(&[0, 0, 1, 0, 2, 0, 2, 0, 3, 0, 0, 0]) }
    }

    /// Returns the content of the index buffer.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// Returns the number of indices: three per triangle.
    pub fn len(&self) -> usize {
        self.bytes.len() / 2
    }

    /// Returns true if there are no triangles.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Returns the minimum number of vertices that the mesh must have: one more than the largest index.
    pub(crate) fn vertex_count(&self) -> usize {
        let indices = self.bytes.as_chunks().0.iter().map(|&index| u16::from_le_bytes(index));
        indices.max().map_or(0, |largest| usize::from(largest) + 1)
    }

    /// Returns the edges that belong to only one triangle, as ascending pairs of vertices, in ascending order.
    ///
    /// ```
    /// use pchr::model::Indices;
    ///
    /// let square = Indices::from_triangles(&[[0, 1, 2], [0, 2, 3]]);
    /// assert_eq!(square.boundary(), [[0, 1], [0, 3], [1, 2], [2, 3]]);
    /// ```
    pub fn boundary(&self) -> Vec<[u16; 2]> {
        let mut edges = Vec::new();
        self.edges(&mut edges);
        single_edges(&edges).collect()
    }

    /// Writes the edges of all triangles into `out`, as ascending pairs of vertices in ascending order: each as often
    /// as triangles share it.
    pub(crate) fn edges(&self, out: &mut Vec<[u16; 2]>) {
        out.clear();
        let edges = self.triangles().flat_map(|[a, b, c]| [[a, b], [b, c], [a, c]]);
        out.extend(edges.map(|[a, b]| [a.min(b), a.max(b)]));
        out.sort_unstable();
    }

    /// Returns the decoded triangles.
    pub fn triangles(&self) -> impl ExactSizeIterator<Item = [u16; 3]> {
        self.bytes.chunks_exact(6).map(|triangle| std::array::from_fn(|i| u16_at(triangle, 2 * i)))
    }
}

/// Returns the sorted edges that occur only once.
pub(crate) fn single_edges(sorted: &[[u16; 2]]) -> impl Iterator<Item = [u16; 2]> {
    sorted.chunk_by(|a, b| a == b).filter(|same| same.len() == 1).map(|same| same[0])
}
