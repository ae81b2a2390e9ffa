//! Working memory of every kind of motion.

use super::{skelform, spine};

/// Working memory, reused from pose to pose. No result depends on what it held before.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scratch {
    /// What the draw order of stored frames was last sorted by.
    pub order_keys: Vec<u64>,
    pub spine: spine::Scratch,
    pub skelform: skelform::Scratch,
}
