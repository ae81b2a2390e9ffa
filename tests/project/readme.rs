//! Runs every command of the README and of the pages, each page in a temporary folder that looks like a clone.
//!
//! docs/ci.md is not included: `ci.rs` runs its commands, as scripts in a folder of a project.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::pages;
use crate::common;

/// Commands that are not run here, with the reason. A `*` at the end stands for any arguments.
const ELSEWHERE: [(&str, &str); 38] = [
    ("git clone https://github.com/pchr/pchr.git", "this is the clone"),
    ("cd pchr", "this is the folder"),
    ("cargo run --release -- assets/paper-knight.pchr", "tests/viewer/window.rs opens the window"),
    ("pchr-view assets/paper-knight.pchr", "tests/viewer/window.rs opens the window"),
    ("pchr-view assets/paper-lamp.json assets/paper-lamp-4.2.json --compare", "src/viewer/compare/tests opens it"),
    ("pchr-view assets", "src/viewer/files/gallery/tests opens folders"),
    ("pchr-view assets/paper-knight.pchr assets/paper-lamp.json --lineup", "src/viewer/compare/tests opens it"),
    ("cargo install --locked --path .", "scripts/test installs both programs from the package"),
    ("cargo install --locked --git https://github.com/pchr/pchr*", "needs the network"),
    ("cargo uninstall pchr", "removes what is installed"),
    ("scripts/test", "runs this test"),
    ("scripts/test docs api", "builds this project"),
    ("scripts/test web", "builds this project"),
    ("scripts/test python", "builds this project"),
    ("scripts/test npm", "builds this project"),
    ("scripts/build-npm*", "bindings/npm/test.mjs runs it"),
    ("npm install --offline*", "bindings/npm/test.mjs runs it"),
    ("npx --offline*", "bindings/npm/test.mjs runs it"),
    ("scripts/build-web", "scripts/test runs it"),
    ("scripts/build-wheel", "scripts/test runs it"),
    ("scripts/test --list", "tests/project/checks.rs runs it"),
    ("scripts/check*", "builds this project"),
    ("*cargo test*", "builds this project"),
    ("cargo build --release && mkdir*", "builds this project"),
    ("scripts/compare-binaries*", "needs two builds"),
    ("scripts/public-api*", "scripts/test runs it"),
    ("scripts/test-action*", "scripts/test runs it"),
    ("scripts/try-action*", "scripts/test-action runs it"),
    ("scripts/survey*", "tests/cli/validate.rs runs it"),
    ("scripts/window-picture*", "tests/project/pages.rs runs it"),
    ("scripts/package-deb", "tests/project/desktop.rs builds it"),
    ("rustup *", "needs the network"),
    ("cargo install cargo-fuzz*", "needs the network"),
    ("*scripts/fuzz*", "needs a nightly compiler"),
    ("*-o walk.mp4*", "needs ffmpeg; tests/cli/video.rs writes videos"),
    ("*-o walk.webm*", "needs ffmpeg; tests/cli/video.rs writes videos"),
    ("*-o walk.mov*", "needs ffmpeg; tests/cli/video.rs writes videos"),
    (
        "pchr-view knight.pchr -a walk -o knight-walk.gif --watch",
        "does not end; tests/cli/interrupted.rs covers it",
    ),
];

fn is_run_elsewhere(command: &str) -> bool {
    let matches = |pattern: &str| match pattern.strip_suffix('*') {
        Some(start) => match start.strip_prefix('*') {
            Some(part) => command.contains(part),
            None => command.starts_with(start),
        },
        None => command == pattern,
    };
    ELSEWHERE.iter().any(|(pattern, _)| matches(pattern))
}

/// Returns every line of every `sh` block without its comment.
fn commands(page: &str) -> Vec<String> {
    let blocks = page.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    let lines = blocks.flat_map(str::lines).map(|line| line.split(" #").next().unwrap_or(line).trim().to_owned());
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
}

/// Returns the folder of the programs of this build.
fn programs() -> PathBuf {
    Path::new(env!("CARGO_BIN_EXE_pchr-view")).parent().expect("a folder").to_owned()
}

/// A folder with the parts of a clone that the commands use.
fn clone() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for name in ["assets", "art"] {
        fs::create_dir(folder.path().join(name)).expect("a folder");
    }
    for asset in fs::read_dir(pages::root().join("assets")).expect("assets") {
        let asset = asset.expect("an asset");
        fs::copy(asset.path(), folder.path().join("assets").join(asset.file_name())).expect("a copy");
    }
    fs::copy(folder.path().join("assets/paper-knight.pchr"), folder.path().join("art/knight.pchr"))
        .expect("a copy");
    folder
}

/// Runs all commands of a page in order, and returns how many there were.
fn run_page(name: &str, folder: &Path) -> usize {
    let page = pages::text(name);
    let mut ran = 0;
    for command in commands(&page) {
        if is_run_elsewhere(&command) {
            continue;
        }
        let Some(line) = runnable(&command) else { continue };
        // Commands must not depend on the output files of earlier tests.
        let path = format!("{}:{}", programs().display(), std::env::var("PATH").unwrap_or_default());
        let output =
            Command::new("sh").args(["-c", &line]).current_dir(folder).env("PATH", path).env_remove("CI").output();
        let output = output.expect("a shell");
        assert!(output.status.success(), "{name}: {command}\n{}", String::from_utf8_lossy(&output.stderr));
        ran += 1;
    }
    ran
}

fn expect_files(folder: &Path, files: &[(&str, &[u8])]) {
    for (name, start) in files {
        let bytes = fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(bytes.starts_with(start), "{name}");
    }
}

const PNG: &[u8] = b"\x89PNG";

#[test]
fn every_command_of_the_readme_works() {
    let folder = clone();
    let ran = run_page("README.md", folder.path());
    assert!(ran >= 13, "only {ran} commands were run");
    let files: [(&str, &[u8]); 8] = [
        ("knight.png", PNG),
        ("walk.webp", b"RIFF"),
        ("spine/knight.json", b"{"),
        ("walk/000.png", PNG),
        ("clips/jump.webp", b"RIFF"),
        ("sheet.png", PNG),
        ("icons/paper-knight.png", PNG),
        ("report/index.html", b"<!"),
    ];
    expect_files(folder.path(), &files);
}

#[test]
fn every_command_of_the_pages_works() {
    let mut ran = 0;
    for page in
        pages::all().iter().filter(|page| !["README.md", "docs/ci.md", "docs/render.md"].contains(&page.as_str()))
    {
        ran += run_page(page, clone().path());
    }
    assert!(ran >= 25, "only {ran} commands were run");
}

#[test]
fn every_command_of_the_page_about_rendering_works() {
    let folder = clone();
    let ran = run_page("docs/render.md", folder.path());
    assert!(ran >= 30, "only {ran} commands were run");
    let files: [(&str, &[u8]); 6] = [
        ("out/walk-000.png", PNG),
        ("small/jump-000.png", PNG),
        ("piped.png", PNG),
        ("walk.apng", PNG),
        ("clips/jump.webp", b"RIFF"),
        ("jump.gif", b"GIF89a"),
    ];
    expect_files(folder.path(), &files);
}

#[test]
fn no_command_is_excused_that_no_page_has() {
    let all: Vec<String> = pages::all().iter().flat_map(|page| commands(&pages::text(page))).collect();
    for (pattern, _) in ELSEWHERE {
        let part = pattern.trim_matches('*');
        assert!(all.iter().any(|command| command.contains(part)), "no page has `{pattern}`");
    }
}

/// Replaces cargo by the programs of this build. Returns `None` if the command needs a window and there is no
/// display.
fn runnable(command: &str) -> Option<String> {
    for (start, program) in [
        ("cargo run --release --no-default-features --features cli -- ", "pchr-view"),
        ("cargo run --release --bin pchr -- ", "pchr"),
        ("cargo run --release -- ", "pchr-view"),
    ] {
        if let Some(arguments) = command.strip_prefix(start) {
            return Some(format!("{program} {arguments}"));
        }
    }
    if let Some(arguments) = command.strip_prefix("scripts/install ") {
        return install(arguments);
    }
    let Some(example) = command.strip_prefix("cargo run --release --example ") else {
        return Some(command.to_owned());
    };
    let (name, arguments) = example.split_once(" -- ").unwrap_or((example, ""));
    let program = programs().join("examples").join(name);
    assert!(program.is_file(), "{} is not built: run `cargo build --release --examples`", program.display());
    let is_window =
        ["embed_in_winit", "aim_at_the_mouse", "crowd", "game"].contains(&name) && !arguments.contains("-o ");
    if !is_window {
        return Some(format!("'{}' {arguments}", program.display()));
    }
    // Software drivers take seconds for a frame of a large crowd.
    let arguments = if name == "crowd" { "--count 100" } else { arguments };
    if Command::new("xvfb-run").arg("--help").output().is_err() {
        assert_ne!(std::env::var("PCHR_TEST_WINDOW").as_deref(), Ok("require"), "xvfb-run is missing");
        common::say(&format!("SKIPPED: xvfb-run is missing, required by the example {name}"));
        return None;
    }
    Some(format!("xvfb-run -a '{}' {arguments} --frames 3", program.display()))
}

/// Installs the programs of this build, with the temporary folder as the home folder. Returns `None` on other systems.
fn install(arguments: &str) -> Option<String> {
    if !cfg!(target_os = "linux") {
        common::say("SKIPPED: scripts/install is for Linux");
        return None;
    }
    let script = pages::root().join("scripts/install");
    let programs = format!("--programs '{}'", programs().display());
    let programs = if arguments.contains("--uninstall") { "" } else { &programs };
    Some(format!("export HOME=$PWD; '{}' {arguments} {programs}", script.display()))
}
