//! Reads, plays, renders and converts 2D skeletal characters and sprite sheets.
//!
//! ```
//! use pchr::Animator;
//! use pchr::cpu::Renderer;
//! use pchr::draw::{DrawList, Picture, Settings, View};
//! use pchr::math::vec2;
//!
//! let mut lamp = Animator::open("assets/paper-lamp.json")?;
//! lamp.play("hop")?;
//! let (mut list, mut picture) = (DrawList::default(), Picture::default());
//! let mut renderer = Renderer::new(lamp.model());
//! // Every frame, with the seconds since the last one:
//! lamp.update(1.0 / 60.0);
//! let view = View::new(300, 450, vec2(-150.0, 440.0), 1.0);
//! lamp.build_draw_list(&view, &mut list);
//! renderer.render(lamp.model(), &list, &view, Settings::default(), &mut picture);
//! # Ok::<(), pchr::Error>(())
//! ```
//!
//! # Where to start
//!
//! | for | use |
//! |---|---|
//! | a character in a game: playing, fading, skins, moved bones, hits, events | [`Animator`] |
//! | a picture of a file, in one call | [`cpu::render_file`] |
//! | what a character contains: bones, slots, pictures, animations, by name | [`Character::model`], [`model`] |
//! | drawing on the CPU, with wgpu, or with your own renderer | [`draw`], [`cpu`], `gpu`, [`draw::Batches`] |
//! | reading with options, warnings, limits, and progress in another thread | [`formats::open`], [`diagnostics`], [`limits`], [`progress`] |
//! | poses at any time, without playback | [`motion::evaluate`], [`pose`] |
//! | a character as data: items with named facts, and poses as rows | `outline` |
//! | whether a file is valid, what it contains, and what differs between two | `validate`, `inspect`, `diff` |
//! | pictures, videos and sprite sheets as files, and comparing them with earlier ones | `export`, `golden` |
//! | files of other formats; stored frames for `gpu::Crowd` | `convert`, `bake` |
//! | finding the characters in a folder, and noticing changed files | `find`, `watch` |
//!
//! [`error`], [`math`], [`player`], [`names`] and `watch` have types and helpers that the others share.
//!
//! # How a frame is made
//!
//! 1. [`formats`] reads the bytes of a file into a [`Character`]: a static, valid [`model::Model`] and its
//!    [`motion::Motion`]. Every index, number and size is checked here, within [`limits`].
//! 2. An [`Animator`] turns passing time into a [`motion::Cue`], and the cue into a [`pose::Pose`]. At a lower level,
//!    [`motion::evaluate`] is a pure function: the same cue gives the same pose, in any order.
//! 3. [`draw::DrawList::build`] turns the pose into skinning matrices and commands from back to front.
//! 4. [`cpu::Renderer`] or `gpu::Renderer` draws the list through a [`draw::View`]: the first gives the same bytes on
//!    every machine, the second draws in your own wgpu render pass. [`draw::Batches`] are for any other renderer.
//!
//! After the first frames, steps 2 to 4 do not allocate. Without `gpu`, `export` and `watch`, nothing reads a clock, and
//! everything builds for `wasm32-unknown-unknown`.
//!
//! # Spaces and units
//!
//! World space is pixels with y up; pictures have y down. Angles are counter-clockwise, in radians unless a name says
//! degrees. Times are seconds, or a stored frame and a fraction. Colours are blended in gamma space, premultiplied.
//!
//! # Features
//!
//! Without features, the library contains PCHR v1, the animator, the draw list and the CPU renderer.
//!
//! <!-- features -->
//! | feature | what it adds | enables | dependencies |
//! |---|---|---|---|
//! | `formats-all` | Every format below | `pachario`, `spine`, `skelform`, `animate`, `sheet`, `aseprite` |  |
//! | `pachario` | The JSON description of PCHR, Pachario JSON and packed Pachario |  | `serde`, `serde_json` |
//! | `spine` | Spine JSON and `.skel`, with PNGs |  | `foldhash`, `serde`, `serde_json` |
//! | `skelform` | SkelForm's `.skf` | `jpeg-webp` | `flate2`, `rawzip`, `serde`, `serde_json` |
//! | `animate` | Adobe Animate's texture atlases | `jpeg-webp` | `foldhash`, `serde`, `serde_json` |
//! | `sheet` | Sprite sheets | `jpeg-webp` | `quick-xml`, `serde`, `serde_json` |
//! | `aseprite` | `.aseprite` and `.ase`, read as sprite sheets | `sheet` | `flate2` |
//! | `jpeg-webp` | Pages as JPEG and WebP |  | `image-webp`, `zune-core`, `zune-jpeg` |
//! | `threads` | Decoding and CPU rendering on all cores |  | `rayon` |
//! | `export` | Writing PNGs, animated pictures, raw video and sprite sheets | `sheet` | `cap-fs-ext`, `cap-std`, `clap`, `gif`, `glob`, `image`, `image-webp`, `shlex`, `tempfile` |
//! | `optimize` | Writing the smallest PNGs, by oxipng. Needs a C compiler | `export` | `oxipng` |
//! | `convert` | Conversion of characters between formats | `export`, `formats-all` |  |
//! | `gpu` | The wgpu renderer |  | `pollster`, `wgpu` |
//! | `find` | Searching folders for characters | `formats-all`, `export` | `walkdir` |
//! | `watch` | Noticing changed files |  | `notify-debouncer-full` |
//! | `schemas` | Results as JSON, with their JSON schemas |  | `schemars`, `serde`, `serde_json` |
//!
//! All are enabled by default except `optimize`, `find`, `watch`, `schemas`.
//! <!-- /features -->
//!
//! Files of a disabled format are still recognised: the error names the feature that reads them.
#![forbid(unsafe_code)]
#![warn(missing_docs)]
// On docs.rs, every item states the features that it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
// Files are untrusted: only `misuse` panics on purpose, for wrong calls.
#![deny(clippy::expect_used, clippy::panic, clippy::unreachable, clippy::unwrap_used)]
// The library prints nothing.
#![deny(clippy::print_stderr, clippy::print_stdout)]

#[cfg(feature = "bake")]
pub mod bake;
mod bytes;
mod character;
#[cfg(feature = "convert")]
pub mod convert;
pub mod cpu;
pub mod diagnostics;
#[cfg(feature = "formats-all")]
pub mod diff;
pub mod draw;
pub mod error;
#[cfg(feature = "export")]
pub mod export;
#[cfg(feature = "find")]
pub mod find;
pub mod formats;
#[cfg(feature = "export")]
pub mod golden;
#[cfg(feature = "gpu")]
pub mod gpu;
mod held;
#[cfg(feature = "convert")]
pub mod inspect;
pub mod limits;
pub mod math;
mod misuse;
pub mod model;
pub mod motion;
pub mod names;
#[cfg(feature = "formats-all")]
pub mod outline;
pub mod player;
pub mod pose;
pub mod progress;
mod rows;
#[cfg(feature = "formats-all")]
pub mod validate;
#[cfg(feature = "watch")]
pub mod watch;

pub use character::Character;
pub use error::kinds::{Error, Result};
pub use player::animator::Animator;

// Tests of internals, and the helpers that they share with the tests of the public API, which call the crate by its name.
#[cfg(test)]
extern crate self as pchr;
#[cfg(test)]
#[path = "../tests/common/mod.rs"]
mod common;
#[cfg(test)]
#[path = "../tests/inside/mod.rs"]
mod inside;
#[cfg(test)]
#[path = "../tests/quirks/mod.rs"]
mod quirks;

// The code in these pages is compiled and run with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[doc = include_str!("../docs/library.md")]
struct Pages;
