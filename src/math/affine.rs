//! Affine transforms of the plane in single precision.
//!
//! glam's are vectors of the processor, unless a feature of glam that the whole program shares says otherwise: their size
//! and their last digits would depend on who else uses glam.

use std::ops::{Mul, MulAssign};

use bytemuck::{Pod, Zeroable};

use super::{DAffine2, DMat2, Vec2, vec2};

/// A 2×2 matrix: x' = x_axis.x · x + y_axis.x · y, and likewise y'.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Mat2 {
    /// What (1, 0) becomes.
    pub x_axis: Vec2,
    /// What (0, 1) becomes.
    pub y_axis: Vec2,
}

impl Mat2 {
    /// All zeros.
    pub const ZERO: Self = Self::from_cols(Vec2::ZERO, Vec2::ZERO);
    /// Changes nothing.
    pub const IDENTITY: Self = Self::from_cols(Vec2::X, Vec2::Y);

    /// Creates a matrix from what (1, 0) and (0, 1) become.
    pub const fn from_cols(x_axis: Vec2, y_axis: Vec2) -> Self {
        Self { x_axis, y_axis }
    }

    /// Creates a matrix from its columns, one after the other.
    pub const fn from_cols_array(columns: &[f32; 4]) -> Self {
        let [a, b, c, d] = *columns;
        Self::from_cols(vec2(a, b), vec2(c, d))
    }

    /// Creates a matrix that scales x and y.
    pub const fn from_diagonal(scale: Vec2) -> Self {
        Self::from_cols(vec2(scale.x, 0.0), vec2(0.0, scale.y))
    }

    /// Creates a rotation by an angle in radians, counter-clockwise.
    pub fn from_angle(radians: f32) -> Self {
        let (sin, cos) = libm::sincosf(radians);
        Self::from_cols(vec2(cos, sin), vec2(-sin, cos))
    }

    /// Returns the columns, one after the other.
    pub const fn to_cols_array(&self) -> [f32; 4] {
        [self.x_axis.x, self.x_axis.y, self.y_axis.x, self.y_axis.y]
    }

    /// Returns the area that the unit square becomes, negative if it is mirrored.
    pub fn determinant(&self) -> f32 {
        self.x_axis.x * self.y_axis.y - self.x_axis.y * self.y_axis.x
    }

    /// Returns the inverse. It is not finite if the determinant is 0.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let inverse = self.determinant().recip();
        let Self { x_axis: x, y_axis: y } = *self;
        Self::from_cols(vec2(y.y * inverse, x.y * -inverse), vec2(y.x * -inverse, x.x * inverse))
    }

    /// Returns the matrix with rows and columns exchanged.
    #[must_use]
    pub fn transpose(&self) -> Self {
        Self::from_cols(vec2(self.x_axis.x, self.y_axis.x), vec2(self.x_axis.y, self.y_axis.y))
    }

    /// Returns true if all numbers are finite.
    pub fn is_finite(&self) -> bool {
        self.x_axis.is_finite() && self.y_axis.is_finite()
    }

    /// Returns true if no number differs by more than `most`.
    pub fn abs_diff_eq(&self, other: Self, most: f32) -> bool {
        self.x_axis.abs_diff_eq(other.x_axis, most) && self.y_axis.abs_diff_eq(other.y_axis, most)
    }

    /// Returns the same matrix in double precision.
    pub fn as_dmat2(&self) -> DMat2 {
        DMat2::from_cols(self.x_axis.as_dvec2(), self.y_axis.as_dvec2())
    }
}

impl Default for Mat2 {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Mul<Vec2> for Mat2 {
    type Output = Vec2;

    #[inline]
    fn mul(self, point: Vec2) -> Vec2 {
        let Self { x_axis: x, y_axis: y } = self;
        vec2(x.x * point.x + y.x * point.y, x.y * point.x + y.y * point.y)
    }
}

impl Mul for Mat2 {
    type Output = Self;

    #[inline]
    fn mul(self, first: Self) -> Self {
        Self::from_cols(self * first.x_axis, self * first.y_axis)
    }
}

impl Mul<f32> for Mat2 {
    type Output = Self;

    fn mul(self, factor: f32) -> Self {
        Self::from_cols(self.x_axis * factor, self.y_axis * factor)
    }
}

impl From<DMat2> for Mat2 {
    /// Rounds to single precision.
    fn from(matrix: DMat2) -> Self {
        Self::from_cols(matrix.x_axis.as_vec2(), matrix.y_axis.as_vec2())
    }
}

impl From<glam::Mat2> for Mat2 {
    fn from(matrix: glam::Mat2) -> Self {
        Self::from_cols_array(&matrix.to_cols_array())
    }
}

impl From<Mat2> for glam::Mat2 {
    fn from(matrix: Mat2) -> Self {
        Self::from_cols_array(&matrix.to_cols_array())
    }
}

/// An affine transform: p' = matrix2 · p + translation.
///
/// It converts from and to glam's transform of the same name.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Affine2 {
    /// Rotation, scale and shear.
    pub matrix2: Mat2,
    /// What the origin becomes.
    pub translation: Vec2,
}

impl Affine2 {
    /// Moves everything to the origin.
    pub const ZERO: Self = Self { matrix2: Mat2::ZERO, translation: Vec2::ZERO };
    /// Changes nothing.
    pub const IDENTITY: Self = Self { matrix2: Mat2::IDENTITY, translation: Vec2::ZERO };

    /// Creates a transform from what (1, 0) and (0, 1) become beside the origin, and what the origin becomes.
    pub const fn from_cols(x_axis: Vec2, y_axis: Vec2, translation: Vec2) -> Self {
        Self { matrix2: Mat2::from_cols(x_axis, y_axis), translation }
    }

    /// Creates a transform from its columns, one after the other.
    pub const fn from_cols_array(columns: &[f32; 6]) -> Self {
        let [a, b, c, d, x, y] = *columns;
        Self::from_cols(vec2(a, b), vec2(c, d), vec2(x, y))
    }

    /// Creates a movement.
    pub const fn from_translation(translation: Vec2) -> Self {
        Self { matrix2: Mat2::IDENTITY, translation }
    }

    /// Creates a scale about the origin.
    pub const fn from_scale(scale: Vec2) -> Self {
        Self { matrix2: Mat2::from_diagonal(scale), translation: Vec2::ZERO }
    }

    /// Creates a rotation about the origin by an angle in radians, counter-clockwise.
    pub fn from_angle(radians: f32) -> Self {
        Self::from_angle_translation(radians, Vec2::ZERO)
    }

    /// Creates a rotation by an angle in radians that is followed by a movement.
    pub fn from_angle_translation(radians: f32, translation: Vec2) -> Self {
        Self { matrix2: Mat2::from_angle(radians), translation }
    }

    /// Creates a scale that is followed by a rotation by an angle in radians, and a movement.
    pub fn from_scale_angle_translation(scale: Vec2, radians: f32, translation: Vec2) -> Self {
        let Mat2 { x_axis, y_axis } = Mat2::from_angle(radians);
        Self::from_cols(x_axis * scale.x, y_axis * scale.y, translation)
    }

    /// Returns the columns, one after the other.
    pub const fn to_cols_array(&self) -> [f32; 6] {
        let [a, b, c, d] = self.matrix2.to_cols_array();
        [a, b, c, d, self.translation.x, self.translation.y]
    }

    /// Returns what a point becomes.
    #[inline]
    pub fn transform_point2(&self, point: Vec2) -> Vec2 {
        self.matrix2 * point + self.translation
    }

    /// Returns what a direction becomes, which is not moved.
    #[inline]
    pub fn transform_vector2(&self, direction: Vec2) -> Vec2 {
        self.matrix2 * direction
    }

    /// Returns the inverse. It is not finite if the determinant of the matrix is 0.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let matrix2 = self.matrix2.inverse();
        Self { matrix2, translation: -(matrix2 * self.translation) }
    }

    /// Returns true if all numbers are finite.
    pub fn is_finite(&self) -> bool {
        self.matrix2.is_finite() && self.translation.is_finite()
    }

    /// Returns true if no number differs by more than `most`.
    pub fn abs_diff_eq(&self, other: Self, most: f32) -> bool {
        self.matrix2.abs_diff_eq(other.matrix2, most) && self.translation.abs_diff_eq(other.translation, most)
    }

    /// Returns the same transform in double precision.
    pub fn as_daffine2(&self) -> DAffine2 {
        DAffine2 { matrix2: self.matrix2.as_dmat2(), translation: self.translation.as_dvec2() }
    }
}

impl Default for Affine2 {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Mul for Affine2 {
    type Output = Self;

    /// Returns the transform that applies `first`, and then this one.
    #[inline]
    fn mul(self, first: Self) -> Self {
        Self { matrix2: self.matrix2 * first.matrix2, translation: self.transform_point2(first.translation) }
    }
}

impl MulAssign for Affine2 {
    fn mul_assign(&mut self, first: Self) {
        *self = *self * first;
    }
}

impl From<DAffine2> for Affine2 {
    /// Rounds to single precision.
    fn from(transform: DAffine2) -> Self {
        Self { matrix2: transform.matrix2.into(), translation: transform.translation.as_vec2() }
    }
}

impl From<glam::Affine2> for Affine2 {
    fn from(transform: glam::Affine2) -> Self {
        Self { matrix2: transform.matrix2.into(), translation: transform.translation }
    }
}

impl From<Affine2> for glam::Affine2 {
    fn from(transform: Affine2) -> Self {
        Self { matrix2: transform.matrix2.into(), translation: transform.translation }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A feature of glam would change it for every program that uses both.
    #[test]
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    fn glam_is_as_without_this_library() {
        assert_eq!([align_of::<glam::Vec4>(), align_of::<glam::Affine2>()], [16; 2]);
        assert_eq!([size_of::<Affine2>(), align_of::<Affine2>()], [24, 4]);
    }

    #[test]
    fn transforms_agree_with_those_of_glam() {
        let ours = Affine2::from_scale_angle_translation(vec2(2.0, -0.5), 0.75, vec2(3.0, -7.0));
        let glams: glam::Affine2 = ours.into();
        let point = vec2(0.25, 11.0);
        let twice = Affine2::from(glams * glams);
        assert!(ours.transform_point2(point).abs_diff_eq(glams.transform_point2(point), 1e-5));
        assert!((ours * ours).abs_diff_eq(twice, 1e-5));
        assert!(ours.inverse().abs_diff_eq(glams.inverse().into(), 1e-5));
        assert!((ours.matrix2.determinant() - glams.matrix2.determinant()).abs() < 1e-6);
        assert!((ours * ours.inverse()).abs_diff_eq(Affine2::IDENTITY, 1e-5));
    }
}
