//! Characters with errors in timelines: who shows them, and who refuses them without `--keep-going`.

use std::fs;
use std::process::{Command, Output, Stdio};

use crate::common::program::stderr;
use crate::common::schema::Validator;
use crate::common::{root, torn_lamp};
use serde_json::{Value, json};
use tempfile::TempDir;

/// `art/torn.json`, and the lamp without errors in `whole/torn.json`.
struct Bench(TempDir);

impl Bench {
    fn new() -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let assets = root().join("assets");
        for (to, text) in [
            ("art", torn_lamp()),
            ("whole", fs::read_to_string(assets.join("paper-lamp.json")).expect("the lamp")),
        ] {
            let to = folder.path().join(to);
            fs::create_dir(&to).expect("a folder");
            fs::write(to.join("torn.json"), text).expect("can be written");
            fs::copy(assets.join("paper-lamp.atlas"), to.join("torn.atlas")).expect("a copy");
            fs::copy(assets.join("paper-lamp.png"), to.join("paper-lamp.png")).expect("a copy");
        }
        Self(folder)
    }

    #[track_caller]
    fn run(&self, code: i32, line: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pchr"));
        command.current_dir(self.0.path()).args(line.split_whitespace()).env_remove("CI").stdin(Stdio::null());
        let output = command.output().expect("the program runs");
        assert_eq!(output.status.code(), Some(code), "pchr {line}\n{}", stderr(&output));
        output
    }

    #[track_caller]
    fn assert_valid(&self, schema: &str, document: &Value) {
        let schema = serde_json::from_slice(&self.run(0, &format!("schema {schema}")).stdout).expect("JSON");
        Validator::new(&schema).assert_valid(document);
    }
}

const ERROR: &str = "art/torn.json: /animations/hop/bones/basis: no bone named `basis`; did you mean `base`?";

#[test]
fn inspect_shows_it_with_the_error() {
    let bench = Bench::new();
    let output = bench.run(0, "inspect art/torn.json");
    let text = stderr(&output);
    assert!(text.contains("error[missing-name]") && text.contains(ERROR), "{text}");
    assert!(text.contains("art/torn.json: the part of the animation with this error is left out"), "{text}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("hop"));
    let document: Value =
        serde_json::from_slice(&bench.run(0, "inspect art/torn.json --json -q").stdout).expect("JSON");
    let errors = document["files"][0]["errors"].as_array().expect("a list");
    assert_eq!((errors.len(), &errors[0]["code"]), (1, &"missing-name".into()));
    bench.assert_valid("inspect", &document);
    let whole: Value = serde_json::from_slice(&bench.run(0, "inspect whole --json").stdout).expect("JSON");
    assert!(whole["files"][0].get("errors").is_none());
}

#[test]
fn what_writes_or_compares_refuses_it_without_keep_going() {
    let bench = Bench::new();
    for (line, code) in [
        ("convert art/torn.json -o out/a.pchr", 0),
        ("convert art/torn.json -o out/b.json --to spine42", 0),
        ("convert art -o out/{path}.pchr", 0),
        ("poses art/torn.json -a hop", 0),
        ("diff art/torn.json whole/torn.json", 1),
        ("diff art whole", 1),
        ("test art --update", 0),
    ] {
        let written = || fs::read_dir(bench.0.path().join("out")).map_or(0, Iterator::count);
        let before = written();
        let output = bench.run(3, line);
        let text = stderr(&output) + &String::from_utf8_lossy(&output.stdout);
        assert!(text.contains(ERROR) && written() == before, "{line}: {text}");
        bench.run(code, &format!("{line} --keep-going"));
    }
    let text = stderr(&bench.run(3, "convert art/torn.json -o out/c.pchr"));
    assert!(text.contains("--keep-going leaves this part of the animation out"), "{text}");
    bench.run(0, "inspect out/a.pchr out/b.json out/torn.pchr");
    let json = bench.run(0, "convert art/torn.json -o out/d.pchr --keep-going --json").stdout;
    let document: Value = serde_json::from_slice(&json).expect("JSON");
    assert_eq!(document["files"][0]["errors"], json!([{ "code": "missing-name", "message": ERROR }]));
    bench.assert_valid("written", &document);
    let json = bench.run(1, "diff art/torn.json whole/torn.json --keep-going --json").stdout;
    let document: Value = serde_json::from_slice(&json).expect("JSON");
    assert_eq!(document["a"]["errors"], json!([{ "code": "missing-name", "message": ERROR }]));
    assert!(document["b"].get("errors").is_none());
}

#[test]
fn poses_and_tests_list_what_they_leave_out() {
    let bench = Bench::new();
    let json = bench.run(0, "poses art/torn.json -a hop --keep-going --json").stdout;
    let document: Value = serde_json::from_slice(&json).expect("JSON");
    assert_eq!(document["errors"], json!([{ "code": "missing-name", "message": ERROR }]));
    bench.assert_valid("poses", &document);
    let text = stderr(&bench.run(0, "test art --update --keep-going"));
    assert!(text.contains(ERROR) && text.contains("art/torn.json: the part of the animation"), "{text}");
    let output = bench.run(0, "test art --keep-going --json -q");
    assert!(stderr(&output).contains(ERROR), "{}", stderr(&output));
    let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(document["errors"], json!([{ "code": "missing-name", "message": ERROR }]));
    bench.assert_valid("compare", &document);
    for shard in ["1/2", "2/2"] {
        let json = bench.run(0, &format!("test art --keep-going --json --shard {shard}")).stdout;
        fs::write(bench.0.path().join(format!("{}.json", &shard[..1])), json).expect("can be written");
    }
    assert_eq!(bench.run(0, "test --merge 1.json 2.json --json").stdout, output.stdout);
    let whole = bench.run(0, "test whole --update --keep-going --json").stdout;
    assert!(!String::from_utf8_lossy(&whole).contains("errors"));
}

#[test]
fn validate_calls_it_invalid() {
    let bench = Bench::new();
    let text = String::from_utf8_lossy(&bench.run(1, "validate art/torn.json").stdout).into_owned();
    assert!(text.contains("missing-name") && text.contains("did you mean `base`?"), "{text}");
    bench.run(0, "validate whole/torn.json");
}
