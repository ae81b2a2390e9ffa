//! From a bone's local pose to its matrix and back.

use super::parts::BoneLocal;
use super::{Rig, Scratch};
use crate::math::angle::{atan2_degrees, sin_cos_degrees_f64};
use crate::math::{DAffine2, DMat2, DVec2, dvec2};

/// A bone, without what the model has of it.
#[derive(Debug, Clone)]
pub(crate) struct Bone {
    /// An earlier bone.
    pub parent: Option<u32>,
    /// At rest.
    pub setup: BoneLocal,
    /// From its origin along its x axis.
    pub length: f64,
    pub inherit: Inherit,
    /// There only with a skin that has it.
    pub needs_skin: bool,
}

/// What a bone takes over from its parent beside its place.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Inherit {
    /// Everything.
    #[default]
    Normal,
    /// Nothing.
    OnlyTranslation,
    /// Scale and shear.
    NoRotationOrReflection,
    /// Rotation and reflection.
    NoScale,
    /// Rotation.
    NoScaleOrReflection,
}

/// Lengths below this are none.
pub(super) const TINY: f64 = 1e-5;

/// The unit vector in a direction.
#[inline]
pub(super) fn direction(degrees: f64) -> DVec2 {
    let (sin, cos) = sin_cos_degrees_f64(degrees);
    dvec2(cos, sin)
}

/// A turn by an angle.
#[inline]
pub(super) fn turn(degrees: f64) -> DMat2 {
    let x = direction(degrees);
    DMat2::from_cols(x, x.perp())
}

/// Adds or subtracts at most one turn to bring a difference of angles nearer to 0. Where several angles were
/// subtracted it may still lie beyond half a turn, and constraints mix it as it then is.
pub(super) fn wrap_once(degrees: f64) -> f64 {
    if degrees > 180.0 {
        degrees - 360.0
    } else if degrees < -180.0 {
        degrees + 360.0
    } else {
        degrees
    }
}

/// The angle of a vector.
#[inline]
pub(super) fn angle(vector: DVec2) -> f64 {
    atan2_degrees(vector.y, vector.x)
}

/// Axes at these angles and of these lengths.
#[inline]
fn axes(x_degrees: f64, y_degrees: f64, scale: DVec2) -> DMat2 {
    DMat2::from_cols(direction(x_degrees) * scale.x, direction(y_degrees) * scale.y)
}

/// The axes of a bone in the space that it hangs in.
#[inline]
fn local_axes(local: &BoneLocal) -> DMat2 {
    let x = local.rotation + local.shear.x;
    if local.shear.x == local.shear.y {
        // The usual case: at right angles.
        let x = direction(x);
        return DMat2::from_cols(x * local.scale.x, x.perp() * local.scale.y);
    }
    axes(x, local.rotation + 90.0 + local.shear.y, local.scale)
}

/// What is left of a parent's matrix without its rotation and reflection: a stretch along the direction of its x
/// axis and one across.
pub(super) fn stretch_of(parent: DMat2) -> DMat2 {
    let (upright, degrees) = upright(parent);
    upright * turn(degrees).transpose()
}

/// A parent's matrix without its shear and reflection, and the angle of its x axis.
pub(super) fn upright(parent: DMat2) -> (DMat2, f64) {
    let squared = parent.x_axis.length_squared();
    let (along, across, degrees) = if squared > 1e-4 {
        let along = squared.sqrt();
        (along, parent.determinant().abs() / along, angle(parent.x_axis))
    } else {
        (0.0, parent.y_axis.length(), 90.0 - angle(parent.y_axis))
    };
    (turn(degrees) * DMat2::from_diagonal(dvec2(along, across)), degrees)
}

/// The axes of a bone whose parent has these.
fn world_axes(parent: DMat2, inherit: Inherit, local: &BoneLocal) -> DMat2 {
    match inherit {
        Inherit::Normal => parent * local_axes(local),
        Inherit::OnlyTranslation => local_axes(local),
        Inherit::NoRotationOrReflection => stretch_of(parent) * local_axes(local),
        Inherit::NoScale | Inherit::NoScaleOrReflection => {
            // Where the parent turns the bone, at its own size and at right angles.
            let turned = parent * direction(local.rotation);
            let length = turned.length();
            let x = if length > TINY { turned / length } else { turned };
            let mirrored = inherit == Inherit::NoScale && parent.determinant() < 0.0;
            let y = if mirrored { -x.perp() } else { x.perp() };
            DMat2::from_cols(x, y) * axes(local.shear.x, 90.0 + local.shear.y, local.scale)
        }
    }
}

impl Rig {
    /// The matrix of a bone's parent.
    #[inline]
    pub(super) fn world_from_parent(&self, bone: usize, scratch: &Scratch) -> DAffine2 {
        match self.bones[bone].parent {
            Some(parent) => scratch.world[parent as usize],
            None => DAffine2::IDENTITY,
        }
    }

    /// Works out a bone's matrix from this local pose.
    #[inline]
    pub(super) fn place(&self, bone: usize, local: BoneLocal, scratch: &mut Scratch) {
        let data = &self.bones[bone];
        scratch.world[bone] = match data.parent {
            Some(parent) => {
                let parent = scratch.world[parent as usize];
                DAffine2 {
                    matrix2: world_axes(parent.matrix2, data.inherit, &local),
                    translation: parent.transform_point2(local.translation),
                }
            }
            None => DAffine2 { matrix2: local_axes(&local), translation: local.translation },
        };
        scratch.applied[bone] = local;
        scratch.is_applied_valid[bone] = true;
    }

    /// A bone's local pose with what constraints did to it, told from its matrix where they changed only that.
    pub(super) fn applied(&self, bone: usize, scratch: &mut Scratch) -> BoneLocal {
        if !scratch.is_applied_valid[bone] {
            let parent = self.world_from_parent(bone, scratch);
            scratch.applied[bone] = local_of(parent, scratch.world[bone]);
            scratch.is_applied_valid[bone] = true;
        }
        scratch.applied[bone]
    }
}

/// The local pose that gives a matrix below a parent that is inherited whole.
fn local_of(parent: DAffine2, world: DAffine2) -> BoneLocal {
    let inverse = if parent.matrix2.determinant() == 0.0 { DMat2::ZERO } else { parent.matrix2.inverse() };
    let DMat2 { x_axis: x, y_axis: y } = inverse * world.matrix2;
    let translation = inverse * (world.translation - parent.translation);
    let length = x.length();
    if length <= TINY {
        let (rotation, shear) = (90.0 - angle(y), DVec2::ZERO);
        return BoneLocal { translation, rotation, scale: dvec2(0.0, y.length()), shear };
    }
    let determinant = x.perp_dot(y);
    BoneLocal {
        translation,
        rotation: angle(x),
        scale: dvec2(length, determinant / length),
        shear: dvec2(0.0, atan2_degrees(x.dot(y), determinant)),
    }
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
