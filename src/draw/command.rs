//! What a draw list is made of.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};

use super::{Mask, Sprite};
use crate::math::Vec2;

/// One thing to draw.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// An attachment of the model that has triangles.
    Sprite(Sprite),
    /// Everything up to [`Command::ClipEnd`] is drawn only where this polygon is: by the even-odd rule, so any that
    /// crosses itself has holes. There is one at a time: another one before the end changes nothing.
    ClipBegin(Mask),
    /// Nothing is cut any more.
    ClipEnd,
    /// A range of [`DrawList::overlay`](super::DrawList::overlay); a multiple of three vertices.
    Overlay(Range<u32>),
}

/// A corner of a plain triangle, as the vertex buffer takes it.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct OverlayVertex {
    /// World pixels, y up.
    pub position: Vec2,
    /// Premultiplied.
    pub color: [u8; 4],
}
