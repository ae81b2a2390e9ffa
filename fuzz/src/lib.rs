//! What the fuzz targets share: the checks that the normal tests ask too, and limits that keep every input quick.

use bytes::Bytes;
use pchr::limits::Limits;

#[path = "../../tests/common/checks.rs"]
#[allow(dead_code, reason = "every program uses its own part")]
pub mod checks;
#[path = "../../tests/common/show.rs"]
#[allow(dead_code, reason = "every program uses its own part")]
mod show;

/// A check of any bytes.
pub type Check = fn(&Bytes, &Limits);

/// Asks `check` about `bytes`, within limits that a fuzzer reaches.
pub fn ask(check: Check, bytes: &[u8]) {
    let mut limits = Limits::default();
    limits.file_bytes = 1 << 20;
    limits.pixels = 1 << 16;
    limits.memory_bytes = 16 << 20;
    check(&Bytes::copy_from_slice(bytes), &limits);
}
