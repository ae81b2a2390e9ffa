//! Tells models apart whose counts are the same.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// The identity of a model and its clones. No two models that were built have the same.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Identity(u64);

impl Identity {
    /// An identity that no other model has.
    pub fn unique() -> Self {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Self(LAST.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

impl fmt::Debug for Identity {
    /// Leaves out the number, so that models with the same parts print the same.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Identity")
    }
}
