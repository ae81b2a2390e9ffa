//! Attachments that are not drawn: bounding boxes, clip masks, paths and points.

use super::{BoneId, SkinNVertices, SlotId};
use crate::math::Vec2;

/// A polygon, concave or convex, in either winding order.
#[derive(Debug, Clone)]
pub struct Polygon {
    /// The name in the file.
    pub name: Box<str>,
    /// The corners.
    pub vertices: SkinNVertices,
}

/// A polygon that clips the slots drawn after it.
#[derive(Debug, Clone)]
pub struct ClipMask {
    /// The visible area.
    pub polygon: Polygon,
    /// True if the visible area is the convex hull of the polygon, whatever shape that has in a pose.
    pub is_convex: bool,
    /// True if only the outside of that area is visible.
    pub is_inverse: bool,
    /// The last slot that is clipped; `None`: all slots that follow.
    pub end: Option<SlotId>,
}

impl ClipMask {
    /// Corners of a square in the world that contains everything: an inverse mask shows it outside of its polygon.
    pub(crate) const AROUND: [Vec2; 4] = {
        const FAR: f32 = 1e6;
        [Vec2::new(-FAR, -FAR), Vec2::new(FAR, -FAR), Vec2::new(FAR, FAR), Vec2::new(-FAR, FAR)]
    };
}

/// A sequence of cubic Bézier curves.
#[derive(Debug, Clone)]
pub struct Path {
    /// The name in the file.
    pub name: Box<str>,
    /// Three vertices per knot: the handle before it, the knot, the handle after it. At least two knots.
    pub vertices: SkinNVertices,
    /// True if the last knot is connected to the first.
    pub(crate) closed: bool,
    /// True if positions are lengths along the curves, not curve parameters.
    pub(crate) constant_speed: bool,
    /// The length of the path up to the end of each curve in the rest pose. At least one per curve.
    pub(crate) lengths: Box<[f32]>,
}

impl Path {
    /// Returns the number of curves; 0 without knots.
    pub(crate) fn curve_count(&self) -> usize {
        let knots = self.vertices.len() / 3;
        if self.closed { knots } else { knots.saturating_sub(1) }
    }
}

/// A position with a direction.
#[derive(Debug, Clone)]
pub struct Point {
    /// The name in the file.
    pub name: Box<str>,
    /// The bone that moves it.
    pub bone: BoneId,
    /// Position in bone space, in pixels.
    pub position: Vec2,
    /// Direction relative to the bone's, in radians, counter-clockwise.
    pub rotation_radians: f32,
}
