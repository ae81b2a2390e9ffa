//! Tests of the repository as a whole: layers, schemas, the README, docs/ci.md.

#[path = "../common/mod.rs"]
mod common;

mod ci;
mod readme;
mod schemas;
mod structure;
