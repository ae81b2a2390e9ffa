//! Draw calls: the state and the range of indices of each, and when the next one can join it.

use std::ops::Range;

use crate::draw::BlendClass;
use crate::gpu::pipeline::Kind;
use crate::gpu::upload::{Binding, VertexPlace};

/// One draw call.
#[derive(Debug, Clone, PartialEq)]
pub enum DrawCall {
    /// Consecutive sprites that one call can draw, of one instance after the other.
    Sprites { state: DrawState, indices: Range<u32>, instances: Range<u32> },
    /// Inverts the stencil inside a polygon. Later calls are drawn inside the stencil if `begins`, else
    /// everywhere. Inverted twice, the stencil is as it was before.
    Mask { vertices: VertexPlace, indices: Range<u32>, instance: u32, begins: bool },
    /// Triangles of the overlay.
    Overlay { vertices: Range<u32>, instance: u32 },
}

/// What all sprites of a draw call have in common.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DrawState {
    pub vertices: VertexPlace,
    pub binding: Binding,
    pub blend: BlendClass,
}

/// The positions in the buffers that the calls of a member are relative to.
#[derive(Debug, Clone, Copy)]
pub struct BufferOffsets {
    pub index: u32,
    pub instance: u32,
    pub overlay: u32,
}

impl DrawCall {
    /// The pipeline that draws the call; `None` if it draws nothing.
    pub fn kind(&self) -> Option<Kind> {
        match self {
            Self::Sprites { state, .. } => Some(match state.vertices {
                VertexPlace::Skin4 { .. } => Kind::Skin4(state.blend),
                VertexPlace::SkinN { .. } => Kind::SkinN(state.blend),
            }),
            Self::Mask { indices, .. } => (!indices.is_empty()).then_some(Kind::Mask),
            Self::Overlay { .. } => Some(Kind::Overlay),
        }
    }

    /// Returns the call of a member, which is relative to `offsets`, with its place in the buffers.
    pub fn with_offsets(&self, offsets: BufferOffsets) -> Self {
        let by = |range: &Range<u32>, base: u32| base + range.start..base + range.end;
        match self {
            Self::Sprites { state, indices, instances } => Self::Sprites {
                state: *state,
                indices: by(indices, offsets.index),
                instances: by(instances, offsets.instance),
            },
            Self::Mask { vertices, indices, instance, begins } => Self::Mask {
                vertices: *vertices,
                indices: by(indices, offsets.index),
                instance: offsets.instance + instance,
                begins: *begins,
            },
            Self::Overlay { vertices, instance } => {
                Self::Overlay { vertices: by(vertices, offsets.overlay), instance: offsets.instance + instance }
            }
        }
    }

    /// Draws the next instances as well, if they show the same triangles in the same way. As instances are drawn one
    /// after the other, the order stays.
    pub fn append(&mut self, next: &Self) -> bool {
        match (self, next) {
            (
                Self::Sprites { state, indices, instances },
                Self::Sprites { state: next_state, indices: next_indices, instances: next_instances },
            ) if state == next_state && indices == next_indices && instances.end == next_instances.start => {
                instances.end = next_instances.end;
                true
            }
            _ => false,
        }
    }
}
