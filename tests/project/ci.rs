//! Runs the commands of docs/ci.md, in the order in which they appear: `sh` blocks as scripts, and the lines in other
//! examples that call pchr.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Number of shards in the examples.
const SHARDS: u32 = 4;

/// A block of code: its language and its text.
fn blocks(page: &str) -> Vec<(&str, &str)> {
    let fenced = page.split("```").skip(1).step_by(2);
    fenced.filter_map(|block| block.split_once('\n')).collect()
}

/// Returns the lines of an example that call pchr, as one script. Those of a shard are repeated for every shard.
fn script(block: &str) -> String {
    let mut script = String::new();
    for line in block.lines() {
        let line = ["- ", "run: ", "entry: "].iter().fold(line.trim(), |line, key| line.trim_start_matches(key));
        if !line.starts_with("pchr ") {
            continue;
        }
        let is_shard = ["$SHARD", "$CI_NODE_INDEX"].iter().any(|name| line.contains(name));
        for shard in 1..=if is_shard { SHARDS } else { 1 } {
            script += &format!("SHARD={shard} CI_NODE_INDEX={shard} CI_NODE_TOTAL={SHARDS}\n{line}\n");
        }
    }
    script
}

struct Folder(tempfile::TempDir);

impl Folder {
    /// A repository with a character.
    fn new() -> Self {
        let folder = Self(tempfile::tempdir().expect("a temporary folder"));
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        fs::create_dir(folder.path("art")).expect("a folder");
        fs::copy(root.join("assets/paper-knight.pchr"), folder.path("art/knight.pchr")).expect("a copy");
        folder.run("git init --quiet && git config user.name A && git config user.email a@example.com");
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn output(&self, script: &str) -> Output {
        let programs = Path::new(crate::common::program::pchr_path()).parent().expect("a folder");
        let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default());
        let mut command = Command::new("sh");
        command.args(["-ec", script]).current_dir(self.0.path()).env("PATH", path).env_remove("CI");
        command.env("GITHUB_STEP_SUMMARY", self.path("summary.md"));
        command.output().expect("a shell")
    }

    fn run(&self, script: &str) {
        let output = self.output(script);
        let [stdout, stderr] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
        assert!(output.status.success(), "{script}\n{stdout}\n{stderr}");
    }
}

#[test]
fn the_inputs_are_those_of_the_action() {
    let read = |path: &str| fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect("a file");
    let (action, page) = (read("action.yml"), read("docs/ci.md"));
    let (_, rest) = action.split_once("\ninputs:\n").expect("inputs");
    let (inputs, _) = rest.split_once("\noutputs:\n").expect("outputs");
    let names: Vec<&str> = inputs.lines().filter_map(|line| line.strip_prefix("  ")?.strip_suffix(':')).collect();
    let (_, table) = page.split_once("| input | default | meaning |\n|---|---|---|\n").expect("a table of inputs");
    let rows = table.lines().take_while(|line| line.starts_with('|'));
    let listed: Vec<&str> = rows.filter_map(|row| row.split('`').nth(1)).collect();
    assert_eq!(listed, names, "docs/ci.md and action.yml");
}

#[test]
fn every_command_works() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/ci.md")).expect("docs/ci.md");
    let folder = Folder::new();
    folder.run("pchr test art --update");
    let mut ran = 0;
    for (language, block) in blocks(&page) {
        let script = match language {
            "sh" => block.to_owned(),
            "yaml" => script(block),
            _ => continue,
        };
        if !script.is_empty() {
            folder.run(&script);
            ran += 1;
        }
    }
    assert!(ran >= 8, "only {ran} examples were run");
    for file in ["report/index.html", "junit.xml", "shard-4.json", "summary.md"] {
        assert!(folder.path(file).is_file(), "{file}");
    }
    assert!(fs::read_to_string(folder.path("junit.xml")).expect("JUnit XML").contains("<testsuite"));

    // The hook checks what is committed, not what is in the folder.
    folder.run("git add art && git commit --quiet --message good");
    let knight = fs::read(folder.path("art/knight.pchr")).expect("a character");
    fs::write(folder.path("art/knight.pchr"), &knight[..100]).expect("a damaged character");
    folder.run("git commit --quiet --allow-empty --message unstaged");
    let output = folder.output("git add art && git commit --message damaged");
    assert!(!output.status.success(), "the hook accepted a damaged character");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(printed.contains("art/knight.pchr"), "{printed}");
}
