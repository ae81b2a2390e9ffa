//! Folders and patterns as inputs, and the output of failing commands with `--json`.

use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Output, Stdio};

use crate::common::program::pchr_path;
use crate::common::schema::Validator;
use crate::common::tiny;
use crate::common::v1::write;
use serde_json::{Value, json};
use tempfile::TempDir;

const VIEW: &str = env!("CARGO_BIN_EXE_pchr-view");

/// A sheet of one frame that refers to another file as its second part.
const PART: &str = r#"{"frames": {"NAME": {"frame": {"x": 0, "y": 0, "w": 1, "h": 1}, "rotated": false, "trimmed": false,
    "spriteSourceSize": {"x": 0, "y": 0, "w": 1, "h": 1}, "sourceSize": {"w": 1, "h": 1}, "duration": 100}},
    "meta": {"app": "packer", "image": "dot.png", "format": "RGBA8888", "size": {"w": 1, "h": 1}, "scale": "1",
    "related_multi_packs": ["OTHER"]}}"#;

/// A folder with two characters, a sheet of two parts, and other files.
struct Bench(TempDir);

impl Bench {
    fn new() -> Self {
        let bench = Self(TempDir::new().expect("a temporary folder"));
        let tiny = write(&tiny()).expect("a valid file");
        for name in ["art/b.pchr", "art/deep/a.pchr", "art/.hidden/c.pchr", "art/._b.pchr"] {
            bench.write(name, &tiny);
        }
        bench.write("art/README.md", "# Art");
        bench.write("art/package.json", r#"{"name": "art"}"#);
        bench.write("art/notes.txt", "none");
        bench.write("art/dot.png", png());
        bench.write("art/sheet-0.json", PART.replace("NAME", "one").replace("OTHER", "sheet-1.json"));
        bench.write("art/sheet-1.json", PART.replace("NAME", "two").replace("OTHER", "sheet-0.json"));
        bench.write("empty/README.md", "# Nothing");
        bench
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("can be made");
        fs::write(path, bytes).expect("can be written");
    }

    fn run(&self, program: &str, line: &str) -> Ran {
        let mut command = Command::new(program);
        command.current_dir(self.0.path()).args(line.split_whitespace()).stdin(Stdio::null());
        Ran { line: line.to_owned(), output: command.output().expect("the program runs") }
    }

    /// Returns the files that `pchr inspect` describes.
    #[track_caller]
    fn inspected(&self, line: &str) -> Vec<String> {
        let json = self.run(pchr_path(), &format!("inspect --json -q --only header {line}")).code(0).json();
        json["files"].as_array().expect("a list").iter().map(|file| text(&file["file"])).collect()
    }
}

struct Ran {
    line: String,
    output: Output,
}

impl Ran {
    #[track_caller]
    fn code(self, expected: i32) -> Self {
        assert_eq!(self.output.status.code(), Some(expected), "{}\n{}", self.line, self.stderr());
        self
    }

    #[track_caller]
    fn says(self, part: &str) -> Self {
        assert!(self.stderr().contains(part), "{part}: {}\n{}", self.line, self.stderr());
        self
    }

    fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.output.stderr).into_owned()
    }

    #[track_caller]
    fn json(&self) -> Value {
        let parsed = serde_json::from_slice(&self.output.stdout);
        parsed.unwrap_or_else(|error| panic!("{}: {error}: {:?}", self.line, self.output.stdout))
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is not a string")).to_owned()
}

/// One white pixel.
fn png() -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 1, 1);
    encoder.set_color(png::ColorType::Rgba);
    encoder.write_header().and_then(|mut writer| writer.write_image_data(&[255; 4])).expect("memory");
    bytes
}

#[test]
fn a_folder_is_searched_for_characters() {
    let bench = Bench::new();
    let all = ["art/b.pchr", "art/deep/a.pchr", "art/sheet-0.json"];
    assert_eq!(bench.inspected("art"), all);
    // Paths are printed as given.
    assert_eq!(bench.inspected("./art/"), all.map(|name| format!("./{name}")));
    assert_eq!(bench.inspected("art ./art/b.pchr"), ["art/deep/a.pchr", "art/sheet-0.json", "./art/b.pchr"]);
    // Hidden files only if they are given by name.
    assert_eq!(bench.inspected("art/.hidden"), ["art/.hidden/c.pchr"]);
    assert_eq!(bench.inspected("art/._b.pchr"), ["art/._b.pchr"]);
    // In the order of the command line, without duplicates.
    assert_eq!(bench.inspected("art/deep art art/b.pchr"), ["art/deep/a.pchr", "art/sheet-0.json", "art/b.pchr"]);
    for line in ["inspect empty", "validate empty"] {
        bench.run(pchr_path(), line).code(3).says("no characters found");
    }
    bench.run(VIEW, "empty -o a.png").code(3).says("empty: no characters found");
    // The other inputs are still processed.
    let json = bench.run(pchr_path(), "inspect --json empty art/deep").code(3).json();
    assert_eq!(
        (json["failures"][0]["file"].clone(), json["files"][0]["file"].clone()),
        (json!("empty"), json!("art/deep/a.pchr"))
    );
}

#[test]
fn thousands_of_files_are_found_in_the_same_order() {
    let bench = Bench::new();
    let tiny = write(&tiny()).expect("a valid file");
    let mut names: Vec<String> = (0..3000).map(|number| format!("many/{}/{number}.pchr", number % 7)).collect();
    names.iter().for_each(|name| bench.write(name, &tiny));
    names.sort();
    assert_eq!(bench.inspected("many"), names);
    assert_eq!(bench.inspected("many/*/*.pchr"), names);
}

#[test]
fn a_pattern_is_expanded_to_all_matches() {
    let bench = Bench::new();
    assert_eq!(bench.inspected("art/*.pchr"), ["art/b.pchr"]);
    assert_eq!(bench.inspected("art/**/*.pchr"), ["art/b.pchr", "art/deep/a.pchr"]);
    assert_eq!(bench.inspected("./**/?.pchr"), ["art/b.pchr", "art/deep/a.pchr"]);
    assert_eq!(bench.inspected("art/sheet-[0-9].json"), ["art/sheet-0.json", "art/sheet-1.json"]);
    // A matching folder is searched.
    assert_eq!(bench.inspected("art/d[e]ep"), ["art/deep/a.pchr"]);
    let absolute = bench.0.path().join("art/*/*.pchr");
    assert_eq!(bench.inspected(&absolute.display().to_string()).len(), 1);
    // Matching files are never skipped, whatever they contain.
    bench.run(pchr_path(), "inspect art/*.txt").code(3).says("art/notes.txt").says("unknown-format");
    bench.run(pchr_path(), "validate art/*.json").code(3).says("art/package.json");
    for (program, line) in [
        (pchr_path(), "inspect art/*.skel art/b.pchr"),
        (pchr_path(), "validate art/b.pchr art/*.skel"),
        (pchr_path(), "diff art/b.pchr art/*.skel"),
        (pchr_path(), "convert art/*.skel -o out.pchr"),
        (VIEW, "art/*.skel -o out.png"),
        (VIEW, "art/*.skel"),
    ] {
        bench.run(program, line).code(2).says("no file matches `art/*.skel`");
    }
    bench.run(pchr_path(), "inspect art/**b").code(2).says("`art/**b` is neither a file nor a pattern");
}

#[test]
fn an_existing_file_is_not_a_pattern() {
    let bench = Bench::new();
    let tiny = write(&tiny()).expect("a valid file");
    bench.write("art/b[1].pchr", &tiny);
    bench.write("art/b1.pchr", &tiny);
    assert_eq!(bench.inspected("art/b[1].pchr"), ["art/b[1].pchr"]);
    fs::remove_file(bench.0.path().join("art/b[1].pchr")).expect("ours");
    assert_eq!(bench.inspected("art/b[1].pchr"), ["art/b1.pchr"]);
    bench.run(pchr_path(), "inspect art/b[1.pchr").code(3).says("art/b[1.pchr");
}

#[cfg(unix)]
#[test]
fn cyclic_links_terminate() {
    use std::os::unix::fs::symlink;
    let bench = Bench::new();
    let art = bench.0.path().join("art");
    symlink("..", art.join("deep/up")).expect("a link");
    symlink("../deep", art.join("deep/itself")).expect("a link");
    assert_eq!(bench.inspected("art/**/*.pchr"), ["art/b.pchr", "art/deep/a.pchr"]);
    assert_eq!(bench.inspected("art/deep"), ["art/deep/a.pchr"]);
    symlink("nowhere.pchr", art.join("gone.pchr")).expect("a link");
    bench.run(pchr_path(), "inspect art/g*.pchr").code(3).says("art/gone.pchr");
    bench.run(pchr_path(), "inspect art").code(3).says("art/gone.pchr");
    bench.run(VIEW, "art -o {name}.png --backend cpu --keep-going").code(3).says("art/gone.pchr");
    assert!(bench.0.path().join("b.png").is_file());
}

#[test]
fn all_inputs_are_rendered() {
    let bench = Bench::new();
    let json = bench.run(VIEW, "art art/b.pchr -o out/{index}-{name}.png --backend cpu --json").code(0).json();
    let files: Vec<String> =
        json["renders"].as_array().expect("a list").iter().map(|render| text(&render["file"])).collect();
    assert_eq!(files, ["art/deep/a.pchr", "art/sheet-0.json", "art/b.pchr"]);
    for name in ["0-a.png", "1-sheet-0.png", "2-b.png"] {
        assert!(bench.0.path().join("out").join(name).is_file(), "{name}");
    }
}

#[test]
fn single_file_commands_accept_folders_and_patterns_with_one_match() {
    let bench = Bench::new();
    bench.run(pchr_path(), "diff art/deep art/b.*").code(0);
    bench.run(pchr_path(), "convert art/*/a.pchr -o new.json").code(0);
    bench.run(pchr_path(), "unpack art/deep -o unpacked").code(0);
    bench.run(pchr_path(), "pack unpacked -o packed.pchr").code(0);
    assert_eq!(
        fs::read(bench.0.path().join("packed.pchr")).expect("written"),
        write(&tiny()).expect("a valid file")
    );
    let several = bench.run(pchr_path(), "diff art art/b.pchr").code(2).says("`art` matches 3 files");
    several.says("choose one of `art/b.pchr`, `art/deep/a.pchr`, `art/sheet-0.json`");
    bench.run(pchr_path(), "convert empty -o new.pchr").code(3).says("empty: no characters found");
}

#[test]
fn errors_with_json_are_an_object_on_stdout() {
    let bench = Bench::new();
    let whole = write(&tiny()).expect("a valid file");
    bench.write("cut.pchr", &whole[..60]);
    let schema =
        serde_json::from_slice(&bench.run(pchr_path(), "schema error").code(0).output.stdout).expect("JSON");
    let validator = Validator::new(&schema);
    let mut codes = BTreeSet::new();
    for (program, line, exit_code, code, path) in [
        (pchr_path(), "diff --json nothing.pchr art/b.pchr", 3, "io", json!("nothing.pchr")),
        (pchr_path(), "diff --json art/b.pchr cut.pchr", 3, "truncated", json!("cut.pchr")),
        (pchr_path(), "diff --json art/b.pchr", 2, "usage", json!(null)),
        (pchr_path(), "diff --json art/b.pchr art/b.pchr --epsilon x", 2, "usage", json!(null)),
        (pchr_path(), "inspect --json no*.pchr", 2, "usage", json!(null)),
        (pchr_path(), "validate --json art --ignore nothing", 2, "usage", json!(null)),
        (pchr_path(), "validate --json art --style human", 2, "usage", json!(null)),
        (pchr_path(), "validate --style json art --ignore nothing", 2, "usage", json!(null)),
        (pchr_path(), "validate --style=json --nothing", 2, "usage", json!(null)),
        (VIEW, "--json nothing.pchr", 3, "io", json!("nothing.pchr")),
        (VIEW, "--json cut.pchr -o a.png", 3, "truncated", json!("cut.pchr")),
        (VIEW, "--json art/b.pchr -a nothing", 2, "usage", json!("art/b.pchr")),
        (VIEW, "--json art/b.pchr -o a.mkv", 2, "usage", json!(null)),
        (VIEW, "--json art/b.pchr -o -", 2, "usage", json!(null)),
        (VIEW, "--json art/b.pchr --size x", 2, "usage", json!(null)),
        (VIEW, "--json art/b.pchr -o art/dot.png --backend cpu", 5, "io", json!("art/dot.png")),
        (VIEW, "--json art/b.pchr -o a.png --adapter nothing", 4, "no-adapter", json!(null)),
    ] {
        let ran = bench.run(program, line).code(exit_code);
        let error = ran.json();
        assert_eq!((&error["code"], &error["exit_code"]), (&json!(code), &json!(exit_code)), "{line}");
        assert_eq!(error.get("path"), Some(&path), "{line}");
        assert_eq!(error["schema"], "pchr.error/1");
        validator.assert_valid(&error);
        // stderr has the same message as without `--json`.
        let message = text(&error["message"]);
        let stderr = ran.stderr().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(!message.is_empty() && stderr.contains(&message), "{line}: {error}\n{stderr}");
        // A `Value` sorts its keys.
        assert_eq!(String::from_utf8_lossy(&ran.output.stdout), format!("{error:#}\n"), "{line}");
        codes.insert(code);
    }
    assert_eq!(codes.len(), 4);
    let lacking = bench.run(pchr_path(), "diff --json art/b.pchr").json();
    assert_eq!(text(&lacking["message"]), "the following required arguments were not provided: <B>");
    let similar = bench.run(pchr_path(), "validate --style=json --ignores x").json();
    assert!(text(&similar["help"]).contains("--ignore"), "{similar}");
    let cut = bench.run(VIEW, "--json cut.pchr").code(3).json();
    assert!(cut["offset"].is_u64() && cut["place"].is_string(), "{cut}");
    assert!(text(&bench.run(VIEW, "--json art/b.pchr -o art/dot.png").json()["help"]).contains("--force"));
}

#[test]
fn only_one_document_is_printed() {
    let bench = Bench::new();
    for (program, line, schema) in [
        (pchr_path(), "inspect --json nothing.pchr", "pchr.inspect/1"),
        (pchr_path(), "validate --json nothing.pchr", "pchr.validate/1"),
        (pchr_path(), "validate --json empty", "pchr.validate/1"),
        (VIEW, "--json --keep-going nothing.pchr", "pchr.render/1"),
    ] {
        // `json` fails if there is a second document.
        assert_eq!(bench.run(program, line).code(3).json()["schema"], schema, "{line}");
    }
    // Without `--json`, stdout is empty.
    for line in ["diff nothing.pchr art/b.pchr", "diff art/b.pchr --epsilon -- --json"] {
        let ran = bench.run(pchr_path(), line);
        assert!(ran.output.stdout.is_empty() && !ran.output.status.success(), "{line}");
    }
    let every_failure = bench.run(VIEW, "--json --keep-going art/b.pchr -a nothing").code(2).json();
    assert_eq!(every_failure["failures"][0]["code"], "usage");
}

#[test]
fn json_is_a_style_of_validate() {
    let bench = Bench::new();
    let styled = bench.run(pchr_path(), "validate art --style json").code(0);
    for line in ["validate art --json", "validate --json art --style json"] {
        assert_eq!(bench.run(pchr_path(), line).code(0).output.stdout, styled.output.stdout, "{line}");
    }
    for style in ["human", "github", "sarif"] {
        bench.run(pchr_path(), &format!("validate art --json --style {style}")).code(2).says("any other --style");
    }
}
