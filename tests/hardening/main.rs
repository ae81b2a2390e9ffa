//! Broken, hostile and huge files.

#[path = "../common/mod.rs"]
mod common;
#[cfg(all(feature = "formats-all", feature = "export"))]
#[path = "../fuzzing/mod.rs"]
mod fuzzing;
#[path = "../quirks/mod.rs"]
mod quirks;

mod damage;
mod damages;
#[cfg(all(unix, feature = "cli", feature = "formats-all"))]
mod hostile;
mod huge;
mod mutations;
#[cfg(feature = "formats-all")]
mod mutations_skel;
#[cfg(feature = "formats-all")]
mod mutations_skelform;
#[cfg(feature = "formats-all")]
mod mutations_spine;
mod offsets;
#[cfg(all(feature = "formats-all", feature = "export"))]
mod pictures;
#[cfg(all(feature = "formats-all", feature = "cli"))]
mod public_functions;
#[cfg(all(feature = "formats-all", feature = "export"))]
mod regressions;
#[cfg(all(feature = "formats-all", feature = "export"))]
mod short_fuzz;
