//! How a character stands at its place on a stage: its size, direction and tint.

use pchr::export::StagedCharacter;
use pchr::math::{Affine2, Rect, Vec2};
use pchr::model::Tint;
use pchr::motion::Forces;
use pchr::pose::Pose;

/// Size, direction and tint of a character on a stage. Points of the canvas are those of the character, scaled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placing {
    /// Its scale, negative where it is flipped.
    pub scales: Vec2,
    /// The tint of all of it.
    pub tint: Tint,
}

impl Default for Placing {
    fn default() -> Self {
        Self { scales: Vec2::ONE, tint: Tint::NONE }
    }
}

impl Placing {
    /// Returns the placing that a scene states.
    pub fn of(spec: &StagedCharacter) -> Self {
        Self { scales: spec.scales(), tint: spec.whole_tint() }
    }

    /// Returns true if it changes nothing.
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }

    /// Places a pose of the character.
    pub fn apply(&self, pose: &mut Pose) {
        pose.place(Affine2::from_scale_angle_translation(self.scales, 0.0, Vec2::ZERO), &self.tint);
    }

    /// Turns forces on the stage into those for the character, and back.
    pub fn turned(&self, Forces { wind, gravity, mix }: Forces) -> Forces {
        let turn = self.scales.signum();
        Forces { wind: wind * turn, gravity: gravity * turn, mix }
    }

    /// Returns the point of the character at a point of the canvas.
    pub fn inside(&self, at: Vec2) -> Vec2 {
        at / self.scales
    }

    /// Returns what an area of the character covers on the canvas.
    pub fn area(&self, area: Rect) -> Rect {
        if area.is_empty() {
            return area;
        }
        let (a, b) = (area.min * self.scales, area.max * self.scales);
        Rect { min: a.min(b), max: a.max(b) }
    }
}
