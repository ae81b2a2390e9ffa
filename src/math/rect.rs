//! An axis-aligned rectangle.

use super::Vec2;

/// An axis-aligned rectangle in any space. Empty if a side is not positive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rect {
    /// The corner with the smallest coordinates.
    pub min: Vec2,
    /// The corner with the largest coordinates.
    pub max: Vec2,
}

impl Rect {
    /// The empty rectangle: the identity of [`Self::union`].
    pub const NOTHING: Self = Self { min: Vec2::INFINITY, max: Vec2::NEG_INFINITY };

    /// Creates a rectangle from its minimum corner and its size.
    pub fn from_min_size(min: Vec2, size: Vec2) -> Self {
        Self { min, max: min + size }
    }

    /// Returns the width and height.
    pub fn size(&self) -> Vec2 {
        self.max - self.min
    }

    /// Returns the center.
    pub fn center(&self) -> Vec2 {
        (self.min + self.max) * 0.5
    }

    /// Returns true if the rectangle has no area.
    pub fn is_empty(&self) -> bool {
        !(self.max.x > self.min.x && self.max.y > self.min.y)
    }

    /// Returns the smallest rectangle that contains this one and `point`.
    #[must_use]
    pub fn include(self, point: Vec2) -> Self {
        Self { min: self.min.min(point), max: self.max.max(point) }
    }

    /// Returns the smallest rectangle that contains both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Returns the area that both have in common, which may be empty.
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        Self { min: self.min.max(other.min), max: self.max.min(other.max) }
    }

    /// Grows the rectangle outward to integer coordinates.
    #[must_use]
    pub fn round_out(self) -> Self {
        Self { min: self.min.floor(), max: self.max.ceil() }
    }

    /// Grows the rectangle by `margin` on every side.
    #[must_use]
    pub fn expand(self, margin: f32) -> Self {
        Self { min: self.min - margin, max: self.max + margin }
    }
}
