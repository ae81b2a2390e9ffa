//! Convex hulls of clip masks: which vertices of a polygon are the corners of its mask in a pose.

use crate::math::{self, Vec2};
use crate::model::ClipMask;
use crate::pose::{SkinMatrix, for_each_listed_vertex};

/// The hulls of the masks of a draw list. Its memory is reused.
#[derive(Debug, Clone, Default)]
pub struct Hulls {
    /// The corners of all hulls, as vertices of their polygons.
    corners: Vec<u16>,
    /// Working memory: the vertices of a polygon in world pixels.
    posed: Vec<(Vec2, u16)>,
}

/// The hull of a [`Mask`](super::Mask), if it is a [convex](ClipMask::is_convex) one.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct HullSpan {
    first: u32,
    count: u32,
}

impl Hulls {
    pub fn clear(&mut self) {
        self.corners.clear();
    }

    /// Adds the hull of a convex mask; other masks have the corners of their polygon.
    pub fn add(&mut self, mask: &ClipMask, deform: &[Vec2], palette: &[SkinMatrix]) -> HullSpan {
        if !mask.is_convex {
            return HullSpan::default();
        }
        let Self { corners, posed } = self;
        posed.clear();
        // Fits: a polygon has at most 65,535 vertices.
        for_each_listed_vertex(&mask.polygon.vertices, deform, palette, |at, _| {
            posed.push((at, posed.len() as u16))
        });
        math::keep_hull(posed, |(at, _)| *at);
        let first = corners.len() as u32;
        corners.extend(posed.iter().map(|(_, vertex)| vertex));
        HullSpan { first, count: posed.len() as u32 }
    }

    pub fn of(&self, span: HullSpan) -> &[u16] {
        let first = span.first as usize;
        self.corners.get(first..first.saturating_add(span.count as usize)).unwrap_or_default()
    }

    /// Returns true if all hulls have the same corners, wherever these are.
    #[cfg(feature = "gpu")]
    pub fn have_corners_of(&self, other: &Self) -> bool {
        self.corners == other.corners
    }
}
