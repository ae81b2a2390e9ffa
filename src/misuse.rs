//! Mistakes of the caller that no result is there for: ids, poses and lists of another model, sizes beyond all sense.
//!
//! The only place that panics on purpose. What comes here depends on the caller's code, never on the bytes of a file, and
//! the functions that lead here say so in a `# Panics` section.

use std::fmt::Display;

/// Panics with `message` unless `holds`.
#[inline]
#[track_caller]
pub fn expect<M: Display>(holds: bool, message: impl FnOnce() -> M) {
    if !holds {
        fail(message());
    }
}

/// Panics: the caller has an id that is of another model.
#[cold]
#[track_caller]
pub fn no_such(what: &str, index: usize, count: usize) -> ! {
    fail(format_args!("{what} {index} does not exist, the model has {count}: the id is of another model"))
}

/// Panics with `message`.
#[expect(clippy::panic, reason = "this is the place where the library panics")]
#[cold]
#[track_caller]
pub fn fail(message: impl Display) -> ! {
    panic!("{message}")
}
