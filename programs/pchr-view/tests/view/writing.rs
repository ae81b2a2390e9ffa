//! Writing when something is in the way: a limit on the size of files, and other processes in the same folder.

use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use pchr::export::{OutputFile, OutputFiles, OutputPath};
use tempfile::TempDir;

use crate::common;
use crate::common::program::{fine, folder, pchr, stderr, view};

fn place() -> TempDir {
    let place = folder();
    let bytes = crate::common::v1::write(&common::tiny()).expect("a valid file");
    fs::write(place.path().join("one.pchr"), bytes).expect("a file");
    place
}

/// Runs a shell command with our programs on the PATH.
fn shell(folder: &Path, script: &str) -> Output {
    let bins = Path::new(crate::common::program::pchr_path()).parent().expect("a folder");
    let path = format!("{}:{}", bins.display(), std::env::var("PATH").unwrap_or_default());
    let mut command = Command::new("sh");
    command.args(["-c", script]).current_dir(folder).env("PATH", path).env_remove("CI").stdin(Stdio::null());
    command.output().expect("a shell")
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<_> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_limit_on_the_size_of_files_is_an_error() {
    let place = place();
    fine(place.path(), &["unpack", "one.pchr", "-o", "parts"]);
    let before = names(place.path());
    for command in [
        "pchr-view one.pchr --backend cpu -s 2000 -o big.png --show overdraw",
        "pchr-view one.pchr --backend cpu -a all -f all -s 600 -o 'out/{animation}-{frame}.png'",
        "pchr-view one.pchr --backend cpu -a all -f all -s 600 -o big.json",
        "pchr-view one.pchr --backend cpu -a all -f all -s 600 -o big.webp --show bones",
        "pchr pack parts/one.json -o big.pchr --image-format rgba8888",
        "pchr unpack one.pchr -o out",
    ] {
        // A block has 512 bytes.
        let output = shell(place.path(), &format!("ulimit -f 0; exec {command}"));
        assert_eq!(output.status.code(), Some(5), "{command}: {:?} {}", output.status, stderr(&output));
        assert!(stderr(&output).contains("error[io]"), "{command}: {}", stderr(&output));
        assert_eq!(names(place.path()), before, "{command}");
    }
}

/// Drivers are not loaded where there is no GPU: when they run out of memory, they end or hang the process.
#[test]
#[cfg(target_os = "linux")]
fn little_memory_does_not_hang_or_crash() {
    let place = place();
    for round in 0..10 {
        for kilobytes in [60_000, 80_000, 120_000] {
            let picture = format!("{round}-{kilobytes}.png");
            let script = format!("ulimit -v {kilobytes}; exec pchr-view one.pchr --backend auto -o {picture}");
            let output = shell(place.path(), &script);
            let is_started = output.status.code().is_some_and(|code| code != 127);
            // A debug build may be too large to be loaded at all.
            if is_started {
                assert!(matches!(output.status.code(), Some(0 | 3 | 5)), "{script}: {}", stderr(&output));
                assert_eq!(place.path().join(picture).exists(), output.status.success());
            }
        }
    }
}

#[test]
fn parallel_reports_into_one_folder_all_succeed() {
    let place = place();
    let golden = ["one.pchr", "-a", "all", "-f", "all", "-s", "64", "--reference", "refs/"];
    assert!(view(place.path(), &[&golden[..], &["--update", "--force"]].concat()).status.success());
    for round in 0..4 {
        let start = |_| -> Child {
            let mut command = Command::new(env!("CARGO_BIN_EXE_pchr-view"));
            command.current_dir(place.path()).args(golden).args(["--backend", "cpu", "--html-report"]);
            command
                .arg(format!("report-{round}"))
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::piped());
            command.spawn().expect("the program starts")
        };
        let running: Vec<Child> = (0..20).map(start).collect();
        for child in running {
            let output = child.wait_with_output().expect("it ends");
            assert!(output.status.success(), "{}", stderr(&output));
        }
        assert_eq!(names(&place.path().join(format!("report-{round}"))), ["index.html", "results.json"]);
    }
}

/// The folder of a file is moved away, and a link takes its place, between the steps of writing it.
#[test]
fn a_file_stays_in_the_folder_in_which_it_was_begun() {
    let place = folder();
    let at = |name: &str| place.path().join(name);
    fs::create_dir(at("outside")).expect("a folder");
    fs::create_dir_all(at("root/in")).expect("a folder");
    let path = OutputPath::below(&at("root"), "in/new/a.png");
    let mut file = OutputFile::create(&path, false).expect("a file");
    file.write_all(b"picture").expect("written");
    fs::rename(at("root/in"), at("moved")).expect("moved");
    symlink(at("outside"), at("root/in")).expect("a link");
    let dropped = OutputPath::below(&at("root"), "in/b.png");
    assert!(OutputFile::create(&dropped, false).is_err());
    file.finish().expect("finished");
    assert_eq!(names(&at("outside")), [] as [&str; 0]);
    assert_eq!(fs::read(at("moved/new/a.png")).expect("a file"), b"picture");
    path.remove().expect_err("the path leads through a link");
    assert_eq!(names(&at("moved/new")), ["a.png"]);
}

#[test]
fn a_group_of_files_is_written_completely_or_not_at_all() {
    let place = folder();
    let at = |name: &str| place.path().join(name);
    let path = |name: &str| OutputPath::below(place.path(), name);
    let write = |files: &OutputFiles, name, overwrite| {
        files.write(&path(name), overwrite, |file| file.write_all(b"new")).expect("written");
    };
    // Folders stay until the last file that needs them is gone.
    let (first, second) = (OutputFiles::default(), OutputFiles::default());
    write(&first, "a/b/one.png", false);
    write(&second, "a/b/two.png", false);
    drop(first);
    assert!(at("a/b").is_dir());
    drop(second);
    assert_eq!(names(place.path()), [] as [&str; 0]);

    // Something takes the place of the last file.
    fs::write(at("old.png"), "old").expect("a file");
    let files = OutputFiles::default();
    write(&files, "a/new.png", false);
    write(&files, "old.png", true);
    write(&files, "last.png", true);
    fs::create_dir(at("last.png")).expect("a folder");
    files.finish().expect_err("a folder is not replaced");
    assert_eq!(names(place.path()), ["last.png", "old.png"]);
    assert_eq!(fs::read(at("old.png")).expect("a file"), b"old");

    // Without it all are written, and nothing else stays.
    fs::remove_dir(at("last.png")).expect("removed");
    let files = OutputFiles::default();
    write(&files, "old.png", true);
    write(&files, "last.png", false);
    assert_eq!(files.finish().expect("written"), [at("old.png"), at("last.png")]);
    assert_eq!(names(place.path()), ["last.png", "old.png"]);
    assert_eq!(fs::read(at("old.png")).expect("a file"), b"new");
}

/// Some file systems ignore case.
#[test]
fn names_that_only_differ_in_case_are_refused() {
    let place = folder();
    for name in ["Hero", "hero", "HERO"] {
        fs::create_dir(place.path().join(name)).expect("a folder");
        let bytes = crate::common::v1::write(&common::tiny()).expect("a valid file");
        fs::write(place.path().join(name).join(format!("{name}.pchr")), bytes).expect("a file");
    }
    let characters = ["Hero/Hero.pchr", "hero/hero.pchr", "HERO/HERO.pchr"];
    let refused = |output: Output, args: &[&str]| {
        let message = stderr(&output);
        assert!(output.status.code() == Some(2) && message.contains("would"), "{args:?}: {message}");
    };
    for args in [["unpack", "-o", "out/{name}"], ["convert", "-o", "out/{name}.skf"]] {
        refused(pchr(place.path(), &[&args[..], &characters].concat()), &args);
    }
    for output in ["out/{name}.png", "out/{name}.gif", "out/{name}.json"] {
        let args = ["-f", "0", "-o", output];
        refused(view(place.path(), &[&args[..], &characters].concat()), &args);
    }
    assert!(!place.path().join("out").exists());
}
