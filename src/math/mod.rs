//! Geometry and colour that know nothing of characters.
//!
//! Everything here gives the same bits on every machine: only `+ - * /`, comparisons and integers.

pub mod angle;
pub mod color;
pub mod rect;

pub use glam::{Affine2, DAffine2, DMat2, DVec2, Mat2, Mat4, Vec2, Vec3, Vec4, dvec2, vec2};
pub use rect::Rect;
