//! Working memory for every kind of motion.

use super::{skelform, slot_overrides, spine};

/// Working memory, reused from pose to pose. Results do not depend on its previous content.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scratch {
    /// Sort keys of the last draw order of stored frames.
    pub order_keys: Vec<u64>,
    /// Slots that the last pose shows otherwise than its animations.
    pub slots_before: slot_overrides::Before,
    pub spine: spine::Scratch,
    pub skelform: skelform::Scratch,
}
