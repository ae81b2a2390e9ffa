//! Wakes the window when another thread has found something.

use std::fmt;
use std::sync::Arc;

/// Wakes the window from another thread.
#[derive(Clone)]
pub struct Waker(Arc<dyn Fn() + Send + Sync>);

impl Waker {
    /// Wakes the window with `wake`.
    pub fn new(wake: impl Fn() + Send + Sync + 'static) -> Self {
        Self(Arc::new(wake))
    }

    /// Wakes nobody, for a panel that looks for itself.
    pub fn of_nobody() -> Self {
        Self::new(|| {})
    }

    /// Wakes the window.
    pub fn wake(&self) {
        (self.0)();
    }
}

impl fmt::Debug for Waker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Waker")
    }
}
