//! Characters in other formats: baked, or with what their own format says.

#[path = "../common/mod.rs"]
mod common;

#[cfg(all(feature = "formats-all", feature = "export"))]
mod bake;
#[cfg(feature = "formats-all")]
mod skelform;
#[cfg(feature = "formats-all")]
mod spine;
#[cfg(feature = "formats-all")]
mod upgrade_skelform;
