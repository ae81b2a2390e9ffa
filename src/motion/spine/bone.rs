//! Local pose of a bone → matrix, and back.

use super::axes::{angle, axes, direction, inverse, local_axes, turn, wrap_once};
use super::old::Poses;
use super::parts::{Applied, BoneLocal, Inherit, Step};
use super::{Rig, Rules, Scratch};
use crate::math::angle::atan2_degrees;
use crate::math::{DAffine2, DMat2, DVec2, dvec2};

/// The properties of a bone that the model does not have.
#[derive(Debug, Clone)]
pub(crate) struct Bone {
    /// Index of the parent, an earlier bone.
    pub parent: Option<u32>,
    /// Length along its x axis.
    pub length: f64,
    /// Only active in skins that contain it.
    pub needs_skin: bool,
}

/// Lengths below this count as zero.
pub(super) const TINY: f64 = 1e-5;

/// Returns a parent's matrix without its rotation and reflection: a stretch along the direction of its x axis and
/// one across it.
pub(super) fn stretch_of(parent: DMat2) -> DMat2 {
    let (turn, stretch, _) = upright(parent);
    turn * stretch * turn.transpose()
}

/// Returns a parent's matrix without its shear and reflection, as a rotation and a stretch along the axes before it, and
/// the angle of its x axis.
#[inline]
pub(super) fn upright(parent: DMat2) -> (DMat2, DMat2, f64) {
    let squared = parent.x_axis.length_squared();
    let (along, across, degrees) = if squared > 1e-4 {
        let along = squared.sqrt();
        (along, parent.determinant().abs() / along, angle(parent.x_axis))
    } else {
        (0.0, parent.y_axis.length(), 90.0 - angle(parent.y_axis))
    };
    (turn(degrees), DMat2::from_diagonal(dvec2(along, across)), degrees)
}

/// Returns a parent's matrix without its shear.
fn unsheared(parent: DMat2) -> DMat2 {
    let x = parent.x_axis;
    let squared = x.length_squared();
    let across = if squared > 0.0 { parent.determinant() / squared } else { 0.0 };
    DMat2::from_cols(x, x.perp() * across)
}

/// Returns the direction that the parent gives a bone that inherits no scale, and one perpendicular to it.
pub(super) fn frame(parent: DMat2, degrees: f64, inherit: Inherit) -> DMat2 {
    let turned = parent * direction(degrees);
    let length = turned.length();
    let x = if length > TINY { turned / length } else { turned };
    let mirrored = inherit == Inherit::NoScale && parent.determinant() < 0.0;
    DMat2::from_cols(x, if mirrored { -x.perp() } else { x.perp() })
}

/// Returns a bone's matrix from its parent's matrix and its local pose, which must not inherit by the rules of an old
/// version.
#[cfg(feature = "convert")]
pub(crate) fn world_within(parent: Option<&DAffine2>, local: &BoneLocal) -> DAffine2 {
    world_of(parent, local, &DAffine2 { matrix2: local_axes(local), translation: local.translation })
}

/// Like [`Rig::world_of`], for versions since 3.6.
fn world_of(parent: Option<&DAffine2>, local: &BoneLocal, within: &DAffine2) -> DAffine2 {
    let Some(parent) = parent else { return *within };
    let matrix2 = match local.inherit {
        Inherit::Normal | Inherit::Old(_) => return parent * within,
        Inherit::OnlyTranslation => within.matrix2,
        Inherit::NoRotationOrReflection => stretch_of(parent.matrix2) * within.matrix2,
        Inherit::NoScale | Inherit::NoScaleOrReflection => {
            let axes = axes(local.shear.x, 90.0 + local.shear.y, local.scale);
            frame(parent.matrix2, local.rotation, local.inherit) * axes
        }
    };
    DAffine2 { matrix2, translation: parent.transform_point2(within.translation) }
}

impl Rig {
    /// Adds a bone, which has this local pose at rest.
    pub fn push_bone(&mut self, bone: Bone, rest: BoneLocal) {
        self.bones.push(bone);
        self.rest.push(rest);
        self.rest_within.push(DAffine2 { matrix2: local_axes(&rest), translation: rest.translation });
    }

    /// Returns the step that computes a bone for the first time.
    pub(super) fn first_step(&self, bone: usize) -> Step {
        Step::Bone { bone: bone as u32, parent: self.bones[bone].parent.unwrap_or(Step::NO_PARENT) }
    }

    /// Returns the matrix of a bone's parent.
    #[inline]
    pub(super) fn world_from_parent(&self, bone: usize, scratch: &Scratch) -> DAffine2 {
        match self.bones[bone].parent {
            Some(parent) => scratch.world[parent as usize],
            None => DAffine2::IDENTITY,
        }
    }

    /// Returns a bone's matrix from its parent's matrix and its local pose, with the matrix of that.
    #[inline(never)]
    fn world_of(
        &self,
        bone: usize,
        parent: Option<&DAffine2>,
        local: &BoneLocal,
        within: &DAffine2,
        poses: Poses<'_>,
    ) -> DAffine2 {
        match (local.inherit, parent) {
            (Inherit::Old(old), _) => self.old_world(bone, local, old, parent, poses),
            (Inherit::NoScale, Some(above))
                if self.rules.shears_mirrored_oppositely && above.matrix2.determinant() < 0.0 =>
            {
                world_of(parent, &BoneLocal { shear: -local.shear, ..*local }, within)
            }
            _ => world_of(parent, local, within),
        }
    }

    /// Computes a bone's matrix from this local pose.
    pub(super) fn place(&self, bone: usize, local: BoneLocal, scratch: &mut Scratch) {
        let parent = self.bones[bone].parent.map(|parent| &scratch.world[parent as usize]);
        let within = DAffine2 { matrix2: local_axes(&local), translation: local.translation };
        scratch.world[bone] = self.world_of(bone, parent, &local, &within, scratch.poses());
        scratch.applied[bone] = Applied::To(local);
    }

    /// Computes a bone's matrix from its local pose including the effects of constraints.
    pub(super) fn place_applied(&self, bone: usize, scratch: &mut Scratch) {
        match scratch.applied[bone] {
            Applied::AsAnimated => _ = self.place_first(&[self.first_step(bone)], scratch),
            Applied::To(_) | Applied::OnlyMatrix | Applied::OnlyMatrixWithin(_) => {
                let local = self.applied(bone, scratch);
                self.place(bone, local, scratch);
            }
        }
    }

    /// Computes the matrices of the bones with which the steps begin, as animations have set them, and returns the
    /// other steps.
    #[inline(always)]
    pub(super) fn place_first<'a>(&self, mut steps: &'a [Step], scratch: &mut Scratch) -> &'a [Step] {
        // Lengths are compared here instead of for each bone.
        let count = self.bones.len();
        let poses = Poses { animated: &scratch.local, applied: &scratch.applied };
        let (local, within) = (&scratch.local.poses()[..count], &scratch.local.within()[..count]);
        let world = &mut scratch.world[..count];
        while let Some((&Step::Bone { bone, parent }, after)) = steps.split_first() {
            let bone = bone as usize;
            match (world.get(parent as usize), local[bone].inherit) {
                (Some(parent), Inherit::Normal) => world[bone] = parent * within[bone],
                (parent, _) => world[bone] = self.world_of(bone, parent, &local[bone], &within[bone], poses),
            }
            steps = after;
        }
        steps
    }

    /// Notes that a constraint has changed a bone's matrix.
    #[inline]
    pub(super) fn moved_in_world(&self, bone: usize, scratch: &mut Scratch) {
        scratch.applied[bone] = match self.rules.restarts_bones {
            true => Applied::OnlyMatrix,
            // The bone may be computed again from it, relative to the parent as it is now.
            false => Applied::OnlyMatrixWithin(self.world_from_parent(bone, scratch)),
        };
    }

    /// Returns a bone's local pose including the effects of constraints; computed from its matrix if constraints
    /// only changed that.
    pub(super) fn applied(&self, bone: usize, scratch: &mut Scratch) -> BoneLocal {
        let parent = match scratch.applied[bone] {
            Applied::AsAnimated => return scratch.local[bone],
            Applied::To(local) => return local,
            Applied::OnlyMatrix => self.world_from_parent(bone, scratch),
            Applied::OnlyMatrixWithin(parent) => parent,
        };
        let local = local_of(parent, scratch.world[bone], &scratch.local[bone], &self.rules);
        scratch.applied[bone] = Applied::To(local);
        local
    }
}

/// Decomposes a bone's matrix into a local pose. It gives the same matrix again only if the axes are perpendicular in
/// the space in which they are defined, as in the programs that play such files.
fn local_of(parent: DAffine2, world: DAffine2, before: &BoneLocal, rules: &Rules) -> BoneLocal {
    let inherit = before.inherit;
    let from_parent = inverse(parent.matrix2);
    let translation = from_parent * (world.translation - parent.translation);
    let DMat2 { x_axis: x, y_axis: y } = match inherit {
        _ if !rules.derives_by_inherit => from_parent * world.matrix2,
        Inherit::Normal | Inherit::Old(_) => from_parent * world.matrix2,
        Inherit::OnlyTranslation => world.matrix2,
        Inherit::NoRotationOrReflection if rules.derives_exactly => {
            inverse(stretch_of(parent.matrix2)) * world.matrix2
        }
        Inherit::NoRotationOrReflection => inverse(unsheared(parent.matrix2)) * world.matrix2,
        Inherit::NoScale | Inherit::NoScaleOrReflection => {
            inverse(frame(parent.matrix2, before.rotation, inherit)) * world.matrix2
        }
    };
    let length = x.length();
    if length <= TINY {
        let (rotation, shear) = (90.0 - angle(y), DVec2::ZERO);
        return BoneLocal { translation, rotation, scale: dvec2(0.0, y.length()), shear, inherit };
    }
    if rules.derives_exactly {
        let sense = if x.perp_dot(y) < 0.0 { -1.0 } else { 1.0 };
        let shear = dvec2(0.0, wrap_once(angle(y * sense) - angle(x)) - 90.0);
        let rotation = match inherit {
            Inherit::NoScale | Inherit::NoScaleOrReflection => angle(from_parent * world.matrix2.x_axis),
            Inherit::Normal | Inherit::OnlyTranslation | Inherit::NoRotationOrReflection | Inherit::Old(_) => {
                angle(x)
            }
        };
        return BoneLocal { translation, rotation, scale: dvec2(length, y.length() * sense), shear, inherit };
    }
    let determinant = x.perp_dot(y);
    let shear = atan2_degrees(x.dot(y), determinant);
    BoneLocal {
        translation,
        rotation: angle(x),
        scale: dvec2(length, determinant / length),
        shear: dvec2(0.0, if rules.derives_opposite_shear { shear } else { -shear }),
        inherit,
    }
}
