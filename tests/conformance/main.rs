//! Compares characters with the goldens made by independent programs.

#[path = "../common/mod.rs"]
mod common;

mod animate;
#[cfg(feature = "formats-all")]
mod characters;
#[cfg(feature = "formats-all")]
mod known;
mod pchr_v1;
#[cfg(feature = "formats-all")]
mod random_tracks;
#[cfg(feature = "formats-all")]
mod skelform;
#[cfg(feature = "formats-all")]
mod spine;
#[cfg(feature = "formats-all")]
mod spine4_pictures;
