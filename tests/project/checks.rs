//! `scripts/test`: its steps, what they install, what it accepts, and how it goes on after a failure. No step is
//! executed: `cargo` and the package manager are replaced by scripts that do nothing. And `scripts/count-code`.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Command, Output};

use crate::common;

struct Run {
    folder: tempfile::TempDir,
}

impl Run {
    fn new() -> Self {
        let run = Self { folder: tempfile::tempdir().expect("a temporary folder") };
        fs::create_dir(run.path("bin")).expect("a folder");
        run.replace("dpkg-query", "echo 'install ok installed'");
        run.replace("cargo", "echo \"$*\" >>\"$LOG\"; echo 'running 1 test'");
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
        self.command(args).output().expect("bash")
    }

    fn command(&self, args: &[&str]) -> Command {
        let path = format!("{}:{}", self.path("bin").display(), std::env::var("PATH").unwrap_or_default());
        let mut command = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/test"));
        command
            .args(args)
            .env("PATH", path)
            .env("LOG", self.path("log"))
            .env_remove("CI")
            .env("CARGO_TARGET_DIR", self.path("target"));
        // Installs nothing.
        let none = self.path("none");
        command.env("PCHR_SHEET_CLIENTS", &none).env("PCHR_MCP_PYTHON", &none);
        command
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
    assert_eq!(run.log(), ["fmt --all --check", "clippy --release --all-targets --locked -- -D warnings"]);
    assert_eq!(run.test(&["cli::diff"]).status.code(), Some(0));
    let programs = "test --quiet --locked --no-run --test fuzzing --test window";
    assert_eq!(
        run.log(),
        [programs, "test --locked --test cli -- diff", "test --locked -p pchr-cli --lib -- diff"]
    );
    assert_eq!(run.test(&["motion::spine"]).status.code(), Some(0));
    assert_eq!(run.log(), ["test --locked -p pchr --all-features --lib -- motion::spine"]);
    assert_eq!(run.test(&["hardening"]).status.code(), Some(0));
    assert_eq!(run.log(), ["test --locked --test hardening -- "]);
}

#[test]
fn a_step_installs_only_what_it_needs_and_says_so() {
    let run = Run::new();
    run.replace("dpkg-query", "exit 1");
    run.replace("id", "echo 0");
    run.replace("apt-get", "echo \"apt-get $*\" >>\"$LOG\"");
    assert_eq!(run.test(&["docs"]).status.code(), Some(0));
    let log = run.log();
    assert!(log.iter().all(|line| !line.starts_with("apt-get")), "{log:?}");

    let output = run.test(&["hardening"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("installing: ffmpeg"), "{output:?}");
    let log = run.log();
    assert!(log[0] == "apt-get update -qq" && log[1].ends_with(" ffmpeg") && log.len() == 3, "{log:?}");
}

#[test]
fn what_tests_nothing_does_not_pass() {
    let run = Run::new();
    let closing = |output: &Output| {
        let text = String::from_utf8_lossy(&output.stdout);
        text.lines().last().unwrap_or_default().to_owned()
    };
    let output = run.command(&["no-corpus"]).env("PCHR_CONFORMANCE", run.path("none")).output().expect("bash");
    assert_eq!(closing(&output), "== Nothing was tested: skipped no-corpus", "{output:?}");
    let output = run.command(&["lints", "no-corpus"]).env("PCHR_CONFORMANCE", run.path("none")).output();
    let output = output.expect("bash");
    assert_eq!(closing(&output), "== All tests passed, but these steps were skipped: no-corpus", "{output:?}");
    assert_eq!(closing(&run.test(&["lints"])), "== All tests passed");

    run.replace("cargo", "echo 'running 0 tests'");
    let output = run.test(&["cli::no_such_part"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("cli::no_such_part"), "{output:?}");
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

#[test]
fn code_is_counted_without_tests_comments_and_blank_lines() {
    let run = Run::new();
    let write = |path: &str, text: &str| {
        let path = run.path(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    };
    let script = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/count-code")).expect("a script");
    write("scripts/count-code", &script);
    let code = r##"//! A comment.

/* Another /* nested */
one */
const A: &str = "// no comment
    of two lines"; // A comment.
const B: (char, char) = ('"', '\'');
#[cfg(test)]
use std::{fs, io};
const C: &str = r#""/*"#;
#[cfg(test)]
mod tests {
    const D: char = '}';
}
fn e<'a>() {}
"##;
    write("src/area/code.rs", code);
    write("src/area/tests.rs", "const A: u8 = 0;\n");
    write("tests/area/main.rs", "const A: u8 = 0;\n");
    let git = |args: &[&str]| {
        let done = Command::new("git").arg("-C").arg(run.path("")).args(args).output().expect("git");
        assert!(done.status.success(), "{done:?}");
    };
    git(&["init", "--quiet"]);
    git(&["add", "src", "tests"]);
    let Ok(output) = Command::new("python3").arg(run.path("scripts/count-code")).output() else {
        assert_ne!(std::env::var("PCHR_TEST_PYTHON").as_deref(), Ok("require"), "python3 is missing");
        common::say("SKIPPED: python3 is missing, required by scripts/count-code");
        return;
    };
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text, "       5  src/area\n       5  own Rust code\n", "{output:?}");
}
