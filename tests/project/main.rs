//! Tests of the repository as a whole: layers, schemas, the README, docs/ci.md, the installation, the published
//! package.

#[path = "../common/mod.rs"]
mod common;

mod ci;
mod crowd;
#[cfg(target_os = "linux")]
mod desktop;
mod features;
mod package;
mod readme;
mod schemas;
mod structure;
