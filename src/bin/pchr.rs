//! The commands around characters that need no renderer.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    pchr::cli::pchr(std::env::args_os())
}
