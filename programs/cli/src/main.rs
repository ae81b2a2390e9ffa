//! The commands that need no renderer: inspect, validate, convert, compare.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    pchr_cli::pchr(std::env::args_os())
}
