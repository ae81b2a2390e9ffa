//! An axis-aligned rectangle.

use super::Vec2;

/// An axis-aligned rectangle, in whatever space its user says. Empty when a side is not positive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rect {
    /// The corner with the smallest coordinates.
    pub min: Vec2,
    /// The corner with the largest coordinates.
    pub max: Vec2,
}

impl Rect {
    /// The rectangle that holds nothing: its union with any other is the other.
    pub const NOTHING: Self = Self { min: Vec2::INFINITY, max: Vec2::NEG_INFINITY };

    /// From a corner and a size.
    pub fn from_min_size(min: Vec2, size: Vec2) -> Self {
        Self { min, max: min + size }
    }

    /// Width and height.
    pub fn size(&self) -> Vec2 {
        self.max - self.min
    }

    /// The middle.
    pub fn center(&self) -> Vec2 {
        (self.min + self.max) * 0.5
    }

    /// True when there is no area inside.
    pub fn is_empty(&self) -> bool {
        !(self.max.x > self.min.x && self.max.y > self.min.y)
    }

    /// The smallest rectangle that holds this one and `point`.
    #[must_use]
    pub fn include(self, point: Vec2) -> Self {
        Self { min: self.min.min(point), max: self.max.max(point) }
    }

    /// The smallest rectangle that holds both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Grown outward to whole numbers.
    #[must_use]
    pub fn round_out(self) -> Self {
        Self { min: self.min.floor(), max: self.max.ceil() }
    }

    /// Grown by `margin` on every side.
    #[must_use]
    pub fn expand(self, margin: f32) -> Self {
        Self { min: self.min - margin, max: self.max + margin }
    }
}
