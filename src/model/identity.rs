//! Tells models and motions apart whose counts are the same.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// The identity of a model or a motion, and its clones. No two that were built have the same.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Identity(u64);

impl Identity {
    /// An identity that nothing else has.
    pub fn unique() -> Self {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Self(LAST.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

impl fmt::Debug for Identity {
    /// Leaves out the number, so that what has the same parts prints the same.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Identity")
    }
}
