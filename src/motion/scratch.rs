//! Working memory for every kind of motion.

use super::{skelform, spine};

/// Working memory, reused from pose to pose. Results do not depend on its previous content.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scratch {
    /// Sort keys of the last draw order of stored frames.
    pub order_keys: Vec<u64>,
    pub spine: spine::Scratch,
    pub skelform: skelform::Scratch,
}
