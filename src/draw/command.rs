//! The commands of a draw list, from back to front: attachments, clip masks, overlays.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};

use super::{Mask, Sprite};
use crate::math::Vec2;

/// A draw command.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Draws an attachment with triangles.
    Sprite(Sprite),
    /// Clips everything up to [`Command::ClipEnd`] to this polygon, by the even-odd rule: a polygon that crosses
    /// itself has holes. Masks do not nest: another one before the end has no effect.
    ClipBegin(Mask),
    /// Ends clipping.
    ClipEnd,
    /// Draws a range of [`DrawList::overlay`](super::DrawList::overlay), a multiple of three vertices.
    Overlay(Range<u32>),
}

/// A vertex of a solid-colour triangle, as laid out in the vertex buffer.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct OverlayVertex {
    /// World pixels, y up.
    pub position: Vec2,
    /// Premultiplied RGBA.
    pub color: [u8; 4],
}
