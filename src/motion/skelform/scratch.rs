//! Working memory of the evaluation.

use super::joint::Joint;
use super::reach::Segment;
use crate::math::DVec2;
use crate::model::AttachmentId;
use crate::motion::made_for::MadeFor;

/// Working memory, reused from pose to pose. No result depends on what it held before.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scratch {
    /// Which motion and which skins `shown` was made for.
    pub made_for: MadeFor,
    /// What each thing that a slot can show is in these skins, slot after slot.
    pub shown: Vec<Option<AttachmentId>>,
    /// What animations change gradually.
    pub numbers: Vec<f64>,
    /// What animations change at once.
    pub switches: Vec<i32>,
    /// By bone: where it is in the world.
    pub joints: Vec<Joint>,
    /// By bone: the angle in the world that a chain gives it; none at all where no chain does.
    pub turns: Vec<f64>,
    /// By bone: it is hidden, or what it hangs on is.
    pub hidden: Vec<bool>,
    /// The joints of one chain.
    pub chain: Vec<DVec2>,
    /// What lies between each two of them.
    pub segments: Vec<Segment>,
    /// By slot: how far its pivot moves it.
    pub offsets: Vec<DVec2>,
    /// What the draw order was last sorted by.
    pub order_keys: Vec<u64>,
}
