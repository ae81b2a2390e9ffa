//! Exported frames and sheets.

#[path = "../common/mod.rs"]
mod common;

#[cfg(feature = "viewer")]
mod additive;
#[cfg(feature = "viewer")]
mod sheet_engines;
