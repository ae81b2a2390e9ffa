//! Runs every command of the README and of the pages as it is written: in one clone, in the order in which a reader gets to
//! them. Only cargo is replaced, by a script that finds everything built.
//!
//! docs/ci.md is about the folder of another project: `ci.rs` runs its commands.

#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::pages;
use crate::common;
use crate::common::program::view_path;

/// What a command needs and the tests do not have. Its page says so.
#[derive(Clone, Copy)]
enum Needs {
    /// It opens a window and does not end.
    Display,
    /// It downloads something: a repository, a tool, or the crates that it compiles.
    Network,
}

impl Needs {
    /// A word that its page contains.
    fn word(self) -> &'static str {
        match self {
            Self::Display => "window",
            Self::Network => "network",
        }
    }
}

/// Commands that are not run, by their beginnings.
const EXCEPTIONS: [(&str, Needs); 21] = [
    ("cargo run --release -- assets/paper-knight.pchr$", Needs::Display),
    ("pchr-view assets/paper-knight.pchr$", Needs::Display),
    ("pchr-view assets$", Needs::Display),
    ("pchr-view assets/paper-lamp.json assets/paper-lamp-4.2.json --compare$", Needs::Display),
    ("pchr-view assets/paper-knight.pchr assets/paper-lamp.json --lineup$", Needs::Display),
    ("scripts/window-picture$", Needs::Display),
    ("git clone ", Needs::Network),
    ("rustup ", Needs::Network),
    ("cargo install ", Needs::Network),
    // There is nothing to remove.
    ("cargo uninstall ", Needs::Network),
    // Everything else compiles this project.
    ("cargo test ", Needs::Network),
    ("scripts/check ", Needs::Network),
    ("scripts/test$", Needs::Network),
    ("scripts/test docs api$", Needs::Network),
    ("scripts/test web$", Needs::Network),
    ("scripts/test c$", Needs::Network),
    ("scripts/test python$", Needs::Network),
    ("scripts/test npm$", Needs::Network),
    ("scripts/build-w", Needs::Network),
    ("scripts/fuzz", Needs::Network),
    ("scripts/public-api", Needs::Network),
];

/// What commands need that may be missing here, with the variable that requires it.
const TOOLS: [(&str, &str, &str); 12] = [
    ("--example embed_in_winit", "xvfb-run --help", "PCHR_TEST_WINDOW"),
    ("--example aim_at_the_mouse", "xvfb-run --help", "PCHR_TEST_WINDOW"),
    ("--example crowd", "xvfb-run --help", "PCHR_TEST_WINDOW"),
    ("--example game", "xvfb-run --help", "PCHR_TEST_WINDOW"),
    (" -o walk.mp4", "ffmpeg -version", "PCHR_TEST_FFMPEG"),
    (" -o walk.webm", "ffmpeg -version", "PCHR_TEST_FFMPEG"),
    (" -o walk.mov", "ffmpeg -version", "PCHR_TEST_FFMPEG"),
    ("scripts/package-deb", "dpkg-deb --version", "PCHR_TEST_DESKTOP"),
    ("npm", "npm --version", "PCHR_TEST_BROWSER"),
    ("npx", "npm --version", "PCHR_TEST_BROWSER"),
    ("scripts/survey", "python3 --version", "PCHR_TEST_PYTHON"),
    ("-action", "python3 -c 'import yaml'", "PCHR_TEST_PYTHON"),
];

/// `cargo` for a reader who has built everything: `build` does nothing, `run` starts what was built, and `install --root`
/// copies it.
const CARGO: &str = r#"#!/bin/sh
name=pchr-view
while [ $# -gt 0 ]; do
  case $1 in
    build) exit ;;
    --bin) name=$2; shift ;;
    --example) name=examples/$2; shift ;;
    --root) root=$2; shift ;;
    -p | --features | --path) shift ;;
    run | install | --release | --locked | --no-default-features | --no-track | --quiet) ;;
    --) shift; break ;;
    *) echo "cargo $1 is not replaced" >&2; exit 1 ;;
  esac
  shift
done
[ -z "$root" ] || { mkdir -p "$root/bin" && exec cp "$PROGRAMS/pchr" "$PROGRAMS/pchr-view" "$root/bin"; }
exec "$PROGRAMS/$name" "$@"
"#;

/// The archives of a release that npm packages are made of, as scripts/pack-release writes them; the programs in them are
/// scripts, because large ones take long to pack.
const ARCHIVES: &str = r#"
for program in pchr:musl pchr-view:gnu; do
  name=${program%:*}-$VERSION-$(uname -m)-unknown-linux-${program#*:}
  mkdir $name
  cp LICENSE-MIT LICENSE-APACHE $name
  printf '#!/bin/sh\nexec "%s" "$@"\n' "$PROGRAMS/${program%:*}" > $name/${program%:*}
  chmod +x $name/${program%:*}
  touch $name/THIRD-PARTY-LICENSES.txt
  tar --use-compress-program='gzip -1' -cf $name.tar.gz $name
  rm -r $name
done
"#;

/// Returns the entry of a command that is not run.
fn exception(command: &str) -> Option<&'static (&'static str, Needs)> {
    let is_variable = |word: &str| word.split_once('=').is_some_and(|(name, _)| name.starts_with("PCHR_"));
    let mut command = command;
    while let Some((_, rest)) = command.split_once(' ').filter(|(word, _)| is_variable(word)) {
        command = rest;
    }
    let command = command.strip_prefix("nice -n 19 ").unwrap_or(command);
    let is_it = |pattern: &str| match pattern.strip_suffix('$') {
        Some(whole) => command == whole,
        None => command.starts_with(pattern),
    };
    EXCEPTIONS.iter().find(|(pattern, _)| is_it(pattern))
}

/// Returns every line of every `sh` block without its comment.
fn commands(page: &str) -> Vec<String> {
    let blocks = page.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    let lines = blocks.flat_map(str::lines).map(|line| line.split(" #").next().unwrap_or(line).trim().to_owned());
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
}

/// Returns the pages in the order in which links lead to them.
fn in_order() -> Vec<String> {
    let mut pages = vec!["README.md".to_owned()];
    let mut next = 0;
    while let Some(page) = pages.get(next).cloned() {
        let links = pages::links(&page).into_iter().map(|target| pages::resolve(&page, &target).0);
        for path in links.filter(|path| path.ends_with(".md") && !path.starts_with("bindings")).collect::<Vec<_>>()
        {
            if !pages.contains(&path) {
                pages.push(path);
            }
        }
        next += 1;
    }
    pages
}

/// Returns the folder of the programs of this build.
fn programs() -> PathBuf {
    Path::new(view_path()).parent().expect("a folder").to_owned()
}

/// Someone who reads, with a home folder and a clone.
struct Reader {
    home: tempfile::TempDir,
    folder: PathBuf,
}

impl Reader {
    fn new() -> Self {
        let home = tempfile::tempdir().expect("a temporary folder");
        let at = |path: &str| home.path().join(path);
        let list = Command::new("git").args(["ls-files", "-z"]).current_dir(pages::root()).output().expect("git");
        for path in String::from_utf8(list.stdout).expect("UTF-8").split_terminator('\0') {
            let is_used = !path.starts_with("tests/") || path.starts_with("tests/fixtures/");
            if !is_used || !pages::root().join(path).is_file() {
                continue;
            }
            let to = at("pchr").join(path);
            fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
            fs::copy(pages::root().join(path), to).expect("a copy");
        }
        for folder in ["bin", ".cargo", "characters", "pchr/target"] {
            fs::create_dir_all(at(folder)).expect("a folder");
        }
        symlink(programs(), at("pchr/target/release")).expect("a link");
        symlink(programs(), at(".cargo/bin")).expect("a link");
        fs::copy(pages::root().join("assets/paper-knight.pchr"), at("characters/knight.pchr")).expect("a copy");
        fs::write(at("bin/cargo"), CARGO).expect("a script");
        fs::set_permissions(at("bin/cargo"), fs::Permissions::from_mode(0o755)).expect("an executable");
        let folder = home.path().to_owned();
        Self { home, folder }
    }

    fn command(&self, line: &str) -> Command {
        let path = std::env::var("PATH").unwrap_or_default();
        let path = format!("{}:{}:{path}", self.home.path().join("bin").display(), programs().display());
        let mut command = Command::new("bash");
        command.args(["-c", line]).current_dir(&self.folder).env("PATH", path).env("HOME", self.home.path());
        command.env("PROGRAMS", programs()).env("VERSION", env!("CARGO_PKG_VERSION"));
        command.env("npm_config_update_notifier", "false").env_remove("CI").env_remove("CARGO_TARGET_DIR");
        // Compressing takes longer than all else.
        command.env("DPKG_DEB_COMPRESSOR_TYPE", "none");
        command
    }

    fn run(&mut self, page: &str, line: &str) {
        if let Some(folder) = line.strip_prefix("cd ") {
            self.folder.push(folder);
            return assert!(self.folder.is_dir(), "{page}: {line}");
        }
        if line.ends_with(" --watch") {
            return self.interrupt(line);
        }
        let output = self.command(&bounded(line)).output().expect("bash");
        let [stdout, stderr] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
        assert!(output.status.success(), "{page}: {line}\n{stdout}\n{stderr}");
    }

    /// Interrupts a command that does not end once it has written its file.
    fn interrupt(&self, line: &str) {
        let mut child =
            self.command(&format!("exec {line}")).stderr(Stdio::null()).spawn().expect("the program starts");
        let file = line.split(" -o ").nth(1).and_then(|rest| rest.split(' ').next()).expect("a file");
        while !self.folder.join(file).exists() {
            assert!(child.try_wait().expect("a child").is_none(), "{line} ended");
            std::thread::sleep(Duration::from_millis(20));
        }
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
        assert!(child.wait().expect("it ends").code().is_some(), "{line}");
    }
}

/// Lets examples that open a window end by themselves, on a virtual display.
fn bounded(line: &str) -> String {
    let is_window = line.contains("--example ") && TOOLS[..4].iter().any(|(part, ..)| line.contains(part));
    if !is_window || line.contains(" -o ") {
        return line.to_owned();
    }
    let args = if line.contains(" -- ") { "" } else { " --" };
    // Software drivers take seconds for a frame of a large crowd.
    let count = if line.contains("crowd") { " --count 100" } else { "" };
    format!("xvfb-run -a {line}{args}{count} --frames 3")
}

/// Returns false, and says so, if a command needs something that is missing here.
fn has_tools(line: &str) -> bool {
    if !cfg!(target_os = "linux") && line.starts_with("scripts/") {
        common::say(&format!("SKIPPED: {line} is for Linux"));
        return false;
    }
    let tools = TOOLS.iter().filter(|(part, ..)| line.contains(part));
    for (_, tool, variable) in tools {
        let found = Command::new("sh").args(["-c", tool]).output().is_ok_and(|output| output.status.success());
        if !found {
            assert_ne!(std::env::var(variable).as_deref(), Ok("require"), "`{tool}` fails");
            common::say(&format!("SKIPPED: `{tool}` fails, required by {line}"));
            return false;
        }
    }
    true
}

#[test]
fn every_command_works_in_one_clone_in_reading_order() {
    let mut reader = Reader::new();
    let mut ran = 0;
    for page in in_order().iter().filter(|page| *page != "docs/ci.md") {
        if page == "docs/install.md" && has_tools("npm") {
            // The page says that they are there.
            reader.run(page, ARCHIVES);
        }
        for line in commands(&pages::text(page)) {
            if exception(&line).is_none() && has_tools(&line) {
                reader.run(page, &line);
                ran += 1;
            }
        }
    }
    assert!(ran >= 100, "only {ran} commands were run");
    let files: [(&str, &[u8]); 14] = [
        ("knight.png", PNG),
        ("walk.webp", b"RIFF"),
        ("spine/knight.json", b"{"),
        ("walk/000.png", PNG),
        ("clips/jump.webp", b"RIFF"),
        ("sheet.png", PNG),
        ("icons/paper-knight.png", PNG),
        ("report/index.html", b"<!"),
        ("out/walk-000.png", PNG),
        ("small/jump-000.png", PNG),
        ("piped.png", PNG),
        ("walk.apng", PNG),
        ("webp/jump.webp", b"RIFF"),
        ("jump.gif", b"GIF89a"),
    ];
    for (name, start) in files {
        let bytes = fs::read(reader.folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(bytes.starts_with(start), "{name}");
    }
}

const PNG: &[u8] = b"\x89PNG";

#[test]
fn every_exception_is_on_a_page_that_says_what_it_needs() {
    let mut seen = BTreeSet::new();
    for page in in_order() {
        let text = pages::text(&page);
        for line in commands(&text) {
            let Some((pattern, needs)) = exception(&line) else { continue };
            assert!(text.contains(needs.word()), "{page} does not say that `{line}` needs a {}", needs.word());
            seen.insert(pattern);
        }
    }
    assert_eq!(seen.len(), EXCEPTIONS.len(), "no page has some of the exceptions");
}
