//! Checks and mutators of the fuzz targets, shared by `fuzz/` and the normal tests.
#![allow(dead_code, reason = "each program uses a part")]

pub mod bake_checks;
pub mod convert_checks;
pub mod deflate;
pub mod document_checks;
pub mod export_checks;
#[cfg(feature = "cli")]
pub mod finding_checks;
pub mod keyed_checks;
pub mod mutators;
#[cfg(feature = "cli")]
pub mod names;
pub mod opened;
pub mod picture_checks;
pub mod png_damage;
pub mod pngs;
pub mod pose_checks;
#[cfg(feature = "cli")]
pub mod printed;
pub mod rewrite_checks;
pub mod sheet_checks;
pub mod skel_damage;
#[cfg(feature = "cli")]
pub mod suite_checks;
pub mod targets;
pub mod text_damage;
#[cfg(feature = "cli")]
pub mod toml_damage;
