//! A character at one instant.
//!
//! Every evaluator in [`motion`](crate::motion) writes a [`Pose`]; later stages are independent of the file
//! format. World space: pixels, y up.

mod extent;
mod query;
mod skinning;
mod transform;
mod work;

use std::ops::Range;

pub use extent::Extent;
pub use query::{PlacedPoint, bounding_box, bounding_box_at, clip_polygon, mesh_at, point, slot_bounds};
pub(crate) use query::{mask_corners, polygon_contains};
pub use skinning::{
    SkinMatrix, bounds, deformed_world_position, for_each_deformed_vertex, for_each_listed_vertex, palette,
};
pub(crate) use skinning::{expect_palette, listed_world_position};
#[cfg(test)]
#[cfg(all(feature = "formats-all", feature = "gpu"))]
pub(crate) use skinning::{skin_n, skin_n_deformed};
pub use transform::Transform;
pub use work::bounds_work;
pub(crate) use work::{listed_vertices_work, vertices_work};

use crate::math::{Affine2, Vec2};
use crate::misuse;
use crate::model::{AttachmentId, BoneId, Model, SlotId, Tint};

use skinning::mesh_bounds;

/// One evaluated instant. It is only a result: evaluating another instant does not depend on it. An
/// [`Evaluator`](crate::motion::Evaluator) writes the next one into the same memory.
///
/// A pose belongs to the model of the character that it was evaluated for. Functions that take both panic if the
/// numbers of bones or slots differ. A pose that was never evaluated shows nothing, for any model.
///
/// ```
/// # use pchr::{Character, motion::{Cue, evaluate}, pose::Pose};
/// let character = Character::open("assets/paper-knight.pchr")?;
/// let mut pose = Pose::default();
/// evaluate(&character, &Cue::default(), &mut pose);
/// let head = character.model().skeleton().find("head").expect("the knight has a head");
/// let position = pose.world_from_bone[head.index()].translation; // world pixels, y up
/// assert!(position.y > 0.0);
/// # Ok::<(), pchr::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Pose {
    /// One matrix per bone, in bone order.
    pub world_from_bone: Vec<Affine2>,
    /// One state per slot, in slot order.
    pub slots: Vec<SlotPose>,
    /// The drawn slots, back to front.
    pub draw_order: Vec<SlotId>,
    /// Deform offsets of influences, in the space of each influence's bone in pixels; each slot names its range.
    pub deform: Vec<Vec2>,
    /// Inactive bones, in bone order. They move nothing and hide their slots.
    pub inactive_bones: Vec<BoneId>,
}

impl Clone for Pose {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    /// Keeps the memory of `self`.
    fn clone_from(&mut self, source: &Self) {
        let Self { world_from_bone, slots, draw_order, deform, inactive_bones } = self;
        world_from_bone.clone_from(&source.world_from_bone);
        slots.clone_from(&source.slots);
        draw_order.clone_from(&source.draw_order);
        deform.clone_from(&source.deform);
        inactive_bones.clone_from(&source.inactive_bones);
    }
}

impl PartialEq for Pose {
    fn eq(&self, other: &Self) -> bool {
        let Self { world_from_bone, slots, draw_order, deform: _, inactive_bones } = self;
        *world_from_bone == other.world_from_bone
            && *slots == other.slots
            && *draw_order == other.draw_order
            && *inactive_bones == other.inactive_bones
            && slots.iter().all(|slot| self.deform_of(slot) == other.deform_of(slot))
    }
}

/// The state of a slot at one instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SlotPose {
    /// The attachment shown; `None` if the slot is empty.
    pub attachment: Option<AttachmentId>,
    /// Tint of the slot, without the tint of the attachment.
    pub tint: Tint,
    /// Range of its deform offsets in [`Pose::deform`].
    pub deform: DeformSpan,
}

/// A range of [`Pose::deform`]: one offset per influence of the attachment, or none if it is not deformed.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct DeformSpan {
    /// Index of the first offset.
    pub first: u32,
    /// Number of offsets.
    pub count: u32,
}

impl DeformSpan {
    /// No deformation.
    pub const NONE: Self = Self { first: 0, count: 0 };

    /// Returns the range of indices.
    pub(crate) fn range(self) -> Range<usize> {
        let first = self.first as usize;
        first..first.saturating_add(self.count as usize)
    }
}

impl Pose {
    /// Returns an empty pose with room for every bone and slot of `model`.
    pub fn for_model(model: &Model) -> Self {
        Self {
            world_from_bone: Vec::with_capacity(model.skeleton().bones().len()),
            slots: Vec::with_capacity(model.slots().len()),
            draw_order: Vec::with_capacity(model.slots().len()),
            deform: Vec::new(),
            inactive_bones: Vec::new(),
        }
    }

    /// Moves all of it and tints it, as a stage does with a character.
    pub fn place(&mut self, stage_from_world: Affine2, tint: &Tint) {
        self.world_from_bone.iter_mut().for_each(|bone| *bone = stage_from_world * *bone);
        if *tint != Tint::NONE {
            self.slots.iter_mut().for_each(|slot| slot.tint = slot.tint.followed_by(tint));
        }
    }

    /// Returns the deform offsets of what `slot` shows; empty if it is not deformed.
    pub fn deform_of(&self, slot: &SlotPose) -> &[Vec2] {
        self.deform.get(slot.deform.range()).unwrap_or_default()
    }

    /// Returns true if the bone of `slot` is active. The slot of an inactive bone is neither drawn nor used as a
    /// clip mask.
    pub fn is_slot_active(&self, model: &Model, slot: SlotId) -> bool {
        // In most poses all bones are active.
        self.inactive_bones.is_empty() || {
            let bone = model.slots().get(slot.index()).and_then(|slot| slot.bone);
            bone.is_none_or(|bone| self.inactive_bones.binary_search(&bone).is_err())
        }
    }

    /// Returns the visible attachments of `model`, back to front.
    ///
    /// # Panics
    ///
    /// If the pose belongs to another model, or its draw order names a slot that it lacks.
    #[track_caller]
    pub fn visible_attachments(&self, model: &Model) -> impl Iterator<Item = AttachmentId> {
        self.expect_of(model);
        let there = self.draw_order.iter().filter(|slot| self.is_slot_active(model, **slot));
        there.filter_map(|slot| self.slot(*slot).attachment)
    }

    /// Panics if the numbers of bones and slots show that the pose belongs to another model. A pose that was never
    /// evaluated fits any model.
    #[track_caller]
    pub(crate) fn expect_of(&self, model: &Model) {
        let found = [self.world_from_bone.len(), self.slots.len()];
        let expected = [model.skeleton().bones().len(), model.slots().len()];
        let is_blank = found == [0, 0] && self.draw_order.is_empty();
        misuse::expect(is_blank || found == expected, || {
            let ([bones, slots], [of_model, and_slots]) = (found, expected);
            format!(
                "the pose belongs to another model: it has {bones} bones and {slots} slots, the model has {of_model} and \
                 {and_slots}"
            )
        });
    }

    /// Returns a slot of the draw order. Panics if the pose lacks it.
    #[inline]
    #[track_caller]
    pub(crate) fn slot(&self, id: SlotId) -> &SlotPose {
        match self.slots.get(id.index()) {
            Some(slot) => slot,
            None => misuse::no_such("slot", id.index(), self.slots.len()),
        }
    }
}
