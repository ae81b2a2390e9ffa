//! Tests of the repository as a whole: layers, schemas, the README, the published package.

#[path = "../common/mod.rs"]
mod common;

mod features;
mod package;
mod readme;
mod schemas;
mod structure;
