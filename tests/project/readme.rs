//! Runs every command of the README, in a temporary folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common;

/// Commands that are not run here, with the reason.
const ELSEWHERE: [(&str, &str); 8] = [
    ("git clone https://github.com/pchr/pchr.git", "this is the clone"),
    ("cd pchr", "this is the folder"),
    ("cargo run --release -- assets/paper-knight.pchr", "tests/viewer/window.rs opens the window"),
    ("cargo install --path .", "scripts/test installs both programs from the package"),
    ("scripts/test", "runs this test"),
    ("scripts/package-deb", "tests/project/desktop.rs builds it"),
    (
        "pchr-view knight.pchr -a walk -o knight-walk.gif --watch",
        "does not end; tests/cli/interrupted.rs covers it",
    ),
    (
        "pchr-view knight.pchr -a walk -s 512 -o - --format y4m | ffmpeg -i - -vf scale=out_color_matrix=bt709 -colorspace bt709 -pix_fmt yuv420p walk.mp4",
        "requires ffmpeg; tests/cli/animated.rs reads the y4m",
    ),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns every line of every `sh` block without its comment.
fn commands() -> Vec<String> {
    let readme = fs::read_to_string(root().join("README.md")).expect("README.md is there");
    let blocks = readme.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    let lines = blocks.flat_map(str::lines).map(|line| line.split(" #").next().unwrap_or(line).trim().to_owned());
    lines.filter(|line| !line.is_empty()).collect()
}

/// Returns the folder of the programs of this build.
fn programs() -> PathBuf {
    Path::new(env!("CARGO_BIN_EXE_pchr-view")).parent().expect("a folder").to_owned()
}

#[test]
fn every_command_works() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::create_dir(folder.path().join("assets")).expect("a folder");
    for name in ["knight.pchr", "assets/paper-knight.pchr"] {
        fs::copy(root().join("assets/paper-knight.pchr"), folder.path().join(name)).expect("a copy");
    }
    for name in ["art", "art/heroes"] {
        fs::create_dir(folder.path().join(name)).expect("a folder");
        let copy = folder.path().join(name).join("knight.pchr");
        fs::copy(root().join("assets/paper-knight.pchr"), copy).expect("a copy");
    }
    fs::create_dir(folder.path().join("lamp")).expect("a folder");
    for name in ["paper-lamp.json", "paper-lamp.atlas", "paper-lamp.png"] {
        fs::copy(root().join("assets").join(name), folder.path().join("lamp").join(name)).expect("a copy");
    }
    let mut ran = 0;
    for command in commands() {
        if ELSEWHERE.iter().any(|(elsewhere, _)| *elsewhere == command) {
            continue;
        }
        let Some(line) = runnable(&command) else { continue };
        // Commands must not depend on the output files of earlier ones.
        let path = format!("{}:{}", programs().display(), std::env::var("PATH").unwrap_or_default());
        let output = Command::new("sh")
            .args(["-c", &line])
            .current_dir(folder.path())
            .env("PATH", path)
            .env_remove("CI")
            .output();
        let output = output.expect("a shell");
        assert!(output.status.success(), "{command}\n{}", String::from_utf8_lossy(&output.stderr));
        ran += 1;
    }
    assert!(ran >= 10, "only {ran} commands were run");
    for name in ["knight.png", "out/walk-000.png", "small/jump-000.png", "jump.png", "piped.png", "frame.png"] {
        let bytes = fs::read(folder.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(bytes.starts_with(b"\x89PNG"), "{name}");
    }
    for (name, start) in [("walk.apng", &b"\x89PNG"[..]), ("clips/jump.webp", b"RIFF"), ("jump.gif", b"GIF89a")] {
        let bytes = fs::read(folder.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(bytes.starts_with(start), "{name}");
    }
}

/// Replaces cargo by the programs of this build. Returns `None` if the command needs a window and there is no
/// display.
fn runnable(command: &str) -> Option<String> {
    // Some commands write the same files.
    let overwriting = |line: String| {
        let writes = line.starts_with("pchr-view") && line.contains(".png") && !line.contains('|');
        if writes { line + " --force" } else { line }
    };
    if let Some(arguments) = command.strip_prefix("cargo run --release -- ") {
        return Some(overwriting(format!("pchr-view {arguments}")));
    }
    if let Some(arguments) = command.strip_prefix("scripts/install ") {
        return install(arguments);
    }
    let Some(example) = command.strip_prefix("cargo run --release --example ") else {
        return Some(overwriting(command.to_owned()));
    };
    let (name, arguments) = example.split_once(" -- ").unwrap_or((example, ""));
    let program = programs().join("examples").join(name);
    assert!(program.is_file(), "{} is not built: run `cargo build --release --examples`", program.display());
    let is_window = ["embed_in_winit", "aim_at_the_mouse", "crowd"].contains(&name) && !arguments.contains("-o ");
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
    let script = root().join("scripts/install");
    let programs = format!("--programs '{}'", programs().display());
    let programs = if arguments.contains("--uninstall") { "" } else { &programs };
    Some(format!("export HOME=$PWD; '{}' {arguments} {programs}", script.display()))
}

#[test]
fn the_keys_are_those_of_the_window() {
    const MARKS: [&str; 2] = ["<!-- keys -->\n", "<!-- /keys -->"];
    let path = root().join("README.md");
    let readme = fs::read_to_string(&path).expect("README.md is there");
    let (before, rest) = readme.split_once(MARKS[0]).expect("the first mark");
    let (found, after) = rest.split_once(MARKS[1]).expect("the second mark");
    let expected = pchr::viewer::command::markdown_table();
    if std::env::var_os("PCHR_UPDATE").is_some() {
        let updated = format!("{before}{}{expected}{}{after}", MARKS[0], MARKS[1]);
        fs::write(&path, updated).expect("README.md can be written");
    } else {
        assert_eq!(
            found, expected,
            "update the table with PCHR_UPDATE=1 cargo test --release --test project readme"
        );
    }
}
