//! Folders and patterns as inputs of `convert`, `pack`, `unpack` and `diff`: outputs, collisions, failures, documents.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::common::program::stderr;
use crate::common::schema::Validator;
use crate::common::v1::write;
use crate::common::v1::{File, Mesh};
use crate::common::{tiny, triangle};
use pchr::formats::image::encode_png;
use serde_json::{Value, json};
use tempfile::TempDir;

/// `art/one.pchr`, `art/sub/two.pchr` and `art/sub/deep/one.pchr`.
struct Bench(TempDir);

impl Bench {
    fn new() -> Self {
        let bench = Self(TempDir::new().expect("a temporary folder"));
        for name in ["art/one.pchr", "art/sub/two.pchr", "art/sub/deep/one.pchr"] {
            bench.put(name, bytes(&tiny()));
        }
        bench
    }

    fn put(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("can be made");
        fs::write(path, bytes).expect("can be written");
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Runs `pchr` and expects an exit code.
    #[track_caller]
    fn run(&self, code: i32, line: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pchr"));
        command.current_dir(self.0.path()).args(line.split_whitespace()).stdin(Stdio::null());
        let output = command.output().expect("the program runs");
        assert_eq!(output.status.code(), Some(code), "pchr {line}\n{}", stderr(&output));
        output
    }

    /// Runs `pchr` and expects a failure with a message, and that nothing is written.
    #[track_caller]
    fn refused(&self, code: i32, line: &str, message: &str) {
        let before = self.files("");
        let output = self.run(code, line);
        let text = stderr(&output);
        assert!(text.contains(message), "pchr {line}\n{text}");
        assert!(self.files("") == before, "pchr {line}");
    }

    /// Returns all files below a folder with their contents, by relative path.
    fn files(&self, folder: &str) -> BTreeMap<String, Vec<u8>> {
        let root = self.0.path().join(folder);
        let files = walkdir::WalkDir::new(&root).into_iter().filter_map(Result::ok);
        let files = files.filter(|entry| entry.file_type().is_file());
        let name = |path: &Path| path.strip_prefix(&root).expect("below").to_string_lossy().replace('\\', "/");
        files.map(|entry| (name(entry.path()), fs::read(entry.path()).expect("a file"))).collect()
    }

    /// Returns the names of the files that end in `extension`.
    fn named(&self, folder: &str, extension: &str) -> Vec<String> {
        self.names(folder).into_iter().filter(|name| name.ends_with(extension)).collect()
    }

    #[track_caller]
    fn names(&self, folder: &str) -> Vec<String> {
        self.files(folder).into_keys().collect()
    }
}

fn bytes(file: &File) -> Vec<u8> {
    write(file).expect("a valid file")
}

/// A character that differs from [`tiny`].
fn moved() -> Vec<u8> {
    let mut file = tiny();
    let mut corners = triangle(1);
    corners[2].x -= 5.0;
    file.meshes[0] = Mesh::new("flag", 0, &corners, &[0, 1, 2]);
    bytes(&file)
}

fn parsed(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", stderr(output)))
}

/// Checks a document against a published schema.
#[track_caller]
fn check(bench: &Bench, schema: &str, document: &Value) {
    let schema = parsed(&bench.run(0, &format!("schema {schema}")));
    Validator::new(&schema).assert_valid(document);
}

#[test]
fn folders_are_converted_with_their_folders() {
    let bench = Bench::new();
    let all = ["one.json", "sub/deep/one.json", "sub/two.json"];
    bench.run(0, "convert art -o out/{path}.json --to pchr-json --no-image");
    assert_eq!(bench.named("out", ".json"), all);
    bench.run(0, "pack out -o packed/");
    bench.run(0, "pack out -o again/{path}.pchr");
    assert_eq!(bench.names("again"), all.map(|name| name.replace("json", "pchr")));
    assert!(bench.read("again/sub/two.pchr") == bench.run(0, "pack out/sub/two.json -o -").stdout);
    // Without placeholders, a folder means the same.
    fs::create_dir(bench.0.path().join("new")).expect("a folder");
    bench.run(0, "convert art -o new --to pchr-json --no-image");
    bench.run(0, "convert art -o newer/ --to pchr-json --no-image");
    assert!(bench.files("new") == bench.files("out") && bench.files("newer") == bench.files("out"));
    bench.run(0, "unpack art -o parts/{path}");
    assert_eq!(bench.named("parts", ".json"), ["one/one.json", "sub/deep/one/one.json", "sub/two/two.json"]);
    // Patterns, and what a shell makes of them.
    bench.run(0, "convert art/**/two.* art/one.pchr -o flat/{name}.skf");
    assert_eq!(bench.names("flat"), ["one.skf", "two.skf"]);
    bench.run(0, "convert art/s*/**/*.pchr -o below/{index}-{path}.skf");
    assert_eq!(bench.names("below"), ["0-sub/deep/one.skf", "1-sub/two.skf"]);
}

#[test]
fn two_inputs_with_one_output_are_an_error_before_anything_is_written() {
    let bench = Bench::new();
    for (line, help) in [
        ("convert art -o out/{name}.skf", "-o 'out/{path}.skf'"),
        ("convert art -o out.skf", "-o '{path}.skf'"),
        ("convert art/one.pchr art/sub/two.pchr -o out/x.skf", "-o 'out/{name}.skf'"),
        ("convert art -o out/{path}.skf --loss-report lost.json", "--loss-report 'DIR/{path}.json'"),
        ("convert art/one.pchr art/one.pchr -o {name}.skf", "`art/one.pchr` and `art/one.pchr`"),
        ("unpack art -o out", "-o 'out/{path}'"),
        ("unpack art/one.pchr art/sub/two.pchr -o out", "-o 'out/{name}'"),
        ("convert art -o -  --to skelform", "cannot write 3 files to stdout"),
        ("convert art -o out/{frame}.skf", "use {name}, {path} or {index}"),
        ("convert art -o out/{folder}.skf", "unknown placeholder"),
        (
            "convert art -o out/{path}.skf --loss-report out/{path}.skf",
            "the loss report would overwrite the output",
        ),
        ("convert art -o out/", "cannot determine the output format"),
    ] {
        bench.refused(2, line, help);
        bench.refused(2, &format!("{line} --keep-going --force"), help);
    }
    // On file systems that ignore case, these are one file.
    bench.put("art/sub/TWO.pchr", bytes(&tiny()));
    bench.refused(2, "convert art/sub -o out/{path}.skf", "would both be written to");
}

#[test]
fn inputs_and_existing_files_are_not_overwritten() {
    let bench = Bench::new();
    bench.put("out/sub/two.skf", "mine");
    bench.refused(5, "convert art -o out/{path}.skf", "two.skf");
    bench.refused(5, "convert art -o out/{path}.skf --keep-going", "two.skf");
    bench.refused(2, "convert art -o art/{path}.pchr --force", "is an input file and cannot be overwritten");
    bench.refused(2, "convert art -o ./art/sub/../{path}.pchr --force", "is an input file");
    bench.refused(2, "convert art -o x/{path}.skf --loss-report art/{path}.pchr --force", "is an input file");
    bench.run(0, "convert art -o out/{path}.skf --force");
    assert_ne!(bench.read("out/sub/two.skf"), b"mine");
    // An image with the name of an input.
    let mut file = tiny();
    file.images[0].name = "hero".to_owned();
    bench.put("sheets/a.pchr", bytes(&file));
    bench.put("sheets/hero.png", encode_png(2, 1, &[255; 8]).expect("a picture"));
    let line = "convert sheets/a.pchr sheets/hero.png -o sheets/{name}-new.json --to pachario --force --keep-going --grid 1x1";
    let before = bench.read("sheets/hero.png");
    bench.run(2, line);
    assert!(bench.read("sheets/hero.png") == before);
}

#[test]
fn outputs_of_an_earlier_run_are_not_read() {
    let bench = Bench::new();
    let once = |line: &str, note: &str| {
        let output = bench.run(0, line);
        assert_eq!(stderr(&output).contains("in the output folder"), !note.is_empty(), "{line}");
        bench.files("art")
    };
    let first = once("convert art -o art/new/{path}.pchr", "");
    assert_eq!(first.len(), 6);
    assert!(once("convert art -o art/new/{path}.pchr --force", "3 files") == first);
    assert!(once("convert ./art/ -o art/new/{path}.pchr --force", "3 files") == first);
    // That folder itself is no output of a run that reads only it.
    bench.run(0, "convert art/new -o art/new/{path}.skf");
    // A pattern searches a folder, too.
    once("convert art/**/*.pchr -o art/new/{path}.pchr --force", "3 files");
    // A file that was named is read.
    bench.run(0, "convert art/new/one.pchr -o art/new/{name}-2.pchr");
}

#[test]
fn a_failure_is_that_of_its_own_file() {
    let bench = Bench::new();
    let whole = bytes(&tiny());
    bench.put("art/sub/broken.pchr", &whole[..60]);
    bench.put("art/sub/deep/note.json", "{}");
    // The first failure ends the run; what was written before stays.
    let output = bench.run(3, "convert art -o out/{path}.skf --json");
    assert_eq!(bench.names("out"), ["one.skf"]);
    let error = parsed(&output);
    assert_eq!((&error["schema"], &error["path"]), (&json!("pchr.error/1"), &json!("art/sub/broken.pchr")));
    check(&bench, "pchr.error/1", &error);
    let output = bench
        .run(3, "convert art empty.pchr -o out2/{path}.skf --json --keep-going --loss-report lost/{path}.json");
    assert_eq!(bench.names("out2"), ["one.skf", "sub/deep/one.skf", "sub/two.skf"]);
    assert_eq!(bench.names("lost"), ["one.json", "sub/deep/one.json", "sub/two.json"]);
    let document = parsed(&output);
    check(&bench, "pchr.written/1", &document);
    assert!(stderr(&output).contains(": art/sub/broken.pchr: "), "{}", stderr(&output));
    let failed: Vec<_> = document["failures"].as_array().expect("a list").iter().map(|it| &it["file"]).collect();
    assert_eq!(failed, [&json!("art/sub/broken.pchr"), &json!("empty.pchr")]);
    let two = document["files"].as_array().expect("a list").iter().find(|it| it["file"] == "art/sub/two.pchr");
    let two = two.expect("a file");
    assert_eq!(
        (&two["from"], &two["to"], &two["outputs"]),
        (&json!("pchr"), &json!("skelform"), &json!(["out2/sub/two.skf"]))
    );
    let lost: Value = serde_json::from_slice(&bench.read("lost/sub/two.json")).expect("JSON");
    assert_eq!((&lost["input"], &lost["losses"]), (&json!("art/sub/two.pchr"), &two["losses"]));
    for line in ["unpack art -o parts/{path} --json --keep-going", "unpack art/one.pchr -o parts2 --json"] {
        let output = bench.run(if line.contains("--keep") { 3 } else { 0 }, line);
        check(&bench, "pchr.written/1", &parsed(&output));
    }
    bench.run(3, "convert nothing -o {path}.skf");
    fs::create_dir(bench.0.path().join("nothing")).expect("a folder");
    for line in ["convert nothing -o {path}.skf", "unpack nothing -o out", "pack nothing -o out/{name}.pchr"] {
        bench.refused(3, line, "nothing: no characters found");
    }
    bench.refused(2, "convert art/one.pchr -o - --to pchr --json", "both write to stdout");
    bench.refused(2, "pack parts2/one.json -o - --json", "both write to stdout");
}

#[test]
fn files_of_other_formats_are_skipped_in_folders_only() {
    let bench = Bench::new();
    bench.run(0, "convert art/one.pchr -o art/lamp.skf");
    let output = bench.run(0, "unpack art -o parts/{path} --json");
    let document = parsed(&output);
    assert_eq!(document["files"].as_array().map(Vec::len), Some(3));
    assert_eq!(document["skipped"][0]["file"], "art/lamp.skf");
    check(&bench, "pchr.written/1", &document);
    assert!(stderr(&output).contains("skipped: art/lamp.skf"), "{}", stderr(&output));
    bench.run(3, "unpack art/lamp.skf -o lamp");
    // A damaged file is not one of another format.
    for damaged in [&b"<<<<<<< HEAD"[..], b"", &[0; 100]] {
        bench.put("art/damaged.pchr", damaged);
        bench.run(3, "unpack art -o parts/{path} --force --keep-going");
    }
    fs::remove_file(bench.0.path().join("art/damaged.pchr")).expect("ours");
    bench.run(3, "unpack art/*.skf -o lamp");
    bench.run(0, "convert art -o skf/{path}.pchr --from skelform");
    assert_eq!(bench.names("skf"), ["lamp.pchr"]);
    bench.run(3, "convert art/one.pchr -o x.skf --from skelform");
    // `pack` does not take PCHR files, and a run that finds nothing to pack fails.
    bench.refused(3, "pack art -o packed/{path}.pchr", "none of the files found");
}

#[test]
fn images_of_two_characters_do_not_replace_each_other() {
    let bench = Bench::new();
    let mut other = tiny();
    other.images[0] = crate::common::white("atlas", 2, 2);
    bench.put("art/sub/two.pchr", bytes(&other));
    let one = "art/one.pchr art/sub/two.pchr";
    for force in ["", " --force"] {
        let output =
            bench.run(2, &format!("convert {one} -o out/{{name}}.json --to pachario --keep-going{force}"));
        let text = stderr(&output);
        assert!(text.contains("art/sub/two.pchr") && text.contains("was written for `art/one.pchr`"), "{text}");
        assert!(!bench.names("out").contains(&"two.json".to_owned()));
    }
    bench.run(0, &format!("convert {one} -o each/{{name}}/{{name}}.json --to pachario"));
    // What was lost is lost by one of several files.
    other.flags = 0x8000;
    bench.put("art/sub/two.pchr", bytes(&other));
    let output = bench.run(0, &format!("convert {one} -o lossy/{{name}}/{{name}}.json --to pachario"));
    assert!(stderr(&output).contains("]: art/sub/two.pchr: "), "{}", stderr(&output));
    // The same image can be shared.
    bench.run(0, "convert art/one.pchr art/sub/deep/one.pchr -o shared/{index}.json --to pachario");
    assert_eq!(bench.names("shared"), ["0.json", "1.json", "atlas.png"]);
}

#[test]
fn diff_pairs_folders_by_relative_paths() {
    let bench = Bench::new();
    bench.run(0, "convert art -o new/{path}.pchr");
    let same = bench.run(0, "diff art new");
    assert_eq!(String::from_utf8_lossy(&same.stdout), "3 characters: 3 same\n");
    bench.put("new/sub/two.pchr", moved());
    bench.put("new/added.pchr", bytes(&tiny()));
    fs::remove_file(bench.0.path().join("new/sub/deep/one.pchr")).expect("ours");
    let output = bench.run(1, "diff art new");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    for part in [
        "differs: art/sub/two.pchr → new/sub/two.pchr",
        "only in new: added.pchr\n",
        "only in art: sub/deep/one.pchr\n",
        "4 characters: 1 same, 1 different, 1 only in art, 1 only in new\n",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert!(bench.run(1, "diff -q art new").stdout.is_empty());
    let document = parsed(&bench.run(1, "diff art new --json"));
    check(&bench, "pchr.diff-folders/1", &document);
    assert_eq!(document["only_in_a"], json!(["art/sub/deep/one.pchr"]));
    assert_eq!(document["only_in_b"], json!(["new/added.pchr"]));
    let compared = document["compared"].as_array().expect("a list");
    assert_eq!(compared.iter().map(|pair| &pair["same"]).collect::<Vec<_>>(), [&json!(true), &json!(false)]);
    compared.iter().for_each(|pair| check(&bench, "pchr.diff/1", pair));
    // A character that was converted to another format.
    bench.run(0, "convert art -o json/{path}.json --to pchr-json --no-image");
    bench.run(0, "convert art -o images/{path}.pchr --no-image");
    let output = bench.run(0, "diff images json");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "3 characters: 3 same\n");
    bench.run(0, "diff images/**/two.* json/**/two.*");
    bench.run(0, "diff images/**/o*.pchr json/**/o*.json");
    // Only one of several.
    bench.refused(2, "diff art art/one.pchr", "`art` matches 3 files");
    bench.refused(3, "diff art nothing", "nothing");
    fs::create_dir(bench.0.path().join("nothing")).expect("a folder");
    bench.refused(3, "diff art nothing", "nothing: no characters found");
}

#[test]
fn a_broken_file_is_not_a_missing_one() {
    let bench = Bench::new();
    bench.run(0, "convert art -o old/{path}.json --to pchr-json --no-image");
    bench.run(0, "convert art -o new/{path}.json --to pchr-json --no-image");
    bench.put("new/one.json", "{}");
    bench.put("new/sub/two.json", "<<<<<<< HEAD\n{}");
    let output = bench.run(3, "diff old new --json");
    assert_eq!(parsed(&output)["path"], "new/one.json");
    let document = parsed(&bench.run(3, "diff old new --json --keep-going"));
    check(&bench, "pchr.diff-folders/1", &document);
    let failed: Vec<_> = document["failures"].as_array().expect("a list").iter().map(|it| &it["file"]).collect();
    assert_eq!(failed, [&json!("new/one.json"), &json!("new/sub/two.json")]);
    assert_eq!((&document["same"], &document["only_in_a"]), (&json!(false), &json!([])));
    assert_eq!(document["compared"][0]["same"], true);
}

#[test]
fn every_failure_in_json_has_one_shape() {
    let bench = Bench::new();
    let whole = bytes(&tiny());
    bench.put("art/broken.pchr", &whole[..60]);
    let view = |line: &str| {
        let mut command = Command::new(crate::common::program::view_path());
        command.current_dir(bench.0.path()).args(["--backend", "cpu"]).args(line.split_whitespace());
        command.stdin(Stdio::null()).output().expect("the program runs")
    };
    bench.run(3, "test art --update --force");
    let commands = [
        bench.run(3, "inspect art --json"),
        bench.run(3, "validate art nothing.pchr --json"),
        bench.run(3, "convert art -o skf/{path}.skf --json --keep-going"),
        bench.run(3, "unpack art -o parts/{path} --json --keep-going"),
        bench.run(3, "pack art/broken.pchr art/one.pchr -o packed/{name}.pchr --json --keep-going"),
        bench.run(3, "diff art art --json --keep-going"),
        bench.run(3, "test art --json"),
        view("art -o {index}.png --json --keep-going"),
        view("art --reference refs/{path}.png --json --keep-going --update --force"),
        // Whole commands.
        bench.run(3, "diff art art --json"),
        bench.run(2, "convert art -o x.skf --json"),
        bench.run(2, "pack --json"),
        bench.run(2, "unpack art -o - --json"),
        view("art -o {index}.png --json"),
    ];
    for output in &commands {
        let document = parsed(output);
        let errors: Vec<&Value> = match (&document["failures"], &document["files"]) {
            (Value::Array(failures), _) => failures.iter().collect(),
            (_, Value::Array(files)) => files.iter().filter_map(|file| file.get("problem")).collect(),
            _ => vec![&document],
        };
        assert!(!errors.is_empty(), "{document:#}");
        for error in errors {
            check(&bench, "pchr.error/1", error);
            let at_fault = [json!("art/broken.pchr"), json!("nothing.pchr")];
            let is_named = error["code"] == "usage" || at_fault.contains(&error["path"]);
            assert!(is_named, "{error:#}");
        }
    }
}

#[test]
fn a_path_keeps_folders_in_rendered_pictures_too() {
    let bench = Bench::new();
    let mut command = Command::new(crate::common::program::view_path());
    command.current_dir(bench.0.path()).args(["art", "-o", "out/{path}.png", "--backend", "cpu", "-s", "16"]);
    assert!(command.status().expect("the program runs").success());
    assert_eq!(bench.names("out"), ["one.png", "sub/deep/one.png", "sub/two.png"]);
}

#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_number_of_files() {
    let bench = Bench::new();
    let mut file = tiny();
    file.images[0] = crate::common::white("atlas", 64, 64);
    let bytes = bytes(&file);
    for number in 0..1000 {
        bench.put(&format!("many/{}/{number}.pchr", number % 10), &bytes);
    }
    let peak = |line: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pchr"));
        command.current_dir(bench.0.path()).args(line.split_whitespace());
        crate::common::memory::peak_kib(command)
    };
    for (few, many) in [
        ("convert many/1 -o a/{path}.skf -q", "convert many -o b/{path}.skf -q"),
        ("unpack many/1 -o c/{path}", "unpack many -o d/{path}"),
        ("diff many/1 many/1", "diff many many"),
    ] {
        let (few, whole) = (peak(few), peak(many));
        assert!(whole < few + 8 * 1024, "{many}: {few} KiB for 100 files, {whole} KiB for 1000");
    }
}
