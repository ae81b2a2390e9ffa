//! What a character looks like at one instant.
//!
//! Every evaluator in [`motion`](crate::motion) writes a [`Pose`]; everything after it
//! knows no format. World space: pixels, y up.

mod skinning;

pub use skinning::{SkinMatrix, bounds, for_each_vertex, palette, skin_n, skin4, world_position};

use crate::math::Affine2;
use crate::model::{AttachmentId, Model, SlotId};

/// One evaluated instant. Reuse it: after the first evaluation nothing is allocated.
#[derive(Debug, Clone, Default)]
pub struct Pose {
    /// One matrix a bone, in bone order.
    pub world_from_bone: Vec<Affine2>,
    /// One state a slot, in slot order.
    pub slots: Vec<SlotPose>,
    /// The slots that are drawn, back to front.
    pub draw_order: Vec<SlotId>,
    /// What the draw order was last sorted by: scratch memory, which changes no result.
    pub(crate) order_keys: Vec<u64>,
}

impl PartialEq for Pose {
    fn eq(&self, other: &Self) -> bool {
        let Self { world_from_bone, slots, draw_order, order_keys: _ } = self;
        *world_from_bone == other.world_from_bone && *slots == other.slots && *draw_order == other.draw_order
    }
}

/// A slot at one instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SlotPose {
    /// What is shown; `None`: nothing.
    pub attachment: Option<AttachmentId>,
}

impl Pose {
    /// Room for every bone and slot of `model`, so that evaluating allocates nothing.
    pub fn for_model(model: &Model) -> Self {
        Self {
            world_from_bone: Vec::with_capacity(model.skeleton().bones().len()),
            slots: Vec::with_capacity(model.slots().len()),
            draw_order: Vec::with_capacity(model.slots().len()),
            order_keys: Vec::with_capacity(model.slots().len()),
        }
    }

    /// What is shown, back to front.
    pub fn visible_attachments(&self) -> impl Iterator<Item = AttachmentId> {
        self.draw_order.iter().filter_map(|slot| self.slots[slot.index()].attachment)
    }
}
