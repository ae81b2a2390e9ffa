//! What the readers accept, refuse and report.

#[path = "../common/mod.rs"]
mod common;
#[path = "../quirks/mod.rs"]
mod quirks;

#[cfg(feature = "formats-all")]
mod aseprite;
#[cfg(feature = "formats-all")]
mod find_images;
mod findings;
#[cfg(feature = "formats-all")]
mod generator_faults;
#[cfg(all(feature = "formats-all", feature = "viewer"))]
mod page_alpha;
mod paper_knight;
mod pchr_reader;
mod progress;
#[cfg(feature = "cli")]
mod sheet_dialects;
#[cfg(feature = "formats-all")]
mod sheet_reader;
#[cfg(feature = "formats-all")]
mod skel;
