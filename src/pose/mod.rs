//! What a character looks like at one instant.
//!
//! Every evaluator in [`motion`](crate::motion) writes a [`Pose`]; everything after it
//! knows no format. World space: pixels, y up.

mod query;
mod skinning;
mod work;

use std::ops::Range;

pub use query::{PlacedPoint, bounding_box, bounding_box_at, mesh_at, point, polygon_contains, slot_bounds};
pub use skinning::{
    SkinMatrix, bounds, deformed_world_position, for_each_deformed_vertex, for_each_listed_vertex,
    for_each_vertex, palette, skin_n, skin_n_deformed, skin4, world_position,
};
pub use work::{bounds_work, listed_vertices_work, vertices_work};

use crate::math::{Affine2, Vec2};
use crate::misuse;
use crate::model::{AttachmentId, BoneId, Model, SlotId, Tint};

use skinning::{expect_palette, mesh_bounds};

/// One evaluated instant: a result, and nothing that another evaluation needs. An
/// [`Evaluator`](crate::motion::Evaluator) writes the next one into the same memory.
///
/// A pose belongs to the model of the character that it was evaluated for. Functions that take both panic where the
/// numbers of bones and slots differ; one that was never evaluated shows nothing of any model.
#[derive(Debug, Clone, Default)]
pub struct Pose {
    /// One matrix a bone, in bone order.
    pub world_from_bone: Vec<Affine2>,
    /// One state a slot, in slot order.
    pub slots: Vec<SlotPose>,
    /// The slots that are drawn, back to front.
    pub draw_order: Vec<SlotId>,
    /// By how much influences have moved where their slots say so: pixels in the space of each one's bone.
    pub deform: Vec<Vec2>,
    /// Bones that are not there, and move nothing, in their order.
    pub inactive_bones: Vec<BoneId>,
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

/// A slot at one instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SlotPose {
    /// What is shown; `None`: nothing.
    pub attachment: Option<AttachmentId>,
    /// Its colour, without that of the attachment.
    pub tint: Tint,
    /// Where in [`Pose::deform`] it is told how the attachment is deformed.
    pub deform: DeformSpan,
}

/// A part of [`Pose::deform`]: as many as the attachment has influences, or none where it keeps its shape.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DeformSpan {
    /// Where it begins.
    pub first: u32,
    /// How many there are.
    pub count: u32,
}

impl DeformSpan {
    /// The attachment keeps its shape.
    pub const NONE: Self = Self { first: 0, count: 0 };

    /// The places.
    pub fn range(self) -> Range<usize> {
        let first = self.first as usize;
        first..first.saturating_add(self.count as usize)
    }
}

impl Pose {
    /// An empty pose with room for every bone and slot of `model`.
    pub fn for_model(model: &Model) -> Self {
        Self {
            world_from_bone: Vec::with_capacity(model.skeleton().bones().len()),
            slots: Vec::with_capacity(model.slots().len()),
            draw_order: Vec::with_capacity(model.slots().len()),
            deform: Vec::new(),
            inactive_bones: Vec::new(),
        }
    }

    /// By how much the influences of what `slot` shows have moved; empty where it keeps its shape.
    pub fn deform_of(&self, slot: &SlotPose) -> &[Vec2] {
        self.deform.get(slot.deform.range()).unwrap_or_default()
    }

    /// Whether the bone that `slot` is on is there: where it is not, nothing of the slot is drawn, and it cuts
    /// nothing off.
    pub fn is_there(&self, model: &Model, slot: SlotId) -> bool {
        // Most poses have all of their bones.
        self.inactive_bones.is_empty() || {
            let bone = model.slots().get(slot.index()).and_then(|slot| slot.bone);
            bone.is_none_or(|bone| self.inactive_bones.binary_search(&bone).is_err())
        }
    }

    /// What is shown of `model`, back to front.
    ///
    /// # Panics
    ///
    /// If the pose is of another model, or its draw order names a slot that it lacks.
    #[track_caller]
    pub fn visible_attachments(&self, model: &Model) -> impl Iterator<Item = AttachmentId> {
        self.expect_of(model);
        let there = self.draw_order.iter().filter(|slot| self.is_there(model, **slot));
        there.filter_map(|slot| self.slot(*slot).attachment)
    }

    /// Panics where the numbers of bones and slots say that the pose is of another model. A pose that was never
    /// evaluated shows nothing of any model.
    #[track_caller]
    pub(crate) fn expect_of(&self, model: &Model) {
        let found = [self.world_from_bone.len(), self.slots.len()];
        let expected = [model.skeleton().bones().len(), model.slots().len()];
        let is_blank = found == [0, 0] && self.draw_order.is_empty();
        misuse::expect(is_blank || found == expected, || {
            let ([bones, slots], [of_model, and_slots]) = (found, expected);
            format!(
                "the pose is of another model: it has {bones} bones and {slots} slots, the model has {of_model} and \
                 {and_slots}"
            )
        });
    }

    /// A slot of the draw order. Panics where the pose lacks it.
    #[inline]
    #[track_caller]
    pub(crate) fn slot(&self, id: SlotId) -> &SlotPose {
        match self.slots.get(id.index()) {
            Some(slot) => slot,
            None => misuse::no_such("slot", id.index(), self.slots.len()),
        }
    }
}
