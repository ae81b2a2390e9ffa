//! The two programs' command lines. One file a subcommand; `view` is all of `pchr-view`.
//!
//! stdout carries only what was asked for, everything else goes to stderr.

mod adapter;
mod choose;
mod completions;
mod diff;
mod engine;
mod failure;
mod headless;
mod inspect;
mod man;
mod output;
mod parse;
mod schema;
mod summary;
mod tools;
mod view;

pub use engine::Backend;
pub use output::Output;
pub use tools::pchr;
pub use view::{
    AlphaArg, AntialiasArg, FilterArg, OutputArgs, Progress, ReadArgs, RenderingArgs, ShowArgs, ThemeArg,
    ViewArgs, When, Window, WindowArgs, pchr_view,
};
