//! Vertices with four influences, in the layout of PCHR v1 files.

use bytes::Bytes;

use crate::bytes::{f32_at, u16_at};
use crate::math::{Vec2, vec2};

/// Vertices with four influences, 40 little-endian bytes each, in the layout of `skin4.wgsl`:
/// position `f32×2` and uv `f32×2`, bone ids `u16×4`, weights `f32×4`.
///
/// Positions are bind-pose world pixels, y up; uv is 0–1, v down. Weights are as authored: a negative
/// weight counts as 0, and a vertex whose weights are all 0 does not move. All bone ids are valid,
/// including the ids of unused influences.
#[derive(Debug, Clone)]
pub struct Skin4Vertices {
    bytes: Bytes,
    bone_count: usize,
}

impl Skin4Vertices {
    /// Size of a vertex in bytes.
    pub(crate) const STRIDE: usize = 40;

    /// Creates vertices from complete records whose bone ids are below `bone_count`.
    pub(crate) fn new(bytes: Bytes, bone_count: usize) -> Self {
        debug_assert!(bytes.len().is_multiple_of(Self::STRIDE));
        Self { bytes, bone_count }
    }

    /// Returns the number of bones of the skeleton with which the vertices were read, the fewest that they can be used
    /// with.
    pub(crate) fn bone_count(&self) -> usize {
        self.bone_count
    }

    /// Returns the content of the vertex buffer.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// Returns the number of vertices.
    pub fn len(&self) -> usize {
        self.bytes.len() / Self::STRIDE
    }

    /// Returns true if there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Returns a decoded vertex.
    pub fn get(&self, index: u16) -> Option<Skin4Vertex> {
        let at = usize::from(index) * Self::STRIDE;
        self.bytes.get(at..at + Self::STRIDE).map(Skin4Vertex::decode)
    }

    /// Returns the decoded vertices.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Skin4Vertex> {
        self.bytes.chunks_exact(Self::STRIDE).map(Skin4Vertex::decode)
    }
}

/// A decoded vertex of [`Skin4Vertices`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Skin4Vertex {
    /// Position in bind-pose world pixels.
    pub position: Vec2,
    /// Texture coordinates, 0–1, v down.
    pub uv: Vec2,
    /// Indices of bones.
    pub bone_ids: [u16; 4],
    /// Weights as authored.
    pub bone_weights: [f32; 4],
}

impl Skin4Vertex {
    #[inline]
    fn decode(record: &[u8]) -> Self {
        Self {
            position: vec2(f32_at(record, 0), f32_at(record, 4)),
            uv: vec2(f32_at(record, 8), f32_at(record, 12)),
            bone_ids: std::array::from_fn(|i| u16_at(record, 16 + 2 * i)),
            bone_weights: std::array::from_fn(|i| f32_at(record, 24 + 4 * i)),
        }
    }
}
