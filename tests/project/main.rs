//! Tests of the repository as a whole: layers, schemas, the README.

#[path = "../common/mod.rs"]
mod common;

mod ci;
mod readme;
mod schemas;
mod structure;
