//! Poses: bones, constraints, tracks and vertices.
#![allow(clippy::duplicate_mod, reason = "the programs that make our characters share how they paint")]

#[path = "../common/mod.rs"]
mod common;
#[path = "../quirks/mod.rs"]
mod quirks;

#[cfg(feature = "formats-all")]
mod animator;
mod evaluate;
#[cfg(feature = "formats-all")]
mod first_picture;
#[cfg(feature = "formats-all")]
mod initial_skins;
#[cfg(feature = "formats-all")]
mod keys;
#[cfg(feature = "formats-all")]
mod overrides;
#[cfg(feature = "formats-all")]
mod paper_lamp;
#[cfg(feature = "formats-all")]
mod paper_robot;
#[cfg(feature = "formats-all")]
mod passes;
#[cfg(feature = "formats-all")]
mod query;
#[cfg(feature = "formats-all")]
mod runtime;
#[cfg(feature = "formats-all")]
mod runtime_deform;
#[cfg(feature = "formats-all")]
mod runtime_skelform;
#[cfg(feature = "formats-all")]
mod skelform;
#[cfg(feature = "formats-all")]
mod slots;
mod spine;
mod spine_bounds;
#[cfg(feature = "formats-all")]
mod spine_physics;
#[cfg(feature = "formats-all")]
mod spine_sequences;
#[cfg(feature = "formats-all")]
mod tracks;
#[cfg(feature = "formats-all")]
mod without_file;
