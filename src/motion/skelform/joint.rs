//! A bone in the world: position, rotation and scale, without shear.

use crate::math::angle::sin_cos_radians;
use crate::math::{Affine2, DVec2, Mat2};

/// The transform of a bone in the world: pixels, y up, and radians counter-clockwise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Joint {
    pub position: DVec2,
    pub rotation: f64,
    pub scale: DVec2,
    /// Cosine and sine of `rotation`.
    pub cos_sin: DVec2,
}

impl Joint {
    /// Returns the transform with this position, rotation and scale.
    pub fn affine(position: DVec2, cos_sin: DVec2, scale: DVec2) -> Affine2 {
        let (x_axis, y_axis) = (cos_sin * scale.x, cos_sin.perp() * scale.y);
        Affine2 { matrix2: Mat2::from_cols(x_axis.as_vec2(), y_axis.as_vec2()), translation: position.as_vec2() }
    }

    /// Sets the rotation.
    pub fn turn(&mut self, radians: f64) {
        let (sin, cos) = sin_cos_radians(radians);
        (self.rotation, self.cos_sin) = (radians, DVec2::new(cos, sin));
    }

    /// Returns the bone's matrix.
    pub fn world_from_bone(&self) -> Affine2 {
        Self::affine(self.position, self.cos_sin, self.scale)
    }
}
