//! Tests of the repository as a whole: layers, schemas, the README, docs/ci.md.

#[path = "../common/mod.rs"]
mod common;

mod ci;
#[cfg(target_os = "linux")]
mod desktop;
mod readme;
mod schemas;
mod structure;
