//! Tests of the repository as a whole: layers, schemas, the README, an example.

#[path = "../common/mod.rs"]
mod common;

mod crowd;
mod readme;
mod schemas;
mod structure;
