//! Every golden: what independent programs made of characters, and how far from it we are.

#[path = "../common/mod.rs"]
mod common;

#[cfg(feature = "formats-all")]
mod known;
mod pchr_v1;
#[cfg(feature = "formats-all")]
mod skelform;
#[cfg(feature = "formats-all")]
mod spine;
