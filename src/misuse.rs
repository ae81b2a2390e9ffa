//! Panics for mistakes of the caller: ids, poses and lists of another model, absurd sizes.
//!
//! The only module that panics on purpose. The panics depend on the caller's code, never on the content of a file,
//! and public functions that can reach them have a `# Panics` section.

use std::fmt::Display;

/// Panics with `message` unless `holds`.
#[inline]
#[track_caller]
pub fn expect<M: Display>(holds: bool, message: impl FnOnce() -> M) {
    if !holds {
        fail(message());
    }
}

/// Panics because the caller passed an id of another model.
#[cold]
#[track_caller]
pub fn no_such(what: &str, index: usize, count: usize) -> ! {
    fail(unknown_id(what, index, count))
}

/// The message about an id of another model.
pub fn unknown_id(what: &str, index: usize, count: usize) -> String {
    format!("{what} {index} does not exist, the model has {count}: the id belongs to another model")
}

/// Panics with `message`.
#[expect(clippy::panic, reason = "the only function of the library that panics on purpose")]
#[cold]
#[track_caller]
pub fn fail(message: impl Display) -> ! {
    panic!("{message}")
}
