//! Local poses of bones, and their matrices relative to the parents.

use std::ops::{Index, IndexMut};

use super::Rig;
use super::axes::local_axes;
use super::parts::BoneLocal;
use crate::math::DAffine2;

/// The local pose of each bone. Most bones of an animation stay at rest, so only the others are reset and computed.
///
/// A frame may continue the one before it: poses then stay, except that changes made after animations are undone.
#[derive(Debug, Clone, Default)]
pub(crate) struct Locals {
    poses: Vec<BoneLocal>,
    /// Parent from bone. Those of moved bones are outdated until they are computed.
    within: Vec<DAffine2>,
    /// True for each bone that this frame has changed.
    is_moved: Vec<bool>,
    /// These bones.
    moved: Vec<u32>,
    /// Other bones may differ from rest, too: this frame continues an earlier one.
    continues: bool,
    /// Poses after animations of bones that were changed later.
    before: Vec<(u32, BoneLocal)>,
}

impl Locals {
    /// Sets every bone to its rest pose, whatever was there before.
    pub fn start(&mut self, rig: &Rig) {
        self.poses.clone_from(&rig.rest);
        self.within.clone_from(&rig.rest_within);
        self.is_moved.clear();
        self.is_moved.resize(rig.bones.len(), false);
        self.moved.clear();
        self.continues = false;
        self.before.clear();
    }

    /// Returns bones to their rest poses.
    pub fn reset(&mut self, rig: &Rig) {
        if self.continues {
            return self.start(rig);
        }
        self.before.clear();
        // Lengths are compared here instead of for each bone.
        let count = rig.bones.len();
        let (rest, rest_within) = (&rig.rest[..count], &rig.rest_within[..count]);
        let (poses, within) = (&mut self.poses[..count], &mut self.within[..count]);
        let is_moved = &mut self.is_moved[..count];
        for bone in self.moved.drain(..) {
            let bone = bone as usize;
            poses[bone] = rest[bone];
            within[bone] = rest_within[bone];
            is_moved[bone] = false;
        }
    }

    /// Begins a frame that continues the previous one.
    pub fn resume(&mut self) {
        self.moved.drain(..).for_each(|bone| self.is_moved[bone as usize] = false);
        self.continues = true;
        // The first change of a bone is undone last.
        while let Some((bone, pose)) = self.before.pop() {
            self[bone as usize] = pose;
        }
    }

    /// Returns the pose of a bone to change it after animations: the next frame continues from what it was before.
    pub fn after_animations(&mut self, bone: usize) -> &mut BoneLocal {
        self.before.push((bone as u32, self.poses[bone]));
        &mut self[bone]
    }

    pub fn poses(&self) -> &[BoneLocal] {
        &self.poses
    }

    /// Computes the matrices of moved bones.
    pub fn compute(&mut self, rig: &Rig) {
        for at in 0..self.moved.len() {
            self.compute_one(self.moved[at] as usize, rig);
        }
    }

    /// Computes the matrix of a bone that has been moved.
    #[inline(always)]
    pub fn compute_one(&mut self, bone: usize, rig: &Rig) {
        let (local, rest) = (&self.poses[bone], &rig.rest[bone]);
        let within = &mut self.within[bone];
        within.translation = local.translation;
        let has_axes_of_rest =
            local.rotation == rest.rotation && local.scale == rest.scale && local.shear == rest.shear;
        within.matrix2 = if has_axes_of_rest { rig.rest_within[bone].matrix2 } else { local_axes(local) };
    }

    /// Returns the matrices of bones relative to their parents.
    pub fn within(&self) -> &[DAffine2] {
        &self.within
    }
}

impl Index<usize> for Locals {
    type Output = BoneLocal;

    #[inline]
    fn index(&self, bone: usize) -> &BoneLocal {
        &self.poses[bone]
    }
}

impl IndexMut<usize> for Locals {
    #[inline]
    fn index_mut(&mut self, bone: usize) -> &mut BoneLocal {
        if !self.is_moved[bone] {
            self.is_moved[bone] = true;
            self.moved.push(bone as u32);
        }
        &mut self.poses[bone]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::DVec2;
    use crate::motion::spine::{Bone, Inherit};

    #[test]
    fn only_moved_bones_are_computed_and_reset() {
        let mut rig = Rig::default();
        for parent in [None, Some(0), Some(1)] {
            let rest = BoneLocal {
                translation: DVec2::X,
                rotation: 20.0,
                scale: DVec2::ONE,
                shear: DVec2::ZERO,
                inherit: Inherit::Normal,
            };
            rig.push_bone(Bone { parent, length: 1.0, needs_skin: false }, rest);
        }
        let mut locals = Locals::default();
        locals.start(&rig);
        locals[1].rotation = 110.0;
        locals[1].translation = DVec2::Y;
        locals[1].inherit = Inherit::NoScale;
        locals.compute(&rig);
        let of_rest = |locals: &Locals| [0, 1, 2].map(|bone| locals.within()[bone] == rig.rest_within[bone]);
        assert_eq!((of_rest(&locals), locals.moved.as_slice()), ([true, false, true], &[1][..]));
        assert_eq!(locals.within()[1].translation, DVec2::Y);
        assert_eq!(locals.within()[1].matrix2.x_axis, rig.rest_within[0].matrix2.y_axis);
        locals.reset(&rig);
        assert_eq!((of_rest(&locals), locals.poses()), ([true; 3], rig.rest.as_slice()));
        locals[1].rotation = 30.0;
        locals.compute(&rig);
        assert_eq!(of_rest(&locals), [true, false, true], "moved again after a reset");
        locals.after_animations(2).rotation = 50.0;
        locals.after_animations(2).rotation = 60.0;
        locals.compute(&rig);
        locals.resume();
        locals[0].rotation = 70.0;
        locals.compute(&rig);
        let rotations = |locals: &Locals| [0, 1, 2].map(|bone| locals[bone].rotation);
        assert_eq!(
            (rotations(&locals), of_rest(&locals)),
            ([70.0, 30.0, 20.0], [false, false, true]),
            "continued"
        );
        locals.reset(&rig);
        assert_eq!((of_rest(&locals), rotations(&locals)), ([true; 3], [20.0; 3]), "of any earlier frame");
    }
}
