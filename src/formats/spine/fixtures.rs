//! The fixtures of unit tests, which published packages do not contain.

use std::io::Write;
use std::path::{Path, PathBuf};

/// Returns `tests/fixtures`, or `None` in a published package, with a message that the test is skipped.
pub fn folder() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    // Cargo adds this file to packages.
    if root.join("Cargo.toml.orig").exists() {
        let _ = writeln!(std::io::stderr(), "SKIPPED: the package does not contain tests/fixtures");
        return None;
    }
    Some(root.join("tests/fixtures"))
}
