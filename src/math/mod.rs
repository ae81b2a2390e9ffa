//! Geometry and colour, independent of characters.
//!
//! Results are bit-identical on every machine: only operations that IEEE 754 defines exactly (`+ - * /`, roots,
//! rounding, comparisons) and integer arithmetic are used.

mod affine;
pub mod angle;
pub mod color;
mod hull;
mod rect;

pub use affine::{Affine2, Mat2};
pub use glam::{DAffine2, DMat2, DVec2, Mat4, Vec2, Vec3, Vec4, dvec2, vec2};
pub(crate) use hull::keep_hull;
pub use rect::Rect;

/// Wraps `value` to 0 to `length`, exclusive.
pub(crate) fn wrap(value: f64, length: f64) -> f64 {
    // The usual case first: a remainder takes long.
    if (0.0..length).contains(&value) {
        return value;
    }
    let wrapped = value.rem_euclid(length);
    // `rem_euclid` of a tiny negative number rounds to the length itself.
    if wrapped < length { wrapped } else { 0.0 }
}
