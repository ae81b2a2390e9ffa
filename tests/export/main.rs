//! Exported frames and sheets.

#[path = "../common/mod.rs"]
mod common;

#[cfg(feature = "viewer")]
mod additive;
mod sequence;
#[cfg(feature = "viewer")]
mod sheet_engines;
#[cfg(all(feature = "export", feature = "formats-all"))]
mod sheet_properties;
