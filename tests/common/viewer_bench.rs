//! Runs `pchr-view` as a user would, without a window, in a folder with the paper knight.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use super::program::view_path;

/// A temporary folder with the paper knight.
pub struct Bench {
    folder: TempDir,
}

impl Bench {
    pub fn new() -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let knight = super::root().join("assets/paper-knight.pchr");
        fs::copy(knight, folder.path().join("knight.pchr")).expect("the knight can be copied");
        Self { folder }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Returns a command. It uses the CPU renderer, so that the result does not depend on drivers.
    pub fn command(&self, args: &str) -> Command {
        let mut command = Command::new(view_path());
        command.current_dir(self.folder.path()).args(args.split_whitespace()).args(["--backend", "cpu"]);
        command.stdin(Stdio::null());
        command
    }

    /// Runs the command and expects an exit code.
    #[track_caller]
    pub fn run(&self, args: &str, code: i32) -> Output {
        let output = self.command(args).output().expect("the program runs");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "pchr-view {args}\n{stderr}");
        output
    }

    /// Runs the command and returns its stderr.
    #[track_caller]
    pub fn stderr(&self, args: &str, code: i32) -> String {
        String::from_utf8_lossy(&self.run(args, code).stderr).into_owned()
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn is_there(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    /// Returns the files of a PNG sequence rendered with the same options.
    #[track_caller]
    pub fn pngs(&self, args: &str) -> Vec<Vec<u8>> {
        let folder = TempDir::new_in(self.folder.path()).expect("a temporary folder");
        let place = folder.path().file_name().expect("a name").to_string_lossy().into_owned();
        self.run(&format!("{args} -o {place}/{{index:05}}.png"), 0);
        let entries = fs::read_dir(folder.path()).expect("a folder");
        let mut names: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
        names.sort();
        names.iter().map(|path| fs::read(path).expect("a PNG")).collect()
    }
}
