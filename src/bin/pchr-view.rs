//! The viewer: a window, or with `-o` the same without one.
#![forbid(unsafe_code)]

use std::error::Error;
use std::process::ExitCode;

use pchr::cli::{ViewArgs, Window};

fn main() -> ExitCode {
    pchr::cli::pchr_view(std::env::args_os(), &Desktop)
}

struct Desktop;

impl Window for Desktop {
    fn open(&self, _: ViewArgs) -> Result<(), Box<dyn Error + Send + Sync>> {
        Err("not yet".into())
    }

    fn bindings(&self) -> String {
        String::new()
    }
}
