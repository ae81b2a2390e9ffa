//! The window: plays a character and lets the user inspect it. Uses winit, egui and wgpu.
//!
//! [`run`] opens it. One folder for each feature holds its state, its panel and its tests; `app` puts them together,
//! `scene` draws the character, and `widgets` and `base` are what several features use.

#![forbid(unsafe_code)]
#![warn(missing_docs)]
// Files are untrusted: a fault in one is reported, never a panic.
#![deny(clippy::expect_used, clippy::panic, clippy::unreachable, clippy::unwrap_used)]
#![deny(clippy::print_stderr, clippy::print_stdout)]
#![cfg_attr(test, allow(clippy::field_reassign_with_default, reason = "tests start from the default options"))]

mod app;
mod base;
mod compare;
mod export;
mod files;
mod overlays;
mod palette;
mod parts;
mod playback;
mod scene;
mod settings;
mod sheet;
mod timeline;
mod tracks;
mod widgets;

pub use app::picture;
pub use app::window::run;
pub use palette::listing::list_bindings;
pub use settings::default_settings_file;
pub use settings::options::{ThemePreference, WindowOptions};

#[cfg(test)]
use pchr_tests as common;
#[cfg(test)]
#[path = "../../../tests/quirks/mod.rs"]
mod quirks;
