//! The two programs' command lines. One file a subcommand; `view` is all of `pchr-view`.
//!
//! stdout carries only what was asked for, everything else goes to stderr.

mod adapter;
mod animated;
mod blends;
mod choose;
mod completions;
mod convert;
mod diff;
mod empty;
mod engine;
mod failure;
mod files;
mod format;
mod headless;
mod inspect;
mod interrupt;
mod json_error;
mod keep_going;
mod kinds;
mod late;
mod load;
mod man;
mod options;
mod output;
mod pack;
mod parse;
mod schema;
mod sheet;
mod stdio;
mod summary;
mod target;
mod too_large;
mod tools;
mod unpack;
mod validate;
mod video;
mod view;
mod watching;
mod written;

pub use crate::export::{Backend, Format};
pub use output::Output;
pub use sheet::SheetArgs;
pub use tools::pchr;
pub use view::{
    AlphaArg, AntialiasArg, FilterArg, MarkArg, OutputArgs, PageAlphaArg, Progress, ReadArgs, RenderingArgs,
    ShowArgs, ThemeArg, ViewArgs, When, Window, WindowArgs, pchr_view,
};
