//! `scripts/survey`, which runs both programs for every file of a folder.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::common;

/// Runs the survey. Returns `None` without Python. `programs` is the folder with `pchr` and `pchr-view`.
fn survey(folder: &Path, programs: &Path, options: &[&str]) -> Option<String> {
    let script = crate::common::root().join("scripts/survey");
    let mut command = Command::new("python3");
    command.arg(script).arg(folder).arg("--bin").arg(programs).args(options).stdin(Stdio::null());
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => {
            assert_ne!(std::env::var("PCHR_TEST_PYTHON").as_deref(), Ok("require"), "python3: {error}");
            common::say("SKIPPED: python3 is missing, required by scripts/survey");
            return None;
        }
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).expect("text"))
}

/// Returns the number before `what`.
#[track_caller]
fn counted(text: &str, what: &str) -> usize {
    let line = text.lines().find_map(|line| line.strip_suffix(what)?.trim().parse().ok());
    line.unwrap_or_else(|| panic!("no count of `{what}` in {text}"))
}

const VERDICTS: [&str; 6] = ["opens", "opens with warnings", "refused", "unknown format", "crashed", "timed out"];

#[test]
fn a_survey_of_the_fixtures_adds_up() {
    let fixtures = crate::common::root().join("tests/fixtures/pchr");
    let programs = Path::new(env!("CARGO_BIN_EXE_pchr-view")).parent().expect("a folder");
    let list = TempDir::new().expect("a temporary folder");
    let list = list.path().join("list.tsv");
    let options = ["--list", list.to_str().expect("a name"), "--top", "4"];
    let Some(text) = survey(&fixtures, programs, &options) else { return };
    let counts = VERDICTS.map(|verdict| counted(&text, &format!("  {verdict}")));
    let total = counted(&text, "  total");
    assert_eq!(total, fs::read_dir(&fixtures).expect("the fixtures").count());
    assert_eq!(counts.iter().sum::<usize>(), total, "{text}");
    let [opens, warned, refused, unknown, crashed, late] = counts;
    assert!(opens >= 3 && warned >= 10 && refused >= 20 && unknown >= 1, "{text}");
    assert_eq!((crashed, late), (0, 0), "{text}");

    // A file may have several warning codes, but is refused for only one error.
    let section = |title: &str| text.split_once(title).expect(title).1.split("\n\n").next().expect("a section");
    let sum = |title: &str| -> usize {
        let count = |line: &str| line.split_whitespace().next().and_then(|number| number.parse::<usize>().ok());
        section(title).lines().filter_map(count).sum()
    };
    assert_eq!(sum("Refused, files by code:"), refused, "{text}");
    assert!(sum("Opens with warnings, files by code:") >= warned, "{text}");
    for title in ["Slowest, seconds of the longest process:", "Largest, MiB of the largest process:"] {
        assert_eq!(section(title).lines().filter(|line| !line.is_empty()).count(), 4, "{text}");
    }
    let list = fs::read_to_string(list).expect("the written file");
    assert_eq!(list.lines().count(), total + 1);
    assert!(list.lines().any(|line| line.starts_with("refused\tpartial-triangle\t")), "{list}");
}

#[cfg(unix)]
#[test]
fn a_survey_survives_crashes_hangs_and_unreadable_files() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let bench = TempDir::new().expect("a temporary folder");
    let write = |name: &str, text: &str| {
        let path = bench.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("space");
    };
    // Fake programs that behave as the file name says.
    let program = "#!/bin/sh\nfor file; do :; done\ncase $file in\n\
                   *panic*) exit 70 ;;\n*abort*) kill -ABRT $$ ;;\n*hang*) sleep 300 & wait ;;\n\
                   *loud*) yes | head -c 5000000; yes | head -c 5000000 >&2 ;;\n\
                   *odd*) echo 'error: the file x/1.json has 3 of `a`' >&2; exit 2 ;;\n\
                   *refused*) echo 'error[bad-thing]: no' >&2; exit 3 ;;\nesac\n\
                   echo '{\"files\": [{\"findings\": [{\"code\": \"a-note\", \"severity\": \"note\"}]}]}'\n";
    for name in ["pchr", "pchr-view"] {
        write(&format!("programs/{name}"), program);
        let path = bench.path().join("programs").join(name);
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("changed permissions");
    }
    for name in ["panic", "abort", "hang", "loud", "odd 1", "odd 2", "refused", "fine\u{1b}[31m", "-o"] {
        write(&format!("files/{name}.json"), "");
    }
    write("files/deeper/hang.PCHR", "");
    write("files/passed-over.png", "");
    let files = bench.path().join("files");
    symlink(&files, files.join("round")).expect("a link");
    symlink("nowhere", files.join("dangling.json")).expect("a link");
    fs::set_permissions(&files, fs::Permissions::from_mode(0o555)).expect("changed permissions");
    let text = survey(&files, &bench.path().join("programs"), &["--timeout", "3", "--jobs", "4"]);
    fs::set_permissions(&files, fs::Permissions::from_mode(0o755)).expect("changed permissions");
    let Some(text) = text else { return };
    let counts = VERDICTS.map(|verdict| counted(&text, &format!("  {verdict}")));
    assert_eq!((counts, counted(&text, "  total")), ([2, 0, 3, 0, 3, 2], 10), "{text}");
    for line in [
        "exit code 70  panic.json",
        "SIGABRT  abort.json",
        "validate: no JSON  loud.json",
        "inspect, validate, draw  deeper/hang.PCHR",
        "1  bad-thing",
        "2  the file … has … of …",
    ] {
        assert!(text.contains(line), "{line} in {text}");
    }
    assert!(!text.contains('\u{1b}'), "{text}");
}
