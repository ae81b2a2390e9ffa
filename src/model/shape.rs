//! What slots hold that is not drawn.

use super::{BoneId, SkinNVertices, SlotId};
use crate::math::Vec2;

/// A polygon, concave or convex, either way round.
#[derive(Debug, Clone)]
pub struct Polygon {
    /// The name in the file.
    pub name: Box<str>,
    /// Its corners.
    pub vertices: SkinNVertices,
}

/// What cuts off everything outside of it that is drawn after it.
#[derive(Debug, Clone)]
pub struct ClipMask {
    /// What is left to be seen lies in here.
    pub polygon: Polygon,
    /// The last slot that is cut; `None`: all that follow.
    pub end: Option<SlotId>,
}

/// Cubic curves, one after the other.
#[derive(Debug, Clone)]
pub struct Path {
    /// The name in the file.
    pub name: Box<str>,
    /// Three for each knot: the handle before it, the knot, the handle after it. At least two knots.
    pub vertices: SkinNVertices,
    /// The last knot leads to the first.
    pub closed: bool,
    /// Positions are lengths along the curves, not their parameters.
    pub constant_speed: bool,
    /// How long the path is up to the end of each curve at rest. One for each curve at least.
    pub lengths: Box<[f32]>,
}

impl Path {
    /// How many curves there are; none without knots.
    pub fn curve_count(&self) -> usize {
        let knots = self.vertices.len() / 3;
        if self.closed { knots } else { knots.saturating_sub(1) }
    }
}

/// A place with a direction.
#[derive(Debug, Clone)]
pub struct Point {
    /// The name in the file.
    pub name: Box<str>,
    /// What moves it.
    pub bone: BoneId,
    /// Pixels in the space of the bone.
    pub position: Vec2,
    /// Radians counter-clockwise from the bone's own direction.
    pub rotation_radians: f32,
}
