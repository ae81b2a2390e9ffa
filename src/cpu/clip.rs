//! Clips triangles whose corners are too far away for exact integers to the surroundings of the picture.

use super::setup::SUBPIXELS;
use crate::draw::View;
use crate::math::Vec2;

/// Distance from the origin, in pixels, up to which edges are computed in 64 bits without overflow.
const FAR: f64 = (1 << 20) as f64;
/// Distance from the picture, in pixels, at which far triangles are clipped.
const MARGIN: f64 = 64.0;

/// A corner of a triangle, in pixels from the picture's upper-left corner.
#[derive(Debug, Clone, Copy, Default)]
pub struct Corner {
    pub at: [f64; 2],
    pub uv: [f64; 2],
}

impl Corner {
    pub fn new(view: &View, world: Vec2, uv: Vec2) -> Self {
        let at = view.pixel_from_world(world);
        Self { at: [at.x.into(), at.y.into()], uv: [uv.x.into(), uv.y.into()] }
    }

    /// Returns true if edges at the corner can be computed exactly; false if it is not finite.
    pub fn is_near(&self) -> bool {
        self.at.iter().all(|at| at.abs() <= FAR)
    }

    /// The position, rounded to whole subpixels.
    pub fn snapped(&self) -> [i64; 2] {
        self.at.map(|at| (at * SUBPIXELS as f64 + 0.5).floor() as i64)
    }

    fn between(&self, other: &Self, t: f64) -> Self {
        let mix = |a: [f64; 2], b: [f64; 2]| [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
        Self { at: mix(self.at, other.at), uv: mix(self.uv, other.uv) }
    }
}

/// Clips a triangle to the surroundings of the picture. Yields triangles; none if a corner is not finite.
pub fn to_picture(corners: [Corner; 3], view: &View) -> impl Iterator<Item = [Corner; 3]> {
    let mut polygon = Polygon::default();
    if corners.iter().all(|corner| corner.at.iter().all(|at| at.is_finite())) {
        corners.into_iter().for_each(|corner| polygon.push(corner));
        let size = [f64::from(view.width()), f64::from(view.height())];
        for axis in [0, 1] {
            polygon = polygon.cut(|corner| corner.at[axis] + MARGIN);
            polygon = polygon.cut(|corner| size[axis] + MARGIN - corner.at[axis]);
        }
        // Rounding may have moved the ends of an extremely long edge anywhere.
        for corner in &mut polygon.corners[..polygon.len] {
            corner.at = [0, 1].map(|axis| corner.at[axis].clamp(-MARGIN, size[axis] + MARGIN));
        }
    }
    let Polygon { corners, len } = polygon;
    (1..len.saturating_sub(1)).map(move |index| [corners[0], corners[index], corners[index + 1]])
}

/// A convex polygon: a triangle has three corners, and each of four clips adds at most one.
#[derive(Default)]
struct Polygon {
    corners: [Corner; 3 + 4],
    len: usize,
}

impl Polygon {
    /// Adds a corner. Rounding can make a polygon not quite convex; a corner for which there is no room is
    /// dropped.
    fn push(&mut self, corner: Corner) {
        if let Some(free) = self.corners.get_mut(self.len) {
            *free = corner;
            self.len += 1;
        }
    }

    /// Returns the part where `inside` is not negative.
    fn cut(&self, inside: impl Fn(&Corner) -> f64) -> Self {
        let mut kept = Self::default();
        let corners = &self.corners[..self.len];
        for (index, corner) in corners.iter().enumerate() {
            let next = &corners[(index + 1) % corners.len()];
            let (here, there) = (inside(corner), inside(next));
            if here >= 0.0 {
                kept.push(*corner);
            }
            if (here >= 0.0) != (there >= 0.0) {
                kept.push(corner.between(next, here / (here - there)));
            }
        }
        kept
    }
}
