//! Help, wrong usage, and the choice of a backend.

use std::fs;
use std::process::{Command, Stdio};

use crate::common;
use serde_json::Value;

use super::{Bench, Ran};

#[test]
fn usage_errors_have_hints() {
    let bench = Bench::new();
    bench.run("knight.pchr -a wlak -o a.png").code(2).says("`wlak`").says("did you mean `walk`?");
    bench.run("knight.pchr -a #77 -o a.png").code(2).says("#77 does not exist");
    bench.run("knight.pchr -f 9999 -o a.png").code(2).says("frame 9999 does not exist");
    bench.run("knight.pchr -f 1..x -o a.png").code(2).says("A..B");
    bench.run("knight.pchr -o a.jpeg").code(2).says(".png");
    bench.run("knight.pchr -o {fram}.png").code(2).says("{fram}");
    bench.run("knight.pchr -s 0x5 -o a.png").code(2).says("640x480");
    bench.run("knight.pchr -s 99999x9 -o a.png").code(2).says("too large");
    bench.run("knight.pchr -s 32768 --antialias ssaa4 -o a.png").code(2).says("memory-bytes");
    bench.run("knight.pchr -s 100 --padding 50 -o a.png").code(2).says("leaves no room");
    bench.run("knight.pchr -f 5..0 -o a.png").code(2).says("no frame is selected");
    bench.run("knight.pchr --jobs 99999 -o a.png").code(2).says("1024");
    bench.run("knight.pchr --bind-pose nope -o a.png").code(2).says("`nope`");
    bench.run("-o a.png").code(2).says("no input file given");
    bench.run("nothing.pchr -o a.png").code(3).says("nothing.pchr");
    fs::create_dir(bench.path().join("empty")).expect("a folder");
    bench.run("empty -o a.png").code(3).says("no characters found");
    bench.run("knight.pchr -o a.png --limit pixels=1000").code(3).says("--limit pixels=VALUE");
    bench.run("knight.pchr -o knight.pchr/a.png").code(5);
    fs::write(bench.path().join("text.pchr"), "hello there").expect("can be written");
    bench.run("text.pchr -o a.png").code(3).says("hello");
    let knight = fs::read(bench.path().join("knight.pchr")).expect("an existing file");
    fs::write(bench.path().join("half.pchr"), &knight[..knight.len() / 2]).expect("can be written");
    bench.run("half.pchr -o a.png").code(3).says("half.pchr").says("byte");
    assert_eq!(bench.written(), ["half.pchr", "text.pchr"]);
}

#[test]
fn usage_errors_leave_no_files() {
    let bench = Bench::new();
    bench.run("knight.pchr -f 4..4 -o a.png").code(2).says("nothing to write");
    bench.run("knight.pchr --fit 0,0,1e-40,1e-40 -s 64 -o a.png").code(2).says("too small");
    bench.run("knight.pchr -s -1 -o a.png").code(2).says("640x480");
    bench.run("knight.pchr --padding 16000 -o a.png").code(2).says("`pixels`");
    bench.run("knight.pchr -s 32768 --antialias ssaa4 -o a.png").code(2).says("memory-bytes");
    bench.run("knight.pchr -s 64").code(2).says("--size has no effect without -o");
    bench.run("knight.pchr tiny.pchr -a walk -o {name}.png").code(2).says("tiny.pchr: no animation named `walk`");
    fs::copy(bench.path().join("tiny.pchr"), bench.path().join("same.png")).expect("a copy");
    bench.run("same.png -o same.png --force").code(2).says("is an input file and cannot be overwritten");
    let packed = [b"PCHR\x01\0\0\0\x02\0\0\0\0\0\0\0".as_slice(), b"{}"].concat();
    fs::write(bench.path().join("packed.pchr"), packed).expect("can be written");
    bench.run("packed.pchr -o a.png").code(3).says("packed Pachario");
    assert_eq!(bench.written(), ["packed.pchr", "same.png"]);
}

#[test]
fn a_comparison_needs_a_window_and_two_characters() {
    let bench = Bench::new();
    bench.run("knight.pchr --compare").code(2).says("--compare needs two characters, not 1");
    bench.run("*.pchr knight.pchr --compare").code(2).says("--compare needs two characters, not 3");
    bench.run("knight.pchr tiny.pchr --compare -o a.png").code(2).says("--compare only has an effect on a window");
    bench.run("knight.pchr --lineup").code(2).says("--lineup needs several characters, not 1");
}

#[test]
fn a_missing_driver_is_reported_and_the_cpu_is_used() {
    let bench = Bench::new();
    let without_driver = |backend: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pchr-view"));
        command.current_dir(bench.path()).args(["tiny.pchr", "--force", "-o", "a.png", "--backend", backend]);
        command.env("VK_DRIVER_FILES", "/nonexistent").env("__EGL_VENDOR_LIBRARY_FILENAMES", "/nonexistent");
        Ran { args: backend.to_owned(), output: command.output().expect("the program runs") }
    };
    if cfg!(target_os = "linux") {
        without_driver("auto").code(0);
        without_driver("vulkan").code(4).says("mesa-vulkan-drivers");
        bench.run("tiny.pchr --list-adapters").code(0);
    }
}

#[test]
fn long_lists_of_frames_are_rejected_before_anything_is_read() {
    let bench = Bench::new();
    let list = |count: usize| vec!["0"; count].join(",");
    let args = |frames: &str| format!("missing.pchr -o a-{{index}}.png -f {frames}");
    bench.run(&args(&list(4096))).code(3);
    let refused = bench.run(&args(&list(50_000))).code(2);
    let refused = refused.says("-f lists 50000 frames or ranges, at most 4096 are allowed");
    assert!(refused.stderr().len() < 400, "{}", refused.stderr());
}

#[test]
fn help_and_version_go_to_stdout() {
    let bench = Bench::new();
    for args in ["--help", "-h", "--version"] {
        let ran = bench.run(args).code(0);
        assert!(ran.output.stderr.is_empty() && !ran.output.stdout.is_empty(), "{args}");
    }
}

#[test]
fn auto_prefers_the_cpu_renderer_to_a_software_driver() {
    let bench = Bench::new();
    let run = |backend: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pchr-view"));
        let args = ["tiny.pchr", "-s", "40", "--force", "-o", "a.png", "--json", "--backend", backend];
        command.current_dir(bench.path()).args(args).stdin(Stdio::null());
        Ran { args: backend.to_owned(), output: command.output().expect("the program runs") }
    };
    let list = bench.run("--list-adapters --json").code(0).json();
    let adapters = list["adapters"].as_array().expect("a list");
    let usable: Vec<&Value> = adapters.iter().filter(|adapter| adapter["usable"] == true).collect();
    if usable.is_empty() || usable.iter().any(|adapter| adapter["software"] == false) {
        return common::say("SKIPPED: this machine has a graphics card, or no driver at all");
    }
    let auto = run("auto").code(0);
    assert_eq!(auto.json()["renders"][0]["backend"], "cpu");
    assert!(!auto.stderr().contains("CPU renderer"), "{}", auto.stderr());
    let by_auto = fs::read(bench.path().join("a.png")).expect("written");
    run("cpu").code(0);
    assert_eq!(fs::read(bench.path().join("a.png")).expect("written"), by_auto);
    // An explicit driver is used.
    let backend = usable[0]["backend"].as_str().expect("a name");
    assert_eq!(run(backend).code(0).json()["renders"][0]["backend"], backend);
    let mut named = Command::new(env!("CARGO_BIN_EXE_pchr-view"));
    named.current_dir(bench.path()).args(["tiny.pchr", "--json", "-o", "b.png", "--adapter", "#0"]);
    let named = Ran { args: "--adapter #0".to_owned(), output: named.output().expect("the program runs") }.code(0);
    assert_eq!(named.json()["renders"][0]["backend"], adapters[0]["backend"]);
}
