//! What evaluating needs beside the pose: memory that is used again, so that nothing is allocated.

/// Memory of every evaluator.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scratch {
    /// What the draw order was last sorted by.
    pub order_keys: Vec<u64>,
    /// Of motion that has keys.
    pub keyed: super::Keyed,
    /// Of motion whose bones take over rotation and scale each by itself.
    pub jointed: super::Jointed,
}

impl Scratch {
    /// Room for as many slots.
    pub fn for_slots(count: usize) -> Self {
        let mut scratch = Self::default();
        scratch.order_keys.reserve_exact(count);
        scratch
    }
}
