//! Runs the programs as a user would, in a folder of their own.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

use tempfile::TempDir;

/// Returns the path of `pchr`.
pub fn pchr_path() -> &'static str {
    static PATH: LazyLock<String> = LazyLock::new(|| built("pchr"));
    &PATH
}

/// Returns the path of `pchr-view`.
pub fn view_path() -> &'static str {
    static PATH: LazyLock<String> = LazyLock::new(|| built("pchr-view"));
    &PATH
}

/// Returns a program in the target folder of the running test. Cargo itself names only those of the test's own package.
fn built(name: &str) -> String {
    let test = std::env::current_exe().expect("a path");
    let folder = test.parent().and_then(Path::parent).expect("the target folder");
    let path = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    assert!(path.is_file(), "{} is missing: run `cargo build` with the profile of this test", path.display());
    path.into_os_string().into_string().expect("UTF-8")
}

pub fn folder() -> TempDir {
    TempDir::new().expect("a temporary folder")
}

pub fn pchr(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(pchr_path());
    command.current_dir(folder).args(args).stdin(Stdio::null()).output().expect("the program runs")
}

/// Runs `pchr-view` with the CPU renderer.
pub fn view(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(view_path());
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
