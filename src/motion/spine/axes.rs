//! Angles in degrees → directions and axes, and back.

use super::parts::BoneLocal;
use crate::math::angle::{atan2_degrees, sin_cos_degrees_f64};
use crate::math::{DMat2, DVec2, dvec2};

/// Returns the unit vector in a direction.
#[inline]
pub(super) fn direction(degrees: f64) -> DVec2 {
    let (sin, cos) = sin_cos_degrees_f64(degrees);
    dvec2(cos, sin)
}

/// Returns the rotation by an angle.
#[inline]
pub(super) fn turn(degrees: f64) -> DMat2 {
    let x = direction(degrees);
    DMat2::from_cols(x, x.perp())
}

/// Inverts a matrix. The inverse of a flat one is zero.
pub(super) fn inverse(matrix: DMat2) -> DMat2 {
    if matrix.determinant() == 0.0 { DMat2::ZERO } else { matrix.inverse() }
}

/// Adds or subtracts at most one turn to bring a difference of angles nearer to 0. If several angles were
/// subtracted, the result may still exceed half a turn; constraints use it like that.
pub(super) fn wrap_once(degrees: f64) -> f64 {
    if degrees > 180.0 {
        degrees - 360.0
    } else if degrees < -180.0 {
        degrees + 360.0
    } else {
        degrees
    }
}

/// Returns the angle of a vector.
// Inlined, it would be computed before the branches that need it.
#[inline(never)]
pub(super) fn angle(vector: DVec2) -> f64 {
    atan2_degrees(vector.y, vector.x)
}

/// Returns axes with these angles and lengths.
#[inline]
pub(super) fn axes(x_degrees: f64, y_degrees: f64, scale: DVec2) -> DMat2 {
    DMat2::from_cols(direction(x_degrees) * scale.x, direction(y_degrees) * scale.y)
}

/// Returns the axes of a bone relative to its parent.
#[inline]
pub(super) fn local_axes(local: &BoneLocal) -> DMat2 {
    let x = local.rotation + local.shear.x;
    if local.shear.x == local.shear.y {
        // The usual case: perpendicular axes.
        let x = direction(x);
        return DMat2::from_cols(x * local.scale.x, x.perp() * local.scale.y);
    }
    axes(x, local.rotation + 90.0 + local.shear.y, local.scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_turn_is_added_or_subtracted_at_most() {
        let cases = [(0.0, 0.0), (180.0, 180.0), (-180.0, -180.0), (200.0, -160.0), (-200.0, 160.0)];
        for (degrees, expected) in cases.into_iter().chain([(800.0, 440.0), (-800.0, -440.0)]) {
            assert_eq!(wrap_once(degrees), expected, "{degrees}");
        }
    }
}
