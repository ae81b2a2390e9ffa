//! Geometry and colour, independent of characters.
//!
//! Results are bit-identical on every machine: only operations that IEEE 754 defines exactly (`+ - * /`, roots,
//! rounding, comparisons) and integer arithmetic are used.

pub mod angle;
pub mod color;
mod hull;
mod rect;

pub use glam::{Affine2, DAffine2, DMat2, DVec2, Mat2, Mat4, Vec2, Vec3, Vec4, dvec2, vec2};
pub(crate) use hull::keep_hull;
pub use rect::Rect;
