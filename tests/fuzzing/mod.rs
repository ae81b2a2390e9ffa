//! Checks and mutators of the fuzz targets, shared by `fuzz/` and the normal tests. Those of the command lines are in
//! `programs/cli/tests/fuzzing`.
//!
//! `runner.rs` is for the normal tests only, which include it on its own.
#![allow(dead_code, reason = "each program uses a part")]

pub mod bake_checks;
pub mod convert_checks;
pub mod deflate;
pub mod document_checks;
pub mod export_checks;
pub mod keyed_checks;
pub mod mutators;
pub mod opened;
pub mod picture_checks;
pub mod png_damage;
pub mod pngs;
pub mod pose_checks;
pub mod rewrite_checks;
pub mod sheet_checks;
pub mod skel_damage;
pub mod stated_key_checks;
pub mod targets;
pub mod text_damage;
