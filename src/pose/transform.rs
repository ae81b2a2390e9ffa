//! Matrices of bones as position, rotation, scale and shear, for people to read.

use super::Pose;
use crate::math::angle::{atan2_degrees, wrap_degrees};
use crate::math::{Affine2, Vec2, vec2};
use crate::model::{BoneId, Model};

/// A matrix taken apart: `x axis = scale.x · direction(rotation)`, `y axis = scale.y · direction(rotation + 90 +
/// shear)`.
#[derive(Debug, Clone, Copy)]
pub struct Transform {
    /// In pixels, y up.
    pub position: Vec2,
    /// Direction of the x axis in degrees, counter-clockwise, -180 to 180.
    pub rotation_degrees: f32,
    /// Lengths of the axes. The y scale of a reflection is negative.
    pub scale: Vec2,
    /// Degrees by which the angle between the axes exceeds 90, -90 to 90.
    pub shear_degrees: f32,
}

impl From<Affine2> for Transform {
    fn from(affine: Affine2) -> Self {
        let (x_axis, y_axis) = (affine.matrix2.x_axis, affine.matrix2.y_axis);
        let angle = |axis: Vec2| atan2_degrees(axis.y.into(), axis.x.into());
        let is_reflected = affine.matrix2.determinant() < 0.0;
        let y_axis = if is_reflected { -y_axis } else { y_axis };
        let height = y_axis.length();
        // An axis without a length has no direction: assume a right angle.
        let across = angle(y_axis) - 90.0;
        let rotation = match x_axis == Vec2::ZERO {
            true if y_axis == Vec2::ZERO => 0.0,
            true => across,
            false => angle(x_axis),
        };
        let shear = if y_axis == Vec2::ZERO { 0.0 } else { wrap_degrees(across - rotation) };
        Self {
            position: affine.translation,
            rotation_degrees: wrap_degrees(rotation) as f32,
            scale: vec2(x_axis.length(), if is_reflected { -height } else { height }),
            shear_degrees: shear as f32,
        }
    }
}

impl Pose {
    /// Returns the transform from the space of `bone` to the space of its parent, or to the world for a root. Returns
    /// `None` if the pose has no such bone, or the parent is scaled to nothing.
    ///
    /// This is the result of evaluation, constraints and physics included. If the bone does not inherit everything from
    /// its parent, it differs from the values of its keys.
    pub fn parent_from_bone(&self, model: &Model, bone: BoneId) -> Option<Affine2> {
        let world_from_bone = *self.world_from_bone.get(bone.index())?;
        let Some(parent) = model.skeleton().bones().get(bone.index())?.parent else {
            return Some(world_from_bone);
        };
        let world_from_parent = *self.world_from_bone.get(parent.index())?;
        let determinant = world_from_parent.matrix2.determinant();
        let is_invertible = determinant != 0.0 && determinant.is_finite();
        is_invertible.then(|| world_from_parent.inverse() * world_from_bone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Mat2;

    fn taken_apart(x_axis: Vec2, y_axis: Vec2) -> [f32; 4] {
        let matrix2 = Mat2::from_cols(x_axis, y_axis);
        let found = Transform::from(Affine2 { matrix2, translation: vec2(3.0, 4.0) });
        assert_eq!(found.position, vec2(3.0, 4.0));
        [found.rotation_degrees, found.scale.x, found.scale.y, found.shear_degrees]
            .map(|value| (value * 1e3).round() / 1e3)
    }

    #[test]
    fn matrices_are_taken_apart() {
        assert_eq!(taken_apart(Vec2::X, Vec2::Y), [0.0, 1.0, 1.0, 0.0]);
        assert_eq!(taken_apart(vec2(0.0, 2.0), vec2(-3.0, 0.0)), [90.0, 2.0, 3.0, 0.0]);
        assert_eq!(taken_apart(Vec2::X, vec2(0.0, -2.0)), [0.0, 1.0, -2.0, 0.0], "a reflection");
        assert_eq!(taken_apart(-Vec2::X, Vec2::Y), [180.0, 1.0, -1.0, 0.0]);
        assert_eq!(taken_apart(Vec2::X, vec2(1.0, 1.0)), [0.0, 1.0, 1.414, -45.0], "a shear");
    }

    #[test]
    fn axes_of_length_zero_have_no_shear() {
        assert_eq!(taken_apart(Vec2::ZERO, Vec2::ZERO), [0.0; 4]);
        assert_eq!(taken_apart(vec2(0.0, 2.0), Vec2::ZERO), [90.0, 2.0, 0.0, 0.0]);
        assert_eq!(taken_apart(Vec2::ZERO, vec2(-2.0, 0.0)), [90.0, 0.0, 2.0, 0.0]);
    }
}
