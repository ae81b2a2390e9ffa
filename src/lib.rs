//! Open any 2D skeletal character, see it move exactly as its author meant, and get it out again.
//!
//! # The way of a frame
//!
//! 1. [`formats`] turns the bytes of a file into a [`Character`]: a static, valid [`model::Model`] and what
//!    moves it, a [`motion::Motion`]. Every index, number and size is checked here, within [`limits`].
//! 2. A [`motion::Evaluator`] writes what it looks like at a [`motion::Cue`] into a [`pose::Pose`]. The same cue
//!    gives the same pose, in any order. A [`player::Player`] turns passing time into cues.
//! 3. [`draw::DrawList::build`] turns the pose into skinning matrices and commands from back to front.
//! 4. [`cpu::Renderer`] or `gpu::Renderer` draws the list through a [`draw::View`]: the first gives the same
//!    bytes on every machine, the second draws in your own wgpu render pass.
//!
//! `validate` says what is wrong with a file, and [`diff`] in what two characters differ.
//!
//! After the first frame nothing on this way allocates. Up to and including `cpu` nothing has a clock, opens a
//! window or waits, and all of it builds for `wasm32-unknown-unknown`.
//!
//! # Spaces and units
//!
//! World space is pixels with y up; pictures have y down. Angles are radians, counter-clockwise, where a name does
//! not say degrees, which are the unit of files. Time is seconds or a stored frame and a fraction. Colours blend in
//! gamma space, premultiplied.
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | none | PCHR v1 read and write, model, motion, pose, draw list, CPU renderer |
//! | `threads` | the CPU renderer on all cores |
//! | `pachario` | the JSON description of PCHR, Pachario JSON and packed Pachario |
//! | `spine` | Spine's JSON |
//! | `skelform` | SkelForm |
//! | `sheet` | sprite sheets |
//! | `aseprite` | Aseprite's own files, and with them `sheet` |
//! | `formats-all` | all of these formats |
//! | `export` | pictures to files, and with them `sheet` |
//! | `convert` | characters of one format to another, with `export` and `formats-all` |
//! | `cli` | the commands, without the window, with `convert` and `threads` |
//! | `gpu` | the wgpu renderer |
//! | `viewer` | the window, with `cli` and `gpu` |
//!
//! A file whose family is left out is still recognised: the error names the feature that reads it.
#![forbid(unsafe_code)]
#![warn(missing_docs)]
#![cfg_attr(
    not(all(feature = "convert", feature = "viewer")),
    allow(
        dead_code,
        unused_imports,
        reason = "the families of formats and the programs share helpers; a build with all of them uses each"
    )
)]
// Files are strangers' bytes: nothing panics on purpose, but `misuse` for wrong calls.
#![deny(clippy::expect_used, clippy::panic, clippy::unreachable, clippy::unwrap_used)]
// Output goes through `anstream` and the writers of `cli`, which know colours and closed pipes.
#![deny(clippy::print_stderr, clippy::print_stdout)]

pub mod bytes;
pub mod character;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "convert")]
pub mod convert;
pub mod cpu;
pub mod diagnostics;
pub mod diff;
pub mod draw;
pub mod error;
#[cfg(feature = "export")]
pub mod export;
pub mod formats;
#[cfg(feature = "gpu")]
pub mod gpu;
pub mod limits;
pub mod math;
mod misuse;
pub mod model;
pub mod motion;
pub mod names;
pub mod player;
pub mod pose;
#[cfg(feature = "formats-all")]
pub mod validate;
#[cfg(feature = "viewer")]
pub mod viewer;
#[cfg(feature = "cli")]
pub mod watch;

pub use character::Character;
pub use error::{Error, Result};
pub use player::Animator;

// README's code is compiled and run with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
