//! The two programs' command lines: `view` is all of `pchr-view`, `tools` is `pchr` with one module a command.
//!
//! stdout carries only what was asked for, everything else goes to stderr.

mod choose;
mod completions;
mod convert;
mod diff;
mod failure;
mod files;
mod inspect;
mod interrupt;
mod json_error;
mod json_output;
mod keep_going;
mod kinds;
mod load;
mod man;
mod pack;
mod parse;
mod program;
mod published;
mod read_args;
mod schema;
mod stdio;
mod target;
mod tools;
mod unpack;
mod validate;
mod view;
mod written;

pub use program::When;
pub use read_args::{PageAlphaArg, ReadArgs};
pub use tools::pchr;
pub use view::{ManyArgs, Progress, ThemeArg, ViewArgs, Window, WindowArgs, pchr_view};
