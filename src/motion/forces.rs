//! Wind, gravity and mix of physics.

use super::spine::Push;
use crate::math::{Affine2, Vec2};

/// Wind, gravity and mix of all physics constraints of a character.
///
/// SkelForm has neither wind nor gravity, but a mix. Non-finite values are ignored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Forces {
    /// Direction in which the wind blows, in the space of the character, y up: the wind of each constraint is multiplied by
    /// it; initially 1, 0.
    pub wind: Vec2,
    /// Direction in which gravity pulls, like [`Self::wind`]; initially 0, -1.
    pub gravity: Vec2,
    /// Factor of the mix of each constraint, 0 to 1; initially 1.
    pub mix: f32,
}

impl Default for Forces {
    fn default() -> Self {
        Self::INITIAL
    }
}

impl Forces {
    /// Those of a character by itself.
    pub(super) const INITIAL: Self = Self { wind: Self::WIND, gravity: Self::GRAVITY, mix: 1.0 };
    /// The initial wind.
    pub const WIND: Vec2 = Vec2::X;
    /// The initial gravity.
    pub const GRAVITY: Vec2 = Vec2::NEG_Y;

    /// Returns these forces of the world in the space of a character that stands at `placement`.
    pub(crate) fn within(self, placement: Affine2) -> Self {
        if placement.matrix2 == Affine2::IDENTITY.matrix2 {
            return self;
        }
        let turned = |direction: Vec2| {
            // Scale does not weaken them.
            (placement.matrix2.inverse() * direction).normalize_or_zero() * direction.length()
        };
        Self { wind: turned(self.wind), gravity: turned(self.gravity), ..self }
    }

    /// Returns the directions for the constraints of Spine.
    pub(super) fn push(self) -> Push {
        let or = |own: Vec2, usual: Vec2| if own.is_finite() { own.as_dvec2() } else { usual.as_dvec2() };
        Push { wind: or(self.wind, Self::WIND), gravity: or(self.gravity, Self::GRAVITY) }
    }

    /// Returns the factor of every mix.
    pub(super) fn mix(self) -> f64 {
        if self.mix.is_finite() { self.mix.clamp(0.0, 1.0).into() } else { 1.0 }
    }
}
