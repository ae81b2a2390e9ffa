//! What the readers accept, refuse and report.

#[path = "../common/mod.rs"]
mod common;
#[path = "../quirks/mod.rs"]
mod quirks;

#[cfg(feature = "formats-all")]
mod animate;
#[cfg(feature = "formats-all")]
mod aseprite;
#[cfg(feature = "formats-all")]
mod character_atlas;
#[cfg(feature = "formats-all")]
mod find_images;
mod findings;
#[cfg(feature = "formats-all")]
mod generator_faults;
#[cfg(feature = "formats-all")]
mod keep_going;
#[cfg(feature = "formats-all")]
mod nothing_visible;
#[cfg(feature = "formats-all")]
mod odd_keys;
mod paper_knight;
mod pchr_reader;
mod progress;
#[cfg(feature = "formats-all")]
mod sheet_clips;
#[cfg(feature = "formats-all")]
mod sheet_layers;
#[cfg(feature = "formats-all")]
mod sheet_reader;
#[cfg(feature = "formats-all")]
mod skel;
#[cfg(feature = "convert")]
mod stated_keys;
