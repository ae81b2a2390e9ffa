//! Bones, points, bounds, hit tests and drawing. World pixels, y up.

use super::Animator;
use crate::draw::{DrawList, Portion, View};
use crate::error::Result;
use crate::math::{Affine2, Rect, Vec2};
use crate::model::{BoneId, Select, SlotId};
use crate::pose::{self, PlacedPoint, SkinMatrix};

impl Animator {
    /// Rebuilds `list` from the pose. The view only affects the outlines of meshes without a picture.
    pub fn build_draw_list(&self, view: &View, list: &mut DrawList) {
        self.build_portion(view, 0, usize::MAX, list);
    }

    /// Like [`Self::build_draw_list`], but split at a slot: one list for everything up to and including the slot, and one for
    /// what is in front of it.
    /// Between them, draw what the slot's bone carries: a sprite, or another character whose placement follows
    /// [`Self::bone`]. If the slot is not drawn at all, everything is behind.
    ///
    /// # Errors
    ///
    /// Fails if the character has no such slot.
    pub fn build_draw_list_around(
        &self,
        slot: impl Select<SlotId>,
        view: &View,
        behind: &mut DrawList,
        front: &mut DrawList,
    ) -> Result<()> {
        let slot = slot.select(self.model())?;
        let order = &self.pose.draw_order;
        let first = order.iter().position(|other| *other == slot).map_or(order.len(), |at| at + 1);
        self.build_portion(view, 0, first, behind);
        self.build_portion(view, first, usize::MAX, front);
        Ok(())
    }

    fn build_portion(&self, view: &View, first: usize, count: usize, list: &mut DrawList) {
        let portion = Portion { tint: self.whole_tint, first, count };
        list.build_with(self.model(), &self.pose, &self.palette, view, portion);
    }

    /// Returns the transform of a bone, `world_from_bone`.
    ///
    /// # Errors
    ///
    /// Fails if the character has no such bone.
    pub fn bone(&self, bone: impl Select<BoneId>) -> Result<Affine2> {
        let bone = bone.select(self.model())?;
        Ok(self.pose.world_from_bone.get(bone.index()).copied().unwrap_or(Affine2::ZERO))
    }

    /// Returns the position and direction of the point that a slot shows, such as a muzzle; `None` if it shows no
    /// point.
    ///
    /// # Errors
    ///
    /// Fails if the character has no such slot.
    pub fn point(&self, slot: impl Select<SlotId>) -> Result<Option<PlacedPoint>> {
        let slot = slot.select(self.model())?;
        Ok(pose::point(self.model(), &self.pose, slot, &self.palette))
    }

    /// Returns the bounding rectangle of everything visible; empty if nothing is.
    pub fn bounds(&self) -> Rect {
        pose::bounds(self.model(), &self.pose, &self.palette)
    }

    /// Returns the bounding rectangle of the region or mesh that a slot shows; empty if it shows none.
    ///
    /// # Errors
    ///
    /// Fails if the character has no such slot.
    pub fn slot_bounds(&self, slot: impl Select<SlotId>) -> Result<Rect> {
        let slot = slot.select(self.model())?;
        Ok(pose::slot_bounds(self.model(), &self.pose, slot, &self.palette))
    }

    /// Returns the frontmost slot with a picture at `at`, however transparent it is there; see [`pose::mesh_at`].
    pub fn hit(&self, at: Vec2) -> Option<SlotId> {
        pose::mesh_at(self.model(), &self.pose, &self.palette, at)
    }

    /// Returns the frontmost slot with a bounding box at `at`; see [`pose::bounding_box_at`].
    pub fn hit_bounding_box(&self, at: Vec2) -> Option<SlotId> {
        pose::bounding_box_at(self.model(), &self.pose, &self.palette, at)
    }

    /// Writes the corners of the bounding box that a slot shows into `corners`. Returns false if it shows none.
    ///
    /// # Errors
    ///
    /// Fails if the character has no such slot.
    pub fn bounding_box(&self, slot: impl Select<SlotId>, corners: &mut Vec<Vec2>) -> Result<bool> {
        let slot = slot.select(self.model())?;
        Ok(pose::bounding_box(self.model(), &self.pose, slot, &self.palette, corners))
    }

    /// Writes the corners of the clip mask that a slot shows into `corners`. Returns false if it shows none.
    ///
    /// # Errors
    ///
    /// Fails if the character has no such slot.
    pub fn clip_polygon(&self, slot: impl Select<SlotId>, corners: &mut Vec<Vec2>) -> Result<bool> {
        let slot = slot.select(self.model())?;
        Ok(pose::clip_polygon(self.model(), &self.pose, slot, &self.palette, corners))
    }

    /// Takes the displacement of a bone by animations out of the pose, where it stays at its position at rest, so that the
    /// program can move the character by [`Self::root_motion`] instead. `None` leaves it in, which is the default.
    ///
    /// ```
    /// # use pchr::math::Affine2;
    /// # let mut lamp = pchr::Animator::open("assets/paper-lamp.json")?;
    /// lamp.set_root_motion(lamp.model().skeleton().find("base"));
    /// lamp.play("hop")?;
    /// lamp.update(0.5);
    /// let moved = lamp.root_motion();
    /// assert!(moved.y > 10.0);
    /// lamp.set_placement(Affine2::from_translation(moved) * lamp.placement());
    /// # Ok::<(), pchr::Error>(())
    /// ```
    pub fn set_root_motion(&mut self, bone: Option<BoneId>) {
        self.root_motion = bone.map(|bone| (bone, Vec2::ZERO));
        self.is_stale = true;
    }

    /// Returns by how much animations would have moved the bone of [`Self::set_root_motion`] in the last update, in the
    /// world. Loops add up; a seek does not count. In a fade, the displacements are mixed.
    pub fn root_motion(&self) -> Vec2 {
        let Some((bone, moved)) = self.root_motion else { return Vec2::ZERO };
        let parent = self.model().skeleton().bones().get(bone.index()).and_then(|bone| bone.parent);
        let world = parent.and_then(|parent| self.pose.world_from_bone.get(parent.index()));
        world.unwrap_or(&self.placement).transform_vector2(moved)
    }

    /// Returns the skinning matrices of the pose: `world_from_bind` of every bone.
    pub fn palette(&self) -> &[SkinMatrix] {
        &self.palette
    }
}
