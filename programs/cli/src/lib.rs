//! The command lines of both programs: `view` is `pchr-view`, `tools` is `pchr` with one module per command.
//!
//! stdout carries only the requested output; messages go to stderr.

#![forbid(unsafe_code)]
#![warn(missing_docs)]
// Files are untrusted: a fault in one is reported, never a panic.
#![deny(clippy::expect_used, clippy::panic, clippy::unreachable, clippy::unwrap_used)]
// Output goes through `anstream` and the writers below, which handle colours and closed pipes.
#![deny(clippy::print_stderr, clippy::print_stdout)]

mod completions;
mod convert;
mod diff;
pub mod fuzzing;
mod golden;
mod inspect;
mod keys;
mod man;
#[cfg(feature = "mcp")]
mod mcp;
mod pack;
mod poses;
mod published;
mod schema;
mod shared;
mod test;
mod tools;
mod unpack;
mod validate;
mod view;

pub use tools::pchr;
pub use view::{ThemeArg, Window, WindowArgs, WindowRequest, pchr_view, read_scene};
