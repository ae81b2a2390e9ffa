//! The command lines of both programs: `view` is `pchr-view`, `tools` is `pchr` with one module per command.
//!
//! stdout carries only the requested output; messages go to stderr.

mod completions;
mod convert;
mod diff;
#[doc(hidden)]
pub mod fuzzing;
mod golden;
mod inspect;
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
pub use view::{ThemeArg, Window, WindowRequest, pchr_view};
