//! Working memory of the evaluation.

use super::joint::Joint;
use super::reach::Segment;
use crate::math::DVec2;
use crate::model::AttachmentId;
use crate::motion::prepared_for::PreparedFor;

/// Working memory, reused from pose to pose. Results do not depend on its previous content.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scratch {
    /// The motion and the skins for which `shown` was resolved.
    pub prepared_for: PreparedFor,
    /// The attachment of each displayable item of each slot in these skins.
    pub shown: Vec<Option<AttachmentId>>,
    /// Values that animations change gradually.
    pub numbers: Vec<f64>,
    /// Values that animations switch.
    pub switches: Vec<i32>,
    /// The world transform of each bone.
    pub joints: Vec<Joint>,
    /// The world angle that a chain gives each bone; NaN if none does.
    pub turns: Vec<f64>,
    /// True for each bone that is hidden, itself or by an ancestor.
    pub hidden: Vec<bool>,
    /// The joints of one chain.
    pub chain: Vec<DVec2>,
    /// The segments between them.
    pub segments: Vec<Segment>,
    /// The offset of each slot due to its pivot.
    pub offsets: Vec<DVec2>,
    /// Sort keys of the last draw order.
    pub order_keys: Vec<u64>,
}
