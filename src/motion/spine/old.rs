//! Matrices of bones by the rules of 2.1, and of 3.0 to 3.4 where a bone inherits only rotation or only scale.
//!
//! These follow from the local poses of all ancestors. The matrix of the parent alone does not determine them.

use super::axes::{angle, local_axes, turn};
use super::locals::Locals;
use super::parts::{Applied, BoneLocal, Inherit};
use super::{Rig, Scratch};
use crate::math::{DAffine2, DMat2, DVec2, dvec2};

/// What a bone inherits besides the translation, and whether it is flipped, in versions before 3.5.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OldInherit {
    pub rotation: bool,
    pub scale: bool,
    /// Mirrored in the world, not along its own axes. Children are mirrored, too. Only in 2.1.
    pub flip_x: bool,
    pub flip_y: bool,
}

/// Where a bone of 2.1 points in the world. It has no skew.
struct Upright {
    degrees: f64,
    scale: DVec2,
    /// 1 or -1 for each axis of the world.
    flip: DVec2,
}

impl Inherit {
    /// What old versions know of an inheritance.
    fn as_old(self) -> OldInherit {
        let all = OldInherit { rotation: true, scale: true, flip_x: false, flip_y: false };
        match self {
            Self::Old(old) => old,
            Self::OnlyTranslation => OldInherit { rotation: false, scale: false, ..all },
            // The others came later.
            Self::Normal | Self::NoRotationOrReflection | Self::NoScale | Self::NoScaleOrReflection => all,
        }
    }
}

/// The local poses of bones in the middle of an evaluation.
#[derive(Clone, Copy)]
pub(super) struct Poses<'a> {
    pub animated: &'a Locals,
    pub applied: &'a [Applied],
}

impl Poses<'_> {
    /// The pose of a bone as animations and inverse kinematics have set it.
    fn of(self, bone: usize) -> BoneLocal {
        match self.applied[bone] {
            Applied::To(local) => local,
            Applied::AsAnimated | Applied::OnlyMatrix | Applied::OnlyMatrixWithin(_) => self.animated[bone],
        }
    }
}

impl Rig {
    /// Returns the matrix of a bone that inherits as in an old version.
    pub(super) fn old_world(
        &self,
        bone: usize,
        local: &BoneLocal,
        old: OldInherit,
        parent: Option<&DAffine2>,
        poses: Poses<'_>,
    ) -> DAffine2 {
        let ancestor = self.bones[bone].parent;
        let matrix2 = if self.rules.adds_rotations {
            let Upright { degrees, scale, flip } = self.upright(ancestor, local, old, poses);
            DMat2::from_diagonal(flip) * turn(degrees) * DMat2::from_diagonal(scale)
        } else {
            self.one_sided(ancestor, local, old, poses)
        };
        let place = local.translation;
        DAffine2 { matrix2, translation: parent.map_or(place, |parent| parent.transform_point2(place)) }
    }

    /// Returns how far a bone of 2.1 turns to point at a target: as numbers, even if the other way round is shorter. Below
    /// an odd number of flips, it points at the mirrored target.
    pub(super) fn upright_way(&self, bone: usize, local: &BoneLocal, target: DVec2, scratch: &Scratch) -> f64 {
        let toward = target - self.world_from_parent(bone, scratch).transform_point2(local.translation);
        let Some(parent) = self.bones[bone].parent.map(|parent| parent as usize) else {
            return angle(toward) - local.rotation;
        };
        let poses = scratch.poses();
        let above = poses.of(parent);
        let above = self.upright(self.bones[parent].parent, &above, above.inherit.as_old(), poses);
        let degrees = if above.flip.x == above.flip.y { angle(toward) } else { -angle(toward) };
        let turned = if local.inherit.as_old().rotation { above.degrees } else { 0.0 };
        degrees - turned - local.rotation
    }

    /// A bone of 2.1 in the world.
    fn upright(
        &self,
        mut parent: Option<u32>,
        local: &BoneLocal,
        mut inherits: OldInherit,
        poses: Poses<'_>,
    ) -> Upright {
        let sign =
            |old: OldInherit| dvec2(if old.flip_x { -1.0 } else { 1.0 }, if old.flip_y { -1.0 } else { 1.0 });
        let mut world = Upright { degrees: local.rotation, scale: local.scale, flip: sign(inherits) };
        while let Some(ancestor) = parent {
            let above = poses.of(ancestor as usize);
            let of_above = above.inherit.as_old();
            if inherits.rotation {
                world.degrees += above.rotation;
            }
            if inherits.scale {
                world.scale *= above.scale;
            }
            world.flip *= sign(of_above);
            inherits.rotation &= of_above.rotation;
            inherits.scale &= of_above.scale;
            parent = self.bones[ancestor as usize].parent;
        }
        world
    }

    /// The axes of a bone that inherits only rotation, or only scale.
    fn one_sided(
        &self,
        mut parent: Option<u32>,
        local: &BoneLocal,
        inherits: OldInherit,
        poses: Poses<'_>,
    ) -> DMat2 {
        let (mut degrees, mut stretch) = (0.0, DMat2::IDENTITY);
        while let Some(ancestor) = parent {
            let above = poses.of(ancestor as usize);
            if inherits.rotation {
                degrees += above.rotation;
            } else {
                let rotation = match self.rules.stretches_before_reach {
                    true => poses.animated[ancestor as usize].rotation,
                    false => above.rotation,
                };
                let back = if above.scale.x < 0.0 { rotation } else { -rotation };
                stretch *= turn(rotation) * DMat2::from_diagonal(above.scale) * turn(back);
            }
            let above = above.inherit.as_old();
            let continues = if inherits.rotation { above.rotation } else { above.scale };
            parent = self.bones[ancestor as usize].parent.filter(|_| continues);
        }
        turn(degrees) * stretch * local_axes(local)
    }
}
