//! A folder of characters for `pchr test`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use super::program::{pchr_path, stderr};

/// A working folder with the characters in `art`.
pub struct Suite(TempDir);

impl Suite {
    /// Creates an empty folder `art`.
    pub fn empty() -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        fs::create_dir(folder.path().join("art")).expect("a new folder");
        Self(folder)
    }

    /// Creates two tiny characters: `art/one.pchr` and `art/sub/two.pchr`.
    pub fn tiny() -> Self {
        let suite = Self::empty();
        for name in ["art/one.pchr", "art/sub/two.pchr"] {
            suite.write(name, &super::v1::write(&super::tiny()).expect("a valid file"));
        }
        suite
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("can be created");
        fs::write(path, bytes).expect("can be written");
    }

    /// Returns the paths of all references that are pictures, relative to the folder of references.
    pub fn pictures(&self) -> Vec<String> {
        let mut files = self.files("art/references");
        files.retain(|file| !file.ends_with("/structure.json"));
        files
    }

    pub fn settings(&self, toml: &str) {
        self.write("art/pchr-test.toml", toml.as_bytes());
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Runs `pchr test` outside of continuous integration.
    pub fn run(&self, args: &str) -> Output {
        self.run_with(args, |command| {
            command.env_remove("CI");
        })
    }

    /// Runs any command of `pchr`.
    pub fn run_program<'a>(&self, words: impl IntoIterator<Item = &'a str>) -> Output {
        let mut command = Command::new(pchr_path());
        command.current_dir(self.0.path()).args(words).stdin(Stdio::null()).output().expect("the program runs")
    }

    pub fn run_with(&self, args: &str, adjust: impl FnOnce(&mut Command)) -> Output {
        let mut command = Command::new(pchr_path());
        command.current_dir(self.0.path()).arg("test").args(args.split_whitespace()).stdin(Stdio::null());
        adjust(&mut command);
        command.output().expect("the program runs")
    }

    /// Runs `pchr test`, expects this exit code, and returns stdout.
    #[track_caller]
    pub fn stdout(&self, code: i32, args: &str) -> String {
        let output = self.run(args);
        let text = String::from_utf8(output.stdout.clone()).expect("UTF-8");
        assert_eq!(output.status.code(), Some(code), "pchr test {args}\n{text}\n{}", stderr(&output));
        text
    }

    /// Runs `pchr test`, expects this exit code, and returns stderr.
    #[track_caller]
    pub fn stderr(&self, code: i32, args: &str) -> String {
        let output = self.run(args);
        assert_eq!(output.status.code(), Some(code), "pchr test {args}\n{}", stderr(&output));
        stderr(&output)
    }

    /// Runs `pchr test --json`, expects this exit code, and returns the document.
    #[track_caller]
    pub fn json(&self, code: i32, args: &str) -> Value {
        serde_json::from_str(&self.stdout(code, &format!("{args} --json"))).expect("JSON")
    }

    /// Returns all files below a folder, relative to it, sorted.
    pub fn files(&self, below: &str) -> Vec<String> {
        let root = self.path(below);
        let mut found = Vec::new();
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().map(|entry| entry.expect("an entry").path()) {
                if entry.is_dir() {
                    folders.push(entry);
                } else {
                    found.push(portable(entry.strip_prefix(&root).expect("inside")));
                }
            }
        }
        found.sort();
        found
    }
}

fn portable(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}
