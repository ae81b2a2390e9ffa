//! Files that would take too much time or memory, or that refer to files outside of their folder: every command ends
//! within seconds of CPU time, with an error that names the fault or the exceeded limit.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::common::conformance_files;
use crate::common::ours;
use crate::common::program::{folder, pchr_path, stderr, view_path};
use pchr::formats::image::png_size;

/// CPU time in seconds after which the system kills a command, even on a slow machine. Most take milliseconds now,
/// but took minutes before the limits.
const CPU_SECONDS: u32 = 15;
/// Exit codes of a controlled end.
const KNOWN_CODES: [i32; 5] = [0, 1, 2, 3, 5];

/// Runs a program with limited CPU time.
fn run(folder: &Path, program: &str, args: &[&str]) -> Output {
    let script = format!("ulimit -t {CPU_SECONDS} && exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, program]).args(args).current_dir(folder).stdin(Stdio::null());
    command.output().expect("the program runs")
}

/// Every command that reads the character at `file`, with outputs named `out` and an extension.
fn commands<'a>(file: &'a str, grid: &[&'a str]) -> Vec<(&'static str, Vec<&'a str>)> {
    let (pchr, view) = (pchr_path(), view_path());
    let with_grid = |args: &[&'a str]| args.iter().chain(grid).copied().collect::<Vec<_>>();
    vec![
        (pchr, with_grid(&["validate", file])),
        (pchr, with_grid(&["inspect", file])),
        (pchr, with_grid(&["convert", file, "-o", "out.pchr"])),
        (pchr, with_grid(&["diff", file, file])),
        (view, with_grid(&[file, "-o", "out.png", "--backend", "cpu"])),
        (view, with_grid(&[file, "-f", "all", "-o", "out-{frame}.png", "--backend", "cpu", "--fit", "frame"])),
        (view, with_grid(&[file, "-o", "out.gif", "--backend", "cpu", "--show", "bones"])),
    ]
}

/// Copies a folder, to protect the original files.
fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

/// The file to open in each folder: the character, or the picture if there is none.
fn cases() -> Vec<PathBuf> {
    let mut found = BTreeMap::new();
    for path in conformance_files("hostile", "") {
        let place = path.parent().expect("a folder").to_owned();
        let rank =
            ["json", "pchr", "png"].into_iter().position(|extension| path.extension() == Some(extension.as_ref()));
        let Some(rank) = rank else { continue };
        let best = found.entry(place).or_insert((rank, path.clone()));
        if rank < best.0 {
            *best = (rank, path);
        }
    }
    found.into_values().map(|(_, path)| path).collect()
}

#[test]
fn conformance_hostile_files_end_every_command_in_seconds() {
    let cases = cases();
    assert!(cases.len() >= 8, "{cases:?}");
    for path in cases {
        let (place, file) = (path.parent().expect("a folder"), path.file_name().expect("a name"));
        let (name, file) = (place.display(), file.to_str().expect("UTF-8"));
        // A picture is opened as a sheet of one frame.
        let size = png_size(&fs::read(&path).expect("a readable file"));
        let grid = size.map(|(width, height)| format!("{width}x{height}"));
        let grid: Vec<&str> = grid.iter().flat_map(|grid| ["--grid", grid]).collect();
        for (program, args) in commands(file, &grid) {
            // Two decoded pictures of 1 GB exceed the memory of some machines.
            let is_large = size.is_some_and(|(width, height)| u64::from(width) * u64::from(height) > 1 << 27);
            if is_large && args.contains(&"diff") {
                continue;
            }
            let folder = folder();
            copy(place, folder.path());
            let before = fs::read_dir(folder.path()).unwrap().count();
            let output = run(folder.path(), program, &args);
            let (message, code) = (stderr(&output), output.status.code());
            let is_known = code.is_some_and(|code| KNOWN_CODES.contains(&code));
            assert!(is_known, "{name} {args:?}: {:?}: {message}", output.status);
            assert!(message.len() < 20_000, "{name} {args:?}: {} bytes of messages", message.len());
            assert!(!message.contains("panicked"), "{name} {args:?}: {message}");
            let is_plain = |c: char| !c.is_control() || c == '\n' || c == '\u{1b}';
            assert!(message.chars().all(is_plain), "{name} {args:?}: {message:?}");
            let after = fs::read_dir(folder.path()).unwrap().count();
            let written = usize::from(code == Some(0) || code == Some(1));
            assert!(after == before || written > 0, "{name} {args:?} failed and left something behind");
        }
    }
}

/// The expected message and exit code of a command.
#[test]
fn conformance_hostile_files_report_the_exceeded_limit() {
    let (pchr, view) = (pchr_path(), view_path());
    let work = "limit `work` exceeded";
    let cases: [(&str, &str, &[&str], &str); 5] = [
        ("picture-not-interruptible", view, &["f.pchr", "-o", "o.png", "--backend", "cpu"], work),
        ("convert-minutes", pchr, &["convert", "f.json", "-o", "o.pchr"], work),
        ("convert-minutes", view, &["f.json", "-o", "o.png"], work),
        ("decoded-8900-times", pchr, &["convert", "f.json", "-o", "o.pchr"], work),
        ("png-plte-panic", view, &["--grid", "1x1", "bomb.png", "-o", "o.png"], "its palette has"),
    ];
    for (name, program, args, expected) in cases {
        let folder = folder();
        copy(&ours("hostile").join(name), folder.path());
        let output = run(folder.path(), program, args);
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(3), "{name} {args:?}: {message}");
        assert!(message.contains(expected), "{name} {args:?}: {message}");
        let file = args.iter().find(|arg| arg.starts_with("f.") || arg.starts_with("bomb.")).unwrap();
        assert!(message.contains(&format!(" {file}: ")), "the message does not name the file: {message}");
    }
}
