//! Tests of the repository as a whole: layers, schemas, the README.

#[path = "../common/mod.rs"]
mod common;

#[cfg(target_os = "linux")]
mod desktop;
mod readme;
mod schemas;
mod structure;
