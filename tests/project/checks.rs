//! `scripts/test`: its steps, what it accepts, and how it goes on after a failure. No step is executed: `cargo` and the
//! package manager are replaced by scripts that do nothing.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Command, Output};

struct Run {
    folder: tempfile::TempDir,
}

impl Run {
    fn new() -> Self {
        let run = Self { folder: tempfile::tempdir().expect("a temporary folder") };
        fs::create_dir(run.path("bin")).expect("a folder");
        run.replace("dpkg-query", "echo 'install ok installed'");
        run.replace("cargo", "echo \"$*\" >>\"$LOG\"");
        run
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Puts a script in the place of a program.
    fn replace(&self, program: &str, script: &str) {
        let path = self.path("bin").join(program);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("a script");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("an executable");
    }

    fn test(&self, args: &[&str]) -> Output {
        let path = format!("{}:{}", self.path("bin").display(), std::env::var("PATH").unwrap_or_default());
        let mut command = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/test"));
        command
            .args(args)
            .env("PATH", path)
            .env("LOG", self.path("log"))
            .env("CARGO_TARGET_DIR", self.path("target"));
        // Installs nothing.
        let none = self.path("none");
        command.env("PCHR_SHEET_CLIENTS", &none).env("PCHR_MCP_PYTHON", &none).output().expect("bash")
    }

    /// The command lines of cargo since the last call.
    fn log(&self) -> Vec<String> {
        let text = fs::read_to_string(self.path("log")).unwrap_or_default();
        let _ = fs::remove_file(self.path("log"));
        text.lines().map(str::to_owned).collect()
    }
}

#[test]
fn a_stopped_run_goes_on_with_the_step_that_failed() {
    let run = Run::new();
    run.replace("cargo", "echo \"$*\" >>\"$LOG\"; [ \"$1\" != doc ]");
    let output = run.test(&[]);
    assert_ne!(output.status.code(), Some(0), "{output:?}");
    let log = run.log();
    assert!(log.iter().any(|line| line == "test --release --locked"), "{log:?}");
    assert!(log.last().is_some_and(|line| line.starts_with("doc")), "{log:?}");

    let output = run.test(&["--continue"]);
    assert_ne!(output.status.code(), Some(0), "{output:?}");
    let log = run.log();
    assert!(log.first().is_some_and(|line| line.starts_with("doc")), "{log:?}");

    // Steps that are run alone do not change what is left.
    assert_eq!(run.test(&["lints"]).status.code(), Some(0));
    run.replace("cargo", "echo \"$*\" >>\"$LOG\"; [ \"$1\" != tree ]");
    run.log();
    run.test(&["--continue"]);
    let log = run.log();
    assert!(log.first().is_some_and(|line| line.starts_with("doc")) && log.len() > 1, "{log:?}");
}

#[test]
fn steps_and_areas_run_alone() {
    let run = Run::new();
    assert_eq!(run.test(&["lints"]).status.code(), Some(0));
    assert_eq!(run.log(), ["fmt --check", "clippy --release --all-targets --locked -- -D warnings"]);
    assert_eq!(run.test(&["cli::diff"]).status.code(), Some(0));
    assert_eq!(run.log(), ["test --locked --test cli -- diff", "test --locked --lib -- cli::diff"]);
    assert_eq!(run.test(&["hardening"]).status.code(), Some(0));
    assert_eq!(run.log(), ["test --locked --test hardening -- "]);
}

#[test]
fn unknown_steps_are_refused_before_anything_runs() {
    let run = Run::new();
    for args in [&["lints", "unknown"][..], &["--unknown"], &["--continue"]] {
        let output = run.test(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {output:?}");
        assert!(!output.stderr.is_empty(), "{args:?}");
    }
    assert_eq!(run.log(), [""; 0]);
    let list = run.test(&["--list"]);
    assert_eq!(list.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&list.stdout).lines().count() >= 10, "{list:?}");
}
