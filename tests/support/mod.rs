//! What several tests need. Not every test needs all of it.
#![allow(dead_code)]

pub mod characters;
pub mod compare;
#[cfg(feature = "gpu")]
pub mod gpu;

use std::path::PathBuf;

/// The conformance data, where it is present.
pub fn conformance() -> Option<PathBuf> {
    let named = std::env::var_os("PCHR_CONFORMANCE").map(PathBuf::from);
    let folder = named.unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/conformance").into());
    folder.is_dir().then_some(folder)
}
