//! Runs `pchr` as a user would, in its own folder.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// The tests of internals are compiled with these helpers, but do not run the programs.
pub const ONLY_OUTSIDE: &str = "cargo names the programs to integration tests only";

pub fn folder() -> TempDir {
    TempDir::new().expect("a temporary folder")
}

pub fn pchr(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(option_env!("CARGO_BIN_EXE_pchr").expect(ONLY_OUTSIDE));
    command.current_dir(folder).args(args).stdin(Stdio::null()).output().expect("the program runs")
}

/// Runs `pchr-view` with the CPU renderer.
#[cfg(feature = "viewer")]
pub fn view(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(option_env!("CARGO_BIN_EXE_pchr-view").expect(ONLY_OUTSIDE));
    command.current_dir(folder).args(["--backend", "cpu"]).args(args).stdin(Stdio::null());
    command.output().expect("the program runs")
}

/// Runs a command and expects success.
#[track_caller]
pub fn fine(folder: &Path, args: &[&str]) -> Output {
    let output = pchr(folder, args);
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    output
}

/// Runs a command and expects this exit code. Returns its stderr.
#[track_caller]
pub fn refused(folder: &Path, code: i32, args: &[&str]) -> String {
    let output = pchr(folder, args);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {}", stderr(&output));
    stderr(&output)
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
