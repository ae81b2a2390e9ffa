//! Opens files in a window.

use std::process::ExitCode;

fn main() -> ExitCode {
    let files = std::env::args_os().skip(1).map(Into::into).collect();
    let mut options = pchr::viewer::WindowOptions::default();
    options.files = files;
    match pchr::viewer::run(options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
