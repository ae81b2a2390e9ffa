//! Runs over many files: memory stays bounded, since characters are read again when they are drawn.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use super::Bench;
use crate::common;
use crate::common::v1::write;

/// Side of an image that takes more memory than a run keeps.
const LARGE: u16 = 6000;

/// Returns a file with a white image of `side` × `side` pixels.
fn file(side: u16) -> Vec<u8> {
    let mut file = common::tiny();
    file.images = vec![common::white("atlas", side, side)];
    write(&file).expect("a valid file").to_vec()
}

fn command(folder: &Path, args: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pchr-view"));
    command.current_dir(folder).args(args.split_whitespace()).args(["--backend", "cpu", "-s", "16"]);
    command.stdin(Stdio::null());
    command
}

/// Creates a folder of `count` characters with 4 MB of pixels each.
fn characters(bench: &Bench, folder: &str, count: usize) {
    let (folder, first) = (bench.path().join(folder), bench.path().join("first"));
    fs::create_dir(&folder).expect("a folder");
    if !first.exists() {
        fs::write(&first, file(1000)).expect("a file");
    }
    for number in 0..count {
        fs::hard_link(&first, folder.join(format!("{number:03}.pchr"))).expect("a link");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn memory_does_not_depend_on_the_number_of_files() {
    let bench = Bench::new();
    characters(&bench, "few", 20);
    characters(&bench, "many", 60);
    let peak = |folder: &str, args: &str| {
        common::memory::peak_kib(command(bench.path(), &format!("{folder} {}", args.replace("OUT", folder))))
    };
    // The second run compares with the references that the first has written.
    for args in ["--json", "-o OUT/{index}.png --json", "--reference OUT/{index}.png"] {
        let (few, many) = (peak("few", args), peak("many", args));
        // A margin for memory retained by the allocator; the other characters have 160 MB.
        assert!(few > 1000 && many < few + 32_000, "{args}: {few} KiB for few, {many} KiB for many");
    }
    let picture = |path: &str| fs::read(bench.path().join(path)).expect("written");
    assert!((1..60).all(|index| picture(&format!("many/{index}.png")) == picture("many/0.png")));
}

#[test]
fn an_invalid_file_after_many_others_prevents_the_run() {
    let bench = Bench::new();
    characters(&bench, "many", 40);
    fs::write(bench.path().join("many/zzz.pchr"), "PCHR").expect("a file");
    bench.run("many -o out/{name}.png").code(3).says("zzz.pchr");
    assert!(!bench.path().join("out").exists());
    bench.run("many -o out/{name}.png --keep-going").code(3).says("zzz.pchr");
    assert_eq!(fs::read_dir(bench.path().join("out")).expect("a folder").count(), 40);
}

/// Starts a run over `large.pchr` and standard input, does `change` after the first was read, and returns the exit code
/// and stderr.
fn changed_meanwhile(bench: &Bench, args: &str, change: impl FnOnce()) -> (Option<i32>, String) {
    // The warning is printed as soon as the file has been read.
    let mut command = command(bench.path(), &format!("large.pchr - -o out/{{index}}.png -t 99 {args}"));
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program runs");
    let mut stderr = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut text = String::new();
    stderr.read_line(&mut text).expect("a warning");
    assert!(text.contains("time-outside"), "{text}");
    change();
    child.stdin.take().expect("a pipe").write_all(&file(10)).expect("it reads");
    std::io::Read::read_to_string(&mut stderr, &mut text).expect("text");
    (child.wait().expect("it ends").code(), text)
}

#[test]
fn a_file_that_changes_before_it_is_drawn_is_an_error() {
    let bench = Bench::new();
    let large = bench.path().join("large.pchr");
    let is_written = |index: usize| bench.path().join(format!("out/{index}.png")).exists();
    fs::write(&large, file(LARGE)).expect("a file");
    let (code, text) = changed_meanwhile(&bench, "", || {});
    assert_eq!(code, Some(0), "{text}");
    assert!(is_written(0) && is_written(1));
    assert_eq!(text.matches("large.pchr").count(), 1, "the warning is not repeated: {text}");
    fs::remove_dir_all(bench.path().join("out")).expect("a folder");
    let (code, text) = changed_meanwhile(&bench, "", || fs::write(&large, file(11)).expect("a file"));
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains("large.pchr: the file, or one that it refers to, has changed since"), "{text}");
    assert!(!is_written(0) && !is_written(1));
    fs::write(&large, file(LARGE)).expect("a file");
    let (code, text) =
        changed_meanwhile(&bench, "--keep-going", || fs::remove_file(&large).expect("it can be removed"));
    assert_eq!(code, Some(3), "{text}");
    assert!(!is_written(0) && is_written(1), "the other file is drawn: {text}");
}

#[test]
#[cfg(unix)]
fn what_cannot_be_read_twice_is_kept() {
    let bench = Bench::new();
    let large = bench.path().join("large.pchr");
    fs::write(&large, file(LARGE)).expect("a file");
    for input in ["-", "/dev/stdin"] {
        let mut command = command(bench.path(), &format!("tiny.pchr {input} -o {{index}}.png --force"));
        let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program runs");
        child.stdin.take().expect("a pipe").write_all(&fs::read(&large).expect("a file")).expect("it reads");
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(0), "{input}: {}", String::from_utf8_lossy(&output.stderr));
    }
}
