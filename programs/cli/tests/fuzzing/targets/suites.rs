//! Invariants of `pchr test`: merging results from other machines, and reading settings.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use bytes::Bytes;
use pchr::Character;
use pchr::error::escaped;
use pchr::limits::Limits;
use pchr_cli::fuzzing;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tempfile::TempDir;

use super::printed::{
    Annotation, TestCase, assert_html_text, assert_plain, assert_property, junit, page_parts, visible,
};
use crate::common::random::Random;
use crate::fuzzing::opened::open;

/// Separates the documents of an input; white space in JSON as far as the mutator is concerned.
const SEPARATOR: u8 = b'\x0c';

/// Maximum number of documents in an input.
const MOST_DOCUMENTS: usize = 8;

const PNG: &[u8] = include_bytes!("../../../../../tests/fixtures/pchr-json/description/atlas.png");
const CHARACTER: &[u8] = include_bytes!("../../../../../assets/paper-lamp.json");
const EMPTY: &str = r#"{"frames": [], "schema": "pchr.compare/2", "summary": {"characters": 0, "different": 0, "failed": 0, "frames": 0,
    "missing": 0, "resized": 0, "same": 0, "unreadable": 0, "updated": 0, "worst": 0}}"#;

/// What is wrong with a reference that no picture uses.
const UNUSED: &str = "no picture uses this reference; delete it if it is obsolete, or find out what has vanished";

/// What a result says: `pchr.compare/2`.
#[derive(Deserialize)]
struct Comparison {
    #[serde(default)]
    failures: Vec<Failed>,
    frames: Vec<Frame>,
    #[serde(default)]
    unused: Vec<String>,
}

/// A character that failed.
#[derive(Deserialize)]
struct Failed {
    character: Option<String>,
    code: String,
    message: String,
}

/// A compared frame.
#[derive(Deserialize)]
struct Frame {
    animation: Option<String>,
    character: String,
    diff: Option<String>,
    frame: u32,
    message: Option<String>,
    name: Option<String>,
    now: Option<String>,
    reference: String,
    verdict: String,
}

/// A folder for the files that a check reads.
struct Folder(TempDir);

thread_local! {
    static FOLDER: Folder = Folder::new();
}

impl Folder {
    /// Creates the files that results may name.
    fn new() -> Self {
        // In memory, where possible: thousands of files are written.
        let memory = Path::new("/dev/shm");
        let parent = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
        let folder = Self(tempfile::Builder::new().prefix("pchr-fuzz-").tempdir_in(parent).expect("a new folder"));
        folder.write("picture.png", PNG);
        folder.write("secret.txt", b"not a picture");
        fs::create_dir(folder.path("folder")).expect("a new folder");
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, bytes).expect("space");
        path
    }

    /// Writes the documents of an input.
    fn documents(&self, bytes: &[u8]) -> Vec<PathBuf> {
        let documents = bytes.split(|byte| *byte == SEPARATOR).take(MOST_DOCUMENTS).enumerate();
        documents.map(|(number, text)| self.write(&format!("{number}.json"), text)).collect()
    }
}

/// Returns true if the results can be merged.
pub fn merges(bytes: &Bytes, _limits: &Limits) -> bool {
    FOLDER.with(|folder| fuzzing::merge(&folder.documents(bytes), &folder.path("report")).is_ok())
}

/// Merges results as `pchr test --merge` does, and parses the report and the output of every style.
pub fn merge_results(bytes: &Bytes, _limits: &Limits) {
    FOLDER.with(|folder| {
        let files = folder.documents(bytes);
        match fuzzing::merge(&files, &folder.path("report")) {
            Ok((page, styles)) => {
                let [human, json, github, junit] = &styles[..] else { panic!("{} styles", styles.len()) };
                [human, json, github].into_iter().for_each(|text| assert_plain(text));
                let comparison: Comparison = serde_json::from_str(json).expect("a result");
                assert_page(std::str::from_utf8(&page).expect("UTF-8"), json, comparison.frames.len());
                assert_human(human, &comparison);
                assert_github(github, &comparison);
                assert_junit(junit, &comparison);
            }
            Err(failure) => {
                let file = failure.place().and_then(|place| place.file.as_deref()).expect("a file");
                let is_result = files.iter().any(|path| path == Path::new(file));
                // Pictures are too large together, whatever their names.
                assert_eq!(failure.code(), if is_result { "bad-result" } else { "limit-exceeded" });
                assert_eq!(failure.exit_code(), 3);
                assert!(failure.message().len() > file.len() + 2, "{}", failure.message());
            }
        }
        assert!(!folder.path("report").exists(), "the report was not finished");
    });
}

/// The page is that of any other report, except for its data.
fn assert_page(page: &str, json: &str, frames: usize) {
    static FRAME: OnceLock<String> = OnceLock::new();
    let frame = FRAME.get_or_init(|| {
        let folder = Folder::new();
        let (page, _) = fuzzing::merge(&folder.documents(EMPTY.as_bytes()), &folder.path("report"))
            .unwrap_or_else(|failure| panic!("{}", failure.message()));
        page_parts(&String::from_utf8(page).expect("UTF-8")).0
    });
    let (own, data) = page_parts(page);
    assert!(own == *frame, "the data changed the page");
    data.into_iter().for_each(assert_html_text);
    let [title, results, pictures] = data;
    assert_eq!(title, "\"pchr test\"");
    let [results, printed] = [results, json].map(|text| serde_json::from_str::<Value>(text).expect("a result"));
    assert_eq!(results, printed);
    let pictures: Vec<[Option<String>; 3]> = serde_json::from_str(pictures).expect("URLs");
    assert_eq!(pictures.len(), frames);
    for url in pictures.iter().flatten().flatten() {
        let data = url.strip_prefix("data:image/png;base64,").unwrap_or_else(|| panic!("{url}"));
        // PNG, WebP and JPEG.
        assert!(["iVBORw0KGgo", "UklGR", "/9j/"].iter().any(|start| data.starts_with(start)), "{url}");
    }
}

fn assert_human(text: &str, comparison: &Comparison) {
    let names = ["same", "different", "missing", "resized", "unreadable", "updated", "failed", "unused"];
    let lines: Vec<&str> = text.lines().collect();
    let is_shown = |frame: &&Frame| names[0] != frame.verdict;
    let shown = comparison.frames.iter().filter(is_shown).count();
    assert_eq!(lines.len(), comparison.failures.len() + shown + comparison.unused.len() + 1, "{text}");
    let (last, lines) = lines.split_last().expect("a summary");
    assert!(last.starts_with(char::is_numeric), "{last}");
    assert!(lines.iter().all(|line| names.iter().any(|name| line.starts_with(&format!("{name:<10} ")))), "{text}");
}

fn assert_github(text: &str, comparison: &Comparison) {
    let mut lines: Vec<&str> = text.lines().collect();
    assert!(lines.pop().expect("a summary").starts_with(char::is_numeric), "{text}");
    let wrong: Vec<&Frame> =
        comparison.frames.iter().filter(|frame| !["same", "updated"].contains(&frame.verdict.as_str())).collect();
    let of = |frame: &Frame| {
        (frame.character.clone(), frame.name.clone(), frame.animation.clone(), frame.verdict.clone())
    };
    let animations: Vec<&[&Frame]> = wrong.chunk_by(|a, b| of(a) == of(b)).collect();
    assert_eq!(lines.len(), comparison.failures.len() + animations.len() + comparison.unused.len(), "{text}");
    let (failures, others) = lines.split_at(comparison.failures.len());
    let (frames, unused) = others.split_at(animations.len());
    let parsed = |line: &str, character: &str, title: &str| {
        let annotation = Annotation::of(line);
        assert_eq!((annotation.level.as_str(), annotation.keys()), ("error", vec!["file", "title"]), "{line}");
        assert_property(annotation.get("title"), title);
        if !Path::new(character).is_absolute() {
            assert_property(annotation.get("file"), character.strip_prefix("./").unwrap_or(character));
        }
        annotation.message
    };
    for (line, failure) in failures.iter().zip(&comparison.failures) {
        assert_eq!(
            parsed(line, failure.character.as_deref().unwrap_or_default(), &failure.code),
            escaped(&failure.message)
        );
    }
    for (line, reference) in unused.iter().zip(&comparison.unused) {
        parsed(line, reference, "unused reference");
    }
    for (line, frames) in frames.iter().zip(animations) {
        let animation = frames[0].animation.as_deref().unwrap_or("bind pose");
        let numbers: Vec<String> = frames.iter().map(|frame| frame.frame.to_string()).collect();
        let unit = if frames.len() == 1 { "frame" } else { "frames" };
        let title = format!("{animation}, {unit} {}: {}", numbers.join(", "), frames[0].verdict);
        let message = parsed(line, &frames[0].character, &title);
        let expected = frames.iter().map(|frame| match &frame.message {
            Some(message) => escaped(&format!("{}: {message}", frame.reference)),
            None => escaped(&frame.reference),
        });
        assert!(expected.into_iter().any(|expected| message == expected), "{message}");
    }
}

fn assert_junit(xml: &str, comparison: &Comparison) {
    assert_plain(xml);
    // What XML forbids is escaped too.
    let shown = |text: &str| visible(text).replace('\u{ffff}', "\\u{ffff}").replace('\u{fffe}', "\\u{fffe}");
    let lines = |text: &str| text.lines().map(shown).collect::<Vec<_>>().join("\n");
    let first = |text: &str| shown(text.lines().next().unwrap_or_default());
    let failed = comparison.failures.iter().map(|failure| TestCase {
        suite: shown(failure.character.as_deref().unwrap_or_default()),
        class: shown(failure.character.as_deref().unwrap_or_default()),
        name: "character".to_owned(),
        failure: Some([
            "error".to_owned(),
            shown(&failure.code),
            first(&failure.message),
            lines(&failure.message),
        ]),
    });
    let compared = comparison.frames.iter().map(|frame| {
        let kind = match frame.verdict.as_str() {
            "same" | "updated" => None,
            "unreadable" => Some("error"),
            _ => Some("failure"),
        };
        let mut text = frame.message.clone().unwrap_or_default();
        for (label, path) in [("new picture", &frame.now), ("difference", &frame.diff)] {
            text += &path.iter().map(|path| format!("\n{label}: {path}")).collect::<String>();
        }
        let failure = kind.map(|kind| [kind.to_owned(), frame.verdict.clone(), first(&text), lines(&text)]);
        let character = shown(&frame.character);
        TestCase { suite: character.clone(), class: character, name: shown(&frame.reference), failure }
    });
    let unused = comparison.unused.iter().map(|reference| {
        let message = UNUSED.to_owned();
        let failure = Some(["failure".to_owned(), "unused".to_owned(), message.clone(), message]);
        let references = "references".to_owned();
        TestCase { suite: references.clone(), class: references, name: shown(reference), failure }
    });
    let mut expected: Vec<TestCase> = failed.chain(compared).chain(unused).collect();
    let mut found = junit(xml);
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
}

/// Makes the summary of most changed results fit again, so that they are not refused for that alone.
pub fn repair(text: &mut Vec<u8>, random: &mut Random) {
    let mut repaired = |text: &[u8]| {
        let counted = counted(text).filter(|_| random.below(8) > 0);
        counted.unwrap_or_else(|| text.to_vec())
    };
    let documents: Vec<Vec<u8>> = text.split(|byte| *byte == SEPARATOR).map(&mut repaired).collect();
    *text = documents.join(&SEPARATOR);
}

/// Returns a result with the summary that its lists add up to; `None` if the text is not an object.
fn counted(text: &[u8]) -> Option<Vec<u8>> {
    let mut result: Map<String, Value> = serde_json::from_slice(text).ok()?;
    let list = |key: &str| result.get(key).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let [failures, frames, unused] = ["failures", "frames", "unused"].map(list);
    let count = |verdict: &str| frames.iter().filter(|frame| frame["verdict"] == verdict).count();
    let characters: HashSet<&str> =
        frames.iter().chain(failures).filter_map(|item| item["character"].as_str()).collect();
    let worst = frames.iter().filter_map(|frame| frame["difference"]["worst"].as_u64()).max();
    let summary = json!({
        "characters": characters.len(),
        "different": count("different"),
        "failed": failures.len(),
        "frames": frames.len(),
        "missing": count("missing"),
        "resized": count("resized"),
        "same": count("same"),
        "unreadable": count("unreadable"),
        "unused": unused.len(),
        "updated": count("updated"),
        "worst": worst.unwrap_or(0),
    });
    result.insert("summary".to_owned(), summary);
    serde_json::to_vec(&result).ok()
}

/// The path of the character in the folder of settings.
const NAME: &str = "sub/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/hero.json";

fn character() -> &'static Character {
    static CHARACTER_READ: OnceLock<Character> = OnceLock::new();
    CHARACTER_READ.get_or_init(|| open(&Bytes::from_static(CHARACTER), &Limits::default()).expect("a character"))
}

/// Returns true if the settings are valid and suit the character.
pub fn suits(bytes: &Bytes, _limits: &Limits) -> bool {
    FOLDER.with(|folder| {
        folder.write("pchr-test.toml", bytes);
        let planned = fuzzing::plan(folder.0.path(), NAME, character());
        planned.is_ok_and(|planned| planned.iter().any(Result::is_ok))
    })
}

/// Reads settings and plans the pictures of a character.
pub fn read_settings(bytes: &Bytes, _limits: &Limits) {
    FOLDER.with(|folder| {
        let path = folder.write("pchr-test.toml", bytes);
        match fuzzing::plan(folder.0.path(), NAME, character()) {
            Ok(planned) => {
                for planned in planned {
                    match planned {
                        Ok(count) => assert!(count <= 1_000_000, "{count} pictures"),
                        // What does not suit the character.
                        Err(failure) => {
                            assert!([2, 3].contains(&failure.exit_code()), "{}", failure.message());
                            assert!(!failure.message().is_empty());
                        }
                    }
                }
            }
            Err(failure) => {
                let place = failure.place().expect("a place");
                assert_eq!(place.file.as_deref().map(Path::new), Some(path.as_path()));
                assert_eq!((failure.code(), failure.exit_code()), ("bad-config", 3));
                let line = place.path.strip_prefix("line ").and_then(|rest| rest.split_once(", column "));
                let line = line.and_then(|(line, column)| Some((line.parse().ok()?, column.parse().ok()?)));
                let count = bytes.iter().filter(|byte| **byte == b'\n').count() + 1;
                match line {
                    Some((line, column)) => {
                        let (line, column): (usize, usize) = (line, column);
                        assert!((1..=count).contains(&line) && (1..=bytes.len() + 1).contains(&column), "{place}");
                    }
                    None => assert!(place.offset.is_some_and(|at| at < bytes.len() as u64), "{place}"),
                }
                assert!(failure.message().len() > place.to_string().len(), "{}", failure.message());
            }
        }
    });
}
