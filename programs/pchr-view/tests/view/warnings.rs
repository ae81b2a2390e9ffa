//! Warnings on stderr: the first ones of each code, or all with `--verbose`.

use crate::common::program::pchr_path;
use std::fs;
use std::process::Command;

use tempfile::TempDir;

const PCHR_VIEW: &str = env!("CARGO_BIN_EXE_pchr-view");
const BONES: usize = 6;

/// Returns the exit code and stderr of a command about a skeleton with an unknown key in each of its bones.
fn run(program: &str, line: &str) -> (Option<i32>, String) {
    let folder = TempDir::new().expect("a temporary folder");
    let bones: Vec<String> = (0..BONES).map(|bone| format!(r#"{{"name": "{bone}", "odd": 1}}"#)).collect();
    let rig = format!(r#"{{"skeleton": {{"spine": "4.2.0"}}, "bones": [{}]}}"#, bones.join(", "));
    fs::write(folder.path().join("rig.json"), rig).expect("can be written");
    let output = Command::new(program).current_dir(folder.path()).args(line.split(' ')).output();
    let output = output.expect("the program runs");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn warnings_are_grouped_unless_all_are_requested() {
    for (program, line) in [
        (PCHR_VIEW, "rig.json -o rig.png"),
        (pchr_path(), "inspect rig.json"),
        (pchr_path(), "diff rig.json rig.json"),
        (pchr_path(), "convert rig.json -o new.json --to spine42 --no-image"),
    ] {
        let files = line.matches("rig.json").count();
        for (option, printed, notes) in [("", 3, 1), (" --verbose", BONES, 0)] {
            let (code, stderr) = run(program, &format!("{line}{option}"));
            let more = "note: rig.json: not listed: 3 × unknown-key; --verbose lists them";
            let warnings = stderr.matches("warning[unknown-key]: rig.json: /bones/").count();
            let found = (code, warnings, stderr.matches(more).count());
            assert_eq!(found, (Some(0), printed * files, notes * files), "{line}{option}\n{stderr}");
        }
    }
}

#[test]
fn a_window_prints_no_warnings() {
    let (code, stderr) = run(PCHR_VIEW, "rig.json --verbose");
    assert_eq!(code, Some(2));
    assert!(stderr.contains("--verbose has no effect without -o"), "{stderr}");
}
