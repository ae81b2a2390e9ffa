//! `pchr validate` through the binary: the output of each style, folders, exit codes.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::common;
use serde_json::Value;
use tempfile::TempDir;

use crate::common::tiny;
use crate::common::v1::write;
use crate::common::v1::{Mesh, Vertex};

/// A folder to run in.
struct Bench {
    folder: TempDir,
}

/// A JSON description with invalid bones, image and weights, and an unknown key.
const DESCRIPTION: &str = r#"{
  "version": 1,
  "fps": 24,
  "images": [{"name": "atlas", "width": 1, "height": 1, "path": "nowhere.png"}],
  "bones": [
    {"name": "root", "parent": -1},
    {"name": "tip\u001b[31m", "parent": 7, "größe": 3}
  ],
  "meshes": [{"name": "flag", "image": 0, "vertices": [], "indices": [0, 1, 2]}],
  "animations": []
}
"#;

/// A truncated file with another error before the end; both are always found.
fn cut() -> Vec<u8> {
    let mut bytes = write(&tiny()).expect("a valid file");
    bytes[10] = 2;
    bytes.truncate(30);
    bytes
}

/// JSON with a syntax error in the last line.
fn mistyped() -> String {
    "{\n  \"version\": 1, \"odd\": 0,\n  \"fps\": 24, \"images\": [], \"bones\": [], \"meshes\": [],\n\t\"animations\": \"ä\" }"
        .to_owned()
}

impl Bench {
    fn new() -> Self {
        Self { folder: TempDir::new().expect("a temporary folder") }
    }

    /// Creates a folder with all files of the golden outputs.
    fn broken() -> Self {
        let bench = Self::new();
        bench.write("b/cut, 100%.pchr", cut());
        bench.write("a/mistyped.json", mistyped());
        bench.write("a/package.json", r#"{"name": "no character", "bones": 3}"#);
        bench.write(
            "c/minified.json",
            mistyped().replace('\n', "").replace("0", &format!("\"{}\"", "ö".repeat(99))),
        );
        bench.write("c/nothing.pchr", "GIF89a");
        bench
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("can be made");
        fs::write(path, bytes).expect("can be written");
    }

    fn valid(&self, name: &str) {
        let knight = crate::common::root().join("assets/paper-knight.pchr");
        self.write(name, fs::read(knight).expect("the knight is there"));
    }

    /// A Spine skeleton with its atlas and picture.
    fn lamp(&self) {
        let assets = crate::common::root().join("assets");
        for name in ["paper-lamp.json", "paper-lamp.atlas", "paper-lamp.png"] {
            self.write(&format!("art/{name}"), fs::read(assets.join(name)).expect("an asset"));
        }
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pchr"));
        command.current_dir(self.path()).arg("validate").args(args).stdin(Stdio::null());
        command
    }

    fn run(&self, args: &[&str]) -> Ran {
        Ran(self.command(args).output().expect("the program runs"))
    }

    fn run_with(&self, args: &[&str], stdin: &[u8]) -> Ran {
        let mut command = self.command(args);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        child.stdin.take().expect("a pipe").write_all(stdin).expect("it listens");
        Ran(child.wait_with_output().expect("it ends"))
    }
}

struct Ran(Output);

impl Ran {
    fn stdout(&self) -> String {
        String::from_utf8(self.0.stdout.clone()).expect("UTF-8")
    }

    fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.0.stderr).into_owned()
    }

    #[track_caller]
    fn code(self, expected: i32) -> Self {
        assert_eq!(self.0.status.code(), Some(expected), "{}\n{}", self.stdout(), self.stderr());
        self
    }

    #[track_caller]
    fn says(self, part: &str) -> Self {
        assert!(self.stdout().contains(part), "{part} in\n{}\n{}", self.stdout(), self.stderr());
        self
    }

    #[track_caller]
    fn complains(self, part: &str) -> Self {
        assert!(self.stderr().contains(part), "{part} in\n{}", self.stderr());
        self
    }

    fn json(&self) -> Value {
        serde_json::from_slice(&self.0.stdout).expect("JSON on stdout")
    }
}

/// Compares with `tests/fixtures/validate/NAME`.
#[track_caller]
fn golden(name: &str, found: &str) {
    let path = crate::common::root().join("tests/fixtures/validate").join(name);
    // SARIF contains the version of the program.
    let found =
        found.replace(&format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION")), "\"version\": \"VERSION\"");
    if std::env::var_os("PCHR_UPDATE").is_some() {
        fs::create_dir_all(path.parent().expect("a folder")).expect("can be made");
        fs::write(&path, &found).expect("can be written");
        return;
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(found, expected, "update {name} with PCHR_UPDATE=1 cargo test --release --test cli validate");
}

#[test]
fn every_style_matches_its_golden_output() {
    let bench = Bench::broken();
    for style in ["human", "json", "github", "sarif"] {
        let ran = bench.run(&["a", "b", "c", "--style", style]).code(3).complains("c/nothing.pchr");
        golden(&format!("{style}.txt"), &ran.stdout());
        let codes = ["unknown-key", "json-value", "reserved-bits", "truncated"];
        assert!(codes.iter().all(|code| ran.stdout().contains(code)), "{style}");
    }
}

#[test]
fn every_finding_in_json_has_pointer_offset_line_and_column() {
    let bench = Bench::new();
    bench.write("hero.json", DESCRIPTION);
    let json = bench.run(&["hero.json", "--style", "json"]).code(1).json();
    let findings = json["files"][0]["findings"].as_array().expect("a list");
    for finding in findings {
        let offset = finding["offset"].as_u64().expect("an offset") as usize;
        let (line, column) = (finding["line"].as_u64().expect("a line"), finding["column"].as_u64().expect("one"));
        let before: Vec<&str> = DESCRIPTION[..offset].split('\n').collect();
        let expected = (before.len() as u64, before[before.len() - 1].chars().count() as u64 + 1);
        assert_eq!((line, column), expected, "{finding}");
        assert!(finding["pointer"].is_string() && finding.get("path").is_none(), "{finding}");
    }
    let value_of = |code: &str| {
        let finding = findings.iter().find(|finding| finding["code"] == code).unwrap_or_else(|| panic!("{code}"));
        DESCRIPTION[finding["offset"].as_u64().expect("an offset") as usize..].split([',', '}']).next()
    };
    assert_eq!(value_of("bad-parent"), Some("7"));
    assert_eq!(value_of("unknown-key"), Some("3"));
    assert_eq!(value_of("missing-image"), Some("\"nowhere.png\""));
    assert_eq!(value_of("index-out-of-range"), Some("0"));
}

#[test]
fn offsets_in_packed_files_are_those_of_the_file() {
    let bench = Bench::new();
    let file = crate::common::packed::write(DESCRIPTION.as_bytes(), b"");
    bench.write("hero.pchr", &file);
    let json = bench.run(&["hero.pchr", "--style", "json"]).code(1).json();
    let file_json = &json["files"][0];
    assert_eq!(file_json["format"], "packed Pachario");
    let findings = file_json["findings"].as_array().expect("a list");
    let parent = findings.iter().find(|finding| finding["code"] == "bad-parent").expect("a finding");
    let offset = parent["offset"].as_u64().expect("an offset") as usize;
    assert_eq!(offset, 16 + DESCRIPTION.find("7,").expect("an existing file"));
    assert!(parent.get("line").is_none());
    bench.run(&["hero.pchr"]).code(1).says(&format!("hero.pchr: /bones/1/parent (byte {offset})"));
}

#[test]
#[cfg(unix)]
fn terminal_control_characters_are_escaped() {
    let bench = Bench::new();
    bench.write("hero.json", DESCRIPTION);
    bench.write("red\u{1b}[31m\n::error::x.pchr", cut());
    for style in ["human", "github", "json", "sarif"] {
        let ran = bench.run(&[".", "--style", style, "--color", "never"]).code(1);
        assert!(!ran.stdout().contains('\u{1b}') && !ran.stderr().contains('\u{1b}'), "{style}");
        assert!(!ran.stdout().lines().any(|line| line.starts_with("::error::x")), "{style}");
    }
    bench.run(&["."]).says(r"red\u{1b}[31m\n");
}

#[test]
fn the_highest_exit_code_is_returned() {
    let bench = Bench::new();
    bench.valid("good.pchr");
    bench.write("cut.pchr", cut());
    bench.write("foreign.json", "{}");
    bench.run(&["good.pchr"]).code(0).says("1 file: 1 valid");
    bench.run(&["good.pchr", "cut.pchr"]).code(1).says("2 files: 1 valid, 1 invalid; 1 error, 1 warning");
    bench.run(&["good.pchr", "cut.pchr", "gone.pchr"]).code(3).says("1 not checked").complains("gone.pchr");
    bench.run(&["foreign.json", "cut.pchr"]).code(3).complains("unknown-format").says("error[truncated]");
    bench.run(&["good.pchr", "--limit", "pixels=1"]).code(3).complains("--limit pixels=VALUE raises the limit");
    bench.run(&["good.pchr", "--bind-pose", "nothing"]).code(2).complains("good.pchr: bind pose");
    assert_eq!(bench.run(&["good.pchr", "--quiet"]).code(0).stdout(), "");
    bench.run(&[]).code(2);
    bench.run(&["-", "-"]).code(2).complains("only once");
    bench.run(&["good.pchr", "--deny", "warning"]).code(2).complains("warnings");
    bench.run(&["good.pchr", "--style", "xml"]).code(2);
}

#[test]
fn warnings_can_be_denied_and_findings_ignored() {
    let bench = Bench::new();
    let mut odd = fs::read(crate::common::root().join("assets/paper-knight.pchr")).expect("a knight");
    odd.extend(b"more");
    bench.write("odd.pchr", odd);
    bench.write("cut.pchr", cut());
    bench.run(&["odd.pchr"]).code(0).says("warning[trailing-bytes]").says("1 valid; 1 warning");
    bench.run(&["odd.pchr", "--deny", "warnings"]).code(1).says("1 invalid; 1 warning");
    bench.run(&["odd.pchr", "--deny", "warnings", "--ignore", "trailing-bytes"]).code(0).says("1 file: 1 valid");
    let ignoring = ["cut.pchr", "--ignore", "truncated", "--ignore", "reserved-bits"];
    let ran = bench.run(&ignoring).code(0);
    assert_eq!(ran.stdout(), "1 file: 1 valid\n");
    bench.run(&["odd.pchr", "--ignore", "trailing-byte"]).code(2).complains("did you mean `trailing-bytes`");
}

#[test]
fn max_issues_limits_printing_but_not_counting() {
    let bench = Bench::new();
    bench.write("a.json", DESCRIPTION);
    bench.write("b.pchr", cut());
    let all = bench.run(&[".", "--style", "json"]).code(1).json();
    let ran = bench.run(&[".", "--style", "json", "--max-issues", "2"]).code(1).json();
    let count = |json: &Value| {
        let files = json["files"].as_array().expect("a list").iter();
        files.map(|file| file["findings"].as_array().expect("a list").len()).sum::<usize>()
    };
    assert!(count(&all) >= 6);
    assert_eq!(count(&ran), 2);
    assert_eq!(ran["summary"]["hidden"], count(&all) - 2);
    assert_eq!(ran["summary"]["errors"], all["summary"]["errors"]);
    assert_eq!(ran["files"][1]["errors"], 1);
    let hidden = format!("; {} findings not shown", count(&all) - 2);
    for style in ["human", "github"] {
        bench.run(&[".", "--style", style, "--max-issues", "2"]).code(1).says(&hidden);
    }
    bench.run(&[".", "--style", "sarif", "--max-issues", "2"]).code(1).says("findings not shown");
}

#[test]
fn excess_findings_are_only_counted() {
    let bench = Bench::new();
    let mut file = tiny();
    let wrong = common::triangle(1).map(|vertex| Vertex { bone_ids: [9; 4], ..vertex });
    file.meshes = vec![Mesh::new("flag", 0, &wrong, &[0, 1, 2]); 500];
    bench.write("many.pchr", write(&file).expect("a valid file"));
    let json = bench.run(&["many.pchr", "--style", "json"]).code(1).json();
    assert_eq!(json["files"][0]["errors"], 1500);
    let kept = json["files"][0]["findings"].as_array().map_or(0, Vec::len);
    assert_eq!(
        json["summary"]["hidden"],
        json["summary"]["errors"].as_u64().unwrap_or(0)
            + json["summary"]["warnings"].as_u64().unwrap_or(0)
            + json["summary"]["notes"].as_u64().unwrap_or(0)
            - kept as u64
    );
    bench.run(&["many.pchr"]).code(1).says("not listed: ").says("× bone-out-of-range");
}

#[test]
fn folders_are_sorted_independently_of_the_number_of_cores() {
    let bench = Bench::broken();
    for number in 0..60 {
        bench.write(&format!("many/{}/{number}.pchr", number % 7), cut());
    }
    bench.valid("many/UPPER.PCHR");
    // Sorted before `many/`.
    bench.write("many-more.pchr", cut());
    bench.write("many/readme.txt", "PCHR");
    for style in ["human", "json", "github", "sarif"] {
        let args = [".", "--style", style];
        let run =
            |threads| bench.command(&args).env("RAYON_NUM_THREADS", threads).output().expect("the program runs");
        let one = run("1");
        // More than any system has.
        for many in ["8", "999999999"] {
            let many = run(many);
            assert_eq!(one.stdout, many.stdout, "{style}");
            assert_eq!(one.stderr, many.stderr, "{style}");
        }
    }
    let json = bench.run(&[".", "--style", "json"]).code(3).json();
    let names: Vec<&str> =
        json["files"].as_array().expect("a list").iter().filter_map(|file| file["file"].as_str()).collect();
    assert_eq!(names.len(), 66);
    assert!(names.is_sorted() && names.contains(&"many/UPPER.PCHR"), "{names:?}");
    assert_eq!(json["summary"]["skipped"], 1);
    let json = bench.run(&["c", "many", "a", "--style", "json"]).code(3).json();
    assert_eq!(json["files"][0]["file"], "a/mistyped.json");
    // A file that is given twice and found is checked once.
    let json = bench.run(&["b", "b/cut, 100%.pchr", "b", "--style", "json"]).code(1).json();
    assert_eq!(json["summary"]["files"], 1);
}

#[test]
fn annotations_are_never_absolute() {
    let bench = Bench::new();
    bench.write("in/deep/cut.pchr", cut());
    let elsewhere = Bench::new();
    let (folder, file) = (bench.path().join("in"), bench.path().join("in/deep/cut.pchr"));
    let name = |bench: &Bench, path: &Path| {
        let path = path.to_str().expect("UTF-8");
        let json = bench.run(&[path, "--style", "sarif"]).code(1).json();
        let location = &json["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
        let uri = location["artifactLocation"]["uri"].as_str().expect("a name").to_owned();
        let message = bench.run(&[path, "--style", "github"]).code(1).stdout();
        assert!(message.contains(&format!("::error file={uri},")), "{message}");
        uri
    };
    assert_eq!(name(&elsewhere, &folder), "in/deep/cut.pchr");
    assert_eq!(name(&elsewhere, &file), "cut.pchr");
    assert_eq!(name(&bench, &fs::canonicalize(&file).expect("an existing file")), "in/deep/cut.pchr");
    assert_eq!(name(&bench, Path::new("./in/")), "in/deep/cut.pchr");
}

#[test]
fn a_folder_is_searched_for_all_formats() {
    let bench = Bench::new();
    let plain = crate::common::root().join("tests/fixtures/skelform/quirks/plain/input.skf");
    for name in ["kinds/a.skf", "kinds/b.SKFE"] {
        bench.write(name, fs::read(&plain).expect("a fixture"));
    }
    let report: Value = serde_json::from_slice(&bench.run(&["kinds", "--style", "json"]).0.stdout).expect("JSON");
    assert_eq!(report["files"].as_array().map(Vec::len), Some(2), "{report}");
}

#[test]
fn a_folder_without_characters_is_an_error() {
    let bench = Bench::new();
    bench.write("package.json", "{}");
    bench.write("tsconfig.json", "// no JSON");
    bench.run(&["."]).code(3).complains("no characters found").says("2 files without a character skipped");
    // A file given by name is not skipped.
    bench.run(&["package.json"]).code(3).complains("package.json");
    bench.run(&["tsconfig.json"]).code(3).complains("tsconfig.json");
}

#[test]
fn a_broken_character_in_a_folder_is_not_skipped() {
    let bench = Bench::new();
    bench.write("hero.json", DESCRIPTION.trim_end().trim_end_matches('}'));
    bench.run(&["."]).code(1).says("error[bad-json]").says("hero.json:10:19");
}

#[test]
fn a_lost_character_in_a_folder_is_not_skipped() {
    // The contents of the file, and whether it was a character for sure.
    let contents = ["", "\0\0\0\0", "no JSON", "{\"name\": \"hero\"}", "[1, 2]"];
    for content in contents {
        // The atlas alone is a sheet, and the atlas and the picture have the name or its beginning.
        for (name, beside) in [
            ("hero.json", "hero.atlas"),
            ("hero.json", "hero.png"),
            ("hero-pro.json", "hero.atlas"),
            ("hero-pro.json", "hero-pma.atlas"),
        ] {
            let bench = Bench::new();
            bench.valid("art/knight.pchr");
            bench.write(&format!("art/{name}"), content);
            bench.write(
                &format!("art/{beside}"),
                fs::read(crate::common::root().join("assets/paper-lamp.atlas")).expect("an atlas"),
            );
            let ran = bench.run(&["art"]);
            assert!(matches!(ran.0.status.code(), Some(1 | 3)), "{content:?} in {name} beside {beside}");
            assert!((ran.stdout() + &ran.stderr()).contains(name), "{content:?} in {name} beside {beside}");
            // The atlas is not judged in its place.
            assert!(
                beside != "hero.atlas" || name != "hero.json" || ran.stdout().contains("2 files: 1 valid, 1 ")
            );
        }
        let bench = Bench::new();
        bench.valid("art/knight.pchr");
        bench.write("art/package.json", content);
        bench.run(&["art"]).code(0).says("1 valid; 1 file without a character skipped");
    }
}

#[test]
fn files_of_other_programs_beside_pictures_are_skipped() {
    let bench = Bench::new();
    bench.lamp();
    // The atlas has a skeleton, and fonts and particles are XML and property lists.
    fs::copy(bench.path().join("art/paper-lamp.atlas"), bench.path().join("art/paper.atlas")).expect("a copy");
    bench.write("art/paper-config.json", "{}");
    bench.write("art/font.xml", "<font/>");
    bench.write("art/font.png", "");
    bench.run(&["art"]).code(0).says("1 valid").says("2 files without a character skipped");
    bench.write("art/font.xml", "");
    bench.run(&["art"]).code(3).complains("font.xml");
}

#[test]
fn verbose_lists_what_is_skipped_and_why() {
    let bench = Bench::new();
    bench.lamp();
    bench.write("art/package.json", "{}");
    bench.write("art/empty.json", "");
    let ran = bench.run(&["art", "--verbose"]).code(0);
    for (name, why) in [
        ("paper-lamp.atlas", "it belongs to another file"),
        ("package.json", "it contains neither a character nor a sprite sheet"),
        ("empty.json", "it is empty, or in a format that pchr does not know"),
    ] {
        let path = Path::new("art").join(name);
        assert!(ran.stderr().contains(&format!("{}: skipped, because {why}", path.display())), "{}", ran.stderr());
    }
    assert_eq!(bench.run(&["art"]).code(0).stderr(), "");
}

/// With less memory than the files are long.
#[test]
#[cfg(target_os = "linux")]
fn of_a_large_file_only_what_it_states_is_read() {
    let bench = Bench::new();
    bench.valid("knight.pchr");
    let limited = |command: &str| {
        let line = format!("ulimit -v 2500000; exec {} {command}", env!("CARGO_BIN_EXE_pchr"));
        Ran(Command::new("sh").args(["-c", &line]).current_dir(bench.path()).output().expect("a shell"))
    };
    let extend = |name: &str| {
        let file = fs::OpenOptions::new().write(true).open(bench.path().join(name)).expect("a file");
        file.set_len(3 << 30).expect("a sparse file");
    };
    bench.write("sparse.pchr", "PCHR");
    extend("sparse.pchr");
    let ran = limited("validate sparse.pchr --json").code(1);
    assert_eq!(ran.json()["files"][0]["findings"][0]["code"], "unknown-version");
    assert_eq!(ran.json()["files"][0]["format"], "PCHR v1");
    limited("convert sparse.pchr -o sparse.json").code(3).complains("PCHR version 0; only version 1");
    bench.valid("longer.pchr");
    extend("longer.pchr");
    limited("validate longer.pchr").code(0).says("warning[trailing-bytes]");
    limited("diff knight.pchr longer.pchr").code(0);
}

#[test]
fn standard_input_is_checked_like_a_file() {
    let bench = Bench::new();
    let ran = bench.run_with(&["-"], &cut()).code(1);
    assert!(ran.stdout().contains("--> stdin: "), "{}", ran.stdout());
    let json = bench.run_with(&["-", "--style", "json"], DESCRIPTION.as_bytes()).code(1).json();
    assert_eq!(json["files"][0]["file"], "-");
    bench.run_with(&["-"], b"").code(3).complains("stdin");
}

#[test]
#[cfg(unix)]
fn cyclic_links_are_reported_and_others_followed_once() {
    use std::os::unix::fs::symlink;
    let (bench, elsewhere) = (Bench::new(), Bench::new());
    bench.write("in/a/cut.pchr", cut());
    elsewhere.write("linked.pchr", cut());
    symlink("..", bench.path().join("in/a/up")).expect("a link");
    symlink("../..", bench.path().join("in/a/outside")).expect("a link");
    symlink("a", bench.path().join("in/b")).expect("a link");
    symlink("nowhere.txt", bench.path().join("in/dangling.txt")).expect("a link");
    for name in ["in/x", "in/y"] {
        symlink(elsewhere.path(), bench.path().join(name)).expect("a link");
    }
    let ran = bench
        .run(&["in", "--style", "json"])
        .code(1)
        .complains("in/a/up: not following this link")
        .complains("in/a/outside: ");
    let json = ran.json();
    let names: Vec<_> = json["files"].as_array().expect("a list").iter().map(|file| &file["file"]).collect();
    assert_eq!(names, ["in/a/cut.pchr", "in/x/linked.pchr"]);
    symlink("nowhere.pchr", bench.path().join("in/dangling.pchr")).expect("a link");
    let json = bench.run(&["in", "--style", "json"]).code(3).complains("in/dangling.pchr").json();
    assert_eq!(json["files"][1]["verdict"], "unjudged");
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let bench = Bench::new();
    for number in 0..2000 {
        bench.write(&format!("{number}.pchr"), cut());
    }
    let mut command = bench.command(&["."]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program runs");
    let mut first = [0; 10];
    child.stdout.take().expect("a pipe").read_exact(&mut first).expect("output");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(1));
}

/// Returns the peak memory of the program in KiB.
#[cfg(target_os = "linux")]
fn peak_kib(mut command: Command) -> u64 {
    use std::io::{BufRead, BufReader};
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the program runs");
    let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    // All files have been checked when the summary is written, and the program cannot end before the rest is read.
    let (mut peak, mut line) = (0, String::new());
    while stdout.read_line(&mut line).is_ok_and(|read| read > 0) {
        line.clear();
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let found = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
        peak = found.and_then(|kib| kib.trim().parse().ok()).unwrap_or(peak);
    }
    child.wait().expect("it ends");
    peak
}

#[test]
#[cfg(target_os = "linux")]
fn memory_does_not_depend_on_the_number_of_files() {
    let bench = Bench::new();
    // 4 MB each, with findings.
    let mut file = tiny();
    file.images = vec![common::white("atlas", 1000, 1000)];
    file.bones[1].parent = 5;
    bench.write("few/0.pchr", write(&file).expect("a valid file"));
    for number in 1..64 {
        fs::hard_link(bench.path().join("few/0.pchr"), bench.path().join(format!("few/{number}.pchr")))
            .expect("a link");
    }
    fs::create_dir(bench.path().join("many")).expect("a folder");
    for number in 0..1000 {
        fs::hard_link(bench.path().join("few/0.pchr"), bench.path().join(format!("many/{number}.pchr")))
            .expect("a link");
    }
    for style in ["human", "json", "sarif"] {
        let peak = |folder: &str| {
            let mut command = bench.command(&[folder, "--style", style]);
            command.env("RAYON_NUM_THREADS", "2");
            peak_kib(command)
        };
        let (few, many) = (peak("few"), peak("many"));
        assert!(few > 1000, "{few} KiB for few");
        // A margin for memory retained by the allocator; the thousand files have 4 GB.
        assert!(many < few + 16_000, "{style}: {few} KiB for few, {many} KiB for many");
    }
}

#[test]
fn sarif_conforms_to_the_standard() {
    let bench = Bench::broken();
    bench.write("c/hero.json", DESCRIPTION);
    let log = bench.run(&["a", "b", "c", "--style", "sarif"]).code(3).json();
    let text = |value: &Value| value.as_str().unwrap_or_else(|| panic!("a string, not {value}")).to_owned();
    assert_eq!(log["version"], "2.1.0");
    let [run] = &log["runs"].as_array().expect("runs")[..] else { panic!("one run") };
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let driver = &run["tool"]["driver"];
    assert_eq!(
        (text(&driver["name"]), text(&driver["version"])),
        ("pchr".into(), env!("CARGO_PKG_VERSION").into())
    );
    let rules: Vec<String> =
        driver["rules"].as_array().expect("rules").iter().map(|rule| text(&rule["id"])).collect();
    let results = run["results"].as_array().expect("results");
    assert!(results.len() >= 8);
    let (mut texts, mut binaries) = (0, 0);
    for result in results {
        // §3.27.7: the index refers to the rule with this id.
        assert_eq!(rules[result["ruleIndex"].as_u64().expect("an index") as usize], text(&result["ruleId"]));
        assert!(["note", "warning", "error"].contains(&&*text(&result["level"])));
        assert!(!text(&result["message"]["text"]).is_empty());
        let location = &result["locations"][0];
        let physical = &location["physicalLocation"];
        let uri = text(&physical["artifactLocation"]["uri"]);
        assert!(uri.is_ascii() && !uri.starts_with('/') && !uri.contains([' ', ':', '\\']), "{uri}");
        let region = physical["region"].as_object().expect("a region");
        if region.contains_key("startLine") {
            texts += 1;
            // §3.30.2: both are 1-based.
            assert!(region["startLine"].as_u64() >= Some(1) && region["startColumn"].as_u64() >= Some(1));
        } else {
            binaries += 1;
            assert!(region["byteOffset"].is_u64() && region["byteLength"].is_u64());
        }
        if let Some(logical) = location.get("logicalLocations") {
            assert!(!text(&logical[0]["fullyQualifiedName"]).is_empty());
        }
    }
    assert!(texts >= 6 && binaries >= 2, "{texts} {binaries}");
    assert!(
        results.iter().any(|result| text(&result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"])
            == "b/cut%2C%20100%25.pchr")
    );
    for rule in driver["rules"].as_array().expect("rules") {
        // §3.49.9, §3.49.13, §3.50.3
        assert!(!text(&rule["shortDescription"]["text"]).is_empty() && !text(&rule["help"]["text"]).is_empty());
        assert!(["note", "warning", "error"].contains(&&*text(&rule["defaultConfiguration"]["level"])));
    }
    // §3.20: files that could not be checked are not results.
    let invocation = &run["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    assert_eq!(invocation["toolExecutionNotifications"].as_array().map(Vec::len), Some(1));
    assert_eq!(invocation["toolExecutionNotifications"][0]["level"], "error");
}

#[test]
fn json_keys_are_sorted() {
    let bench = Bench::broken();
    bench.write("c/hero.json", DESCRIPTION);
    let ran = bench.run(&["a", "b", "c", "--style", "json"]).code(3);
    let value: Value = ran.json();
    assert_eq!(value["schema"], "pchr.validate/1");
    // A `Value` sorts its keys.
    assert_eq!(ran.stdout(), format!("{value:#}\n"));
}
