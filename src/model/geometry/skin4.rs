//! Vertices with four influences, in the bytes that a PCHR v1 file stores.

use bytes::Bytes;

use crate::bytes::{f32_at, u16_at};
use crate::math::{Vec2, vec2};

/// Vertices with four influences, 40 little-endian bytes each, exactly as `skin4.wgsl` takes them:
/// position `f32×2` and uv `f32×2`, bone ids `u16×4`, weights `f32×4`.
///
/// Positions are bind-pose world pixels, y up; uv is 0–1, v down. Weights are as authored: a negative
/// one counts as 0, and a vertex whose weights are all 0 stays where it is. Every id is valid,
/// that of an unused influence too.
#[derive(Debug, Clone, Default)]
pub struct Skin4Vertices {
    bytes: Bytes,
    bone_count: usize,
}

impl Skin4Vertices {
    /// Bytes of one vertex.
    pub const STRIDE: usize = 40;

    /// Whole records, whose bones a skeleton of `bone_count` bones has.
    pub(crate) fn new(bytes: Bytes, bone_count: usize) -> Self {
        debug_assert!(bytes.len().is_multiple_of(Self::STRIDE));
        Self { bytes, bone_count }
    }

    /// How many bones a skeleton has at least that these hang on: those of the skeleton that they were read with.
    pub fn bone_count(&self) -> usize {
        self.bone_count
    }

    /// The bytes for the vertex buffer.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// How many vertices there are.
    pub fn len(&self) -> usize {
        self.bytes.len() / Self::STRIDE
    }

    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// One vertex, decoded.
    pub fn get(&self, index: u16) -> Option<Skin4Vertex> {
        let at = usize::from(index) * Self::STRIDE;
        self.bytes.get(at..at + Self::STRIDE).map(Skin4Vertex::decode)
    }

    /// The vertices, decoded.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Skin4Vertex> {
        self.bytes.chunks_exact(Self::STRIDE).map(Skin4Vertex::decode)
    }
}

/// One decoded vertex of [`Skin4Vertices`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Skin4Vertex {
    /// Bind-pose world pixels.
    pub position: Vec2,
    /// 0–1, v down.
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
