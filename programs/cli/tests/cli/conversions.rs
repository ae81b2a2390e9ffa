//! `pchr convert` to formats with keys, through the binary: round trips, messages, written files.
//!
//! `docs/conversions.md` lists what each conversion may lose, and conversions are checked against it. Its matrix
//! is maintained by hand. Targets that lose the same share a column. `PCHR_UPDATE=1` updates the rest from the table of
//! formats, and fills new cells with everything that the target may lose.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::common::outcome::{distance, frame, shown};
use crate::common::program::{fine, folder, pchr, refused, stderr};
use crate::common::v1::write;
use crate::common::v1::{Animation, File};
use crate::common::{conformance_files, names_in, say, tiny};
use pchr::Character;
use pchr::formats::table;
use serde_json::Value;
use tempfile::TempDir;

/// Tolerance in world pixels.
const NEAR: f32 = 0.05;

/// Creates a folder with the knight in it.
fn with_knight() -> TempDir {
    let place = folder();
    fs::copy(crate::common::root().join("assets/paper-knight.pchr"), place.path().join("knight.pchr"))
        .expect("the knight");
    place
}

fn read_json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).expect("the JSON")).expect("valid JSON")
}

/// Converts to another format and back and compares every stored frame. Returns the largest distance of a corner.
#[track_caller]
fn there_and_back(file: &Path, to: &str) -> f32 {
    let place = folder();
    fs::create_dir(place.path().join("there")).expect("a folder");
    fine(place.path(), &["convert", &file.to_string_lossy(), "-o", "there/it.json", "--to", to, "-q"]);
    fine(place.path(), &["convert", "there/it.json", "-o", "back.pchr", "-q"]);
    let (source, back) = (open(file), open(&place.path().join("back.pchr")));
    let mut worst = 0.0_f32;
    for id in source.model().motions() {
        let animation = source.model().animation(id);
        for at in 0..animation.frame_count() {
            let what = format!("{}: {} frame {at}", file.display(), animation.name);
            let a = shown(&source, &frame(&source, &animation.name, at));
            let b = shown(&back, &frame(&back, &animation.name, at));
            worst = worst.max(distance(&a, &b, &what));
        }
    }
    worst
}

#[track_caller]
fn open(path: &Path) -> Character {
    Character::open(path).unwrap_or_else(|error| panic!("{error}"))
}

/// Converts to SkelForm and returns the reported error.
#[track_caller]
fn as_skelform(file: &Path) -> f64 {
    let place = folder();
    let args = ["-o", "it.skf", "--loss-report", "loss.json", "-q"];
    fine(place.path(), &[&["convert", &*file.to_string_lossy()][..], &args[..]].concat());
    read_json(&place.path().join("loss.json"))["worst_error_px"].as_f64().expect("a measured error")
}

#[test]
fn the_knight_survives_a_round_trip() {
    let knight = crate::common::root().join("assets/paper-knight.pchr");
    let worst = there_and_back(&knight, "spine");
    say(&format!("knight to spine and back: worst {worst:.6} px"));
    assert!(worst <= NEAR, "{worst} px");
    let worst = as_skelform(&knight);
    say(&format!("knight as skelform: worst {worst:.6} px"));
    assert!(worst <= f64::from(NEAR), "{worst} px");
    let worst = there_and_back(&knight, "skelform");
    say(&format!("knight to skelform and back: worst {worst:.6} px"));
    assert!(worst <= NEAR, "{worst} px");
}

#[test]
fn conformance_files_survive_a_round_trip() {
    let mut count = 0;
    for file in conformance_files("pchr", ".pchr") {
        let (back, there) = (there_and_back(&file, "spine"), as_skelform(&file));
        let and_back = there_and_back(&file, "skelform");
        say(&format!(
            "{}: to spine and back {back:.6} px, as skelform {there:.6} px, and back {and_back:.6} px",
            file.display()
        ));
        assert!(back <= NEAR && there <= f64::from(NEAR), "{}: {back} px, {there} px", file.display());
        assert!(and_back <= NEAR, "{}: {and_back} px", file.display());
        count += 1;
    }
    assert!(count > 5, "only {count} files");
}

#[test]
fn spine_is_written_with_atlas_and_pages() {
    let place = with_knight();
    let at = place.path();
    let report = "loss.json";
    fine(at, &["convert", "knight.pchr", "-o", "out/hero.json", "--to", "spine", "--loss-report", report]);
    assert_eq!(names_in(&at.join("out")), ["hero.atlas", "hero.json", "paper-knight.png"]);
    let report = read_json(&at.join(report));
    assert_eq!((&report["from"], &report["to"]), (&"pchr".into(), &"spine".into()));
    assert!(report["worst_error_px"].as_f64().is_some_and(|px| px > 0.0 && px < 0.01), "{report}");
    assert!(report.get("fps").is_none(), "no frame was sampled: {report}");
    // All files are written or none, and existing files are not overwritten.
    let message = refused(at, 5, &["convert", "knight.pchr", "-o", "out/hero.json", "--to", "spine"]);
    assert!(message.contains("already exists"), "{message}");
    fs::remove_file(at.join("out/hero.json")).unwrap();
    let atlas = fs::read(at.join("out/hero.atlas")).unwrap();
    let message = refused(at, 5, &["convert", "knight.pchr", "-o", "out/hero.json", "--to", "spine"]);
    assert!(message.contains("hero.atlas"), "{message}");
    assert_eq!(names_in(&at.join("out")), ["hero.atlas", "paper-knight.png"]);
    fs::write(at.join("out/paper-knight.png"), "another").unwrap();
    refused(at, 5, &["convert", "knight.pchr", "-o", "out/hero.json", "--to", "spine"]);
    fine(at, &["convert", "knight.pchr", "-o", "out/hero.json", "--to", "spine", "--force"]);
    assert!(fs::read(at.join("out/hero.atlas")).unwrap() == atlas);
    assert_eq!(names_in(&at.join("out")).len(), 3);
    // `--to` determines the format, not the extension.
    assert!(refused(at, 2, &["convert", "knight.pchr", "-o", "hero.spine", "--to", "spine"]).contains(".json"));
    assert!(
        refused(at, 2, &["convert", "knight.pchr", "-o", "-", "--to", "spine"]).contains("cannot go to stdout")
    );
}

#[test]
fn without_images_no_atlas_is_written() {
    let place = folder();
    fs::write(place.path().join("bare.pchr"), write(&File { images: Vec::new(), ..tiny() }).unwrap()).unwrap();
    let convert = ["convert", "bare.pchr", "-o", "out/bare.json", "--to", "spine", "--no-image"];
    fine(place.path(), &convert);
    assert_eq!(names_in(&place.path().join("out")), ["bare.json"]);
    // An existing atlas would be mistaken for its own.
    fs::remove_file(place.path().join("out/bare.json")).unwrap();
    fs::write(place.path().join("out/bare.atlas"), "theirs").unwrap();
    assert!(refused(place.path(), 5, &convert).contains("bare.atlas"));
    assert_eq!(names_in(&place.path().join("out")), ["bare.atlas"]);
}

#[test]
fn skelform_is_one_file() {
    let place = with_knight();
    let at = place.path();
    fine(at, &["convert", "knight.pchr", "-o", "knight.skf"]);
    assert_eq!(names_in(at), ["knight.pchr", "knight.skf"]);
    let archive = fs::read(at.join("knight.skf")).unwrap();
    assert!(archive.starts_with(b"PK\x03\x04"));
    let stdout = fine(at, &["convert", "knight.pchr", "-o", "-", "--to", "skelform"]).stdout;
    assert!(stdout == archive, "stdout gets the same bytes");
    assert!(refused(at, 5, &["convert", "knight.pchr", "-o", "knight.skf"]).contains("already exists"));
    let message = refused(at, 2, &["convert", "knight.pchr", "-o", "x.skf", "--animation", "wlak"]);
    assert!(message.contains("`walk`"), "{message}");
    // Only the chosen animation.
    fine(at, &["convert", "knight.pchr", "-o", "walk.json", "--to", "spine", "--animation", "walk"]);
    let animations = read_json(&at.join("walk.json"));
    let names: Vec<&String> = animations["animations"].as_object().expect("animations").keys().collect();
    assert_eq!(names, ["walk"]);
}

/// Converts every format to every other, and checks the reported losses against the document.
#[test]
fn reported_losses_are_documented() {
    let place = with_knight();
    let at = place.path();
    let mut odd = File { flags: 0x10, fps: 0, ..tiny() };
    odd.animations.push(Animation::new("once", false, &vec![vec![Default::default(); 2]; 3]));
    fs::write(at.join("odd.pchr"), write(&odd).unwrap()).unwrap();
    fine(at, &["convert", "knight.pchr", "-o", "pchr-json/it.json", "-q"]);
    fine(at, &["convert", "knight.pchr", "-o", "pachario/it.json", "--to", "pachario", "-q"]);
    fine(at, &["convert", "knight.pchr", "-o", "packed.pchr", "--to", "pachario-packed", "-q"]);
    fine(at, &["convert", "knight.pchr", "-o", "spine/it.json", "--to", "spine", "-q"]);
    let five = crate::common::root().join("tests/fixtures/pchr-json/pachario-five-influences/input.json");
    let mut sources: Vec<(&str, String)> = vec![
        ("pchr", "knight.pchr".to_owned()),
        ("pchr", "odd.pchr".to_owned()),
        ("pchr-json", "pchr-json/it.json".to_owned()),
        ("pachario", "pachario/it.json".to_owned()),
        ("pachario", five.to_string_lossy().into_owned()),
        ("pachario-packed", "packed.pchr".to_owned()),
        ("spine", "spine/it.json".to_owned()),
    ];
    for (from, part, extension) in [
        ("sheet", "sheets/own/variants", ".json"),
        ("skelform", "skelform/samples", ".skf"),
        ("spine", "spine/own", ".json"),
    ] {
        let files = conformance_files(part, extension).into_iter();
        sources.extend(files.map(|file| (from, file.to_string_lossy().into_owned())));
    }
    let matrix = matrix(&read_document());
    let (mut conversions, mut codes) = (0, BTreeSet::new());
    for (from, input) in &sources {
        let source = table::source(from).expect("a source of the table");
        for to in table::targets() {
            let extension = to.extension;
            let output = format!("out-{conversions}/it.{extension}");
            let args =
                ["convert", input, "-o", &output, "--to", to.name, "--no-image", "-q", "--loss-report", "l.json"];
            let run = pchr(at, &[&args[..], &["--force"]].concat());
            if !to.takes(source) {
                assert_eq!(run.status.code(), Some(3), "{args:?}: {}", stderr(&run));
                continue;
            }
            if !run.status.success() {
                // Packed Pachario can contain only one image; some fixtures are incomplete characters.
                assert!(matches!(run.status.code(), Some(3 | 5)), "{args:?}: {}", stderr(&run));
                continue;
            }
            let report = read_json(&at.join("l.json"));
            assert_eq!((&report["from"], &report["to"]), (&(*from).into(), &to.name.into()));
            for loss in report["losses"].as_array().expect("a list") {
                let code = loss["code"].as_str().expect("a code");
                let expected = &matrix[&((*from).to_owned(), to.name.to_owned())];
                assert!(expected.contains(code), "{from} to {}: {loss} is not in docs/conversions.md", to.name);
                codes.insert(code.to_owned());
            }
            conversions += 1;
        }
    }
    say(&format!("{conversions} conversions lost {codes:?}"));
    assert!(conversions > 36 && codes.len() > 3, "{conversions}: {codes:?}");
}

fn document_path() -> std::path::PathBuf {
    crate::common::root().join("docs/conversions.md")
}

fn read_document() -> String {
    fs::read_to_string(document_path()).expect("docs/conversions.md")
}

/// The first heading after the generated part of the document.
const DETAILS: &str = "\n## Between other formats\n";

/// What each conversion may lose, by source and target. Only sheets can be converted to sheets; other cells are
/// missing.
type Matrix = BTreeMap<(String, String), BTreeSet<String>>;

/// Parses the matrix in the document.
fn matrix(document: &str) -> Matrix {
    let (generated, _) = document.split_once(DETAILS).expect("details of each kind of conversion");
    let mut rows = generated.lines().filter(|line| line.starts_with('|')).map(|line| {
        let cells = line.trim_matches('|').split('|').map(|cell| cell.trim().replace('`', ""));
        cells.collect::<Vec<String>>()
    });
    let header = rows.next().expect("a header");
    let mut matrix = Matrix::new();
    for row in rows.filter(|row| !row[0].starts_with('-')) {
        assert_eq!(row.len(), header.len(), "{row:?}");
        for (to, cell) in header.iter().zip(&row).skip(1).filter(|(_, cell)| *cell != "–") {
            let codes = cell.split(", ").filter(|code| *code != "nothing");
            let codes: BTreeSet<String> = codes.map(str::to_owned).collect();
            for to in to.split(", ") {
                matrix.insert((row[0].clone(), to.to_owned()), codes.clone());
            }
        }
    }
    matrix
}

#[test]
fn the_document_is_up_to_date() {
    let text = read_document();
    let (start, rest) = text.split_once("\n|").expect("an introduction and a matrix");
    let (_, details) = rest.split_once(DETAILS).expect("details of each kind of conversion");
    let expected = format!("{}{DETAILS}{details}", document(start, &matrix(&text)));
    if std::env::var_os("PCHR_UPDATE").is_some() {
        fs::write(document_path(), &expected).expect("the document can be written");
    }
    assert!(
        read_document() == expected,
        "docs/conversions.md does not match the table of formats; PCHR_UPDATE=1 updates it"
    );
}

#[test]
fn every_loss_of_a_target_is_in_the_matrix() {
    let matrix = matrix(&read_document());
    for target in table::targets() {
        let cells = matrix.iter().filter(|((_, to), _)| to == target.name).flat_map(|(_, codes)| codes);
        let found: BTreeSet<&str> = cells.map(String::as_str).collect();
        let expected: BTreeSet<&str> = target.losses().map(|loss| loss.code).collect();
        assert_eq!(found, expected, "{}", target.name);
    }
}

#[test]
fn help_and_readme_name_every_format() {
    let place = folder();
    let help = |args: &[&str]| String::from_utf8(fine(place.path(), args).stdout).expect("text");
    let (convert, validate) = (help(&["convert", "--help"]), help(&["validate", "--help"]));
    for source in table::sources() {
        assert!(convert.contains(&format!("- {}: ", source.name)), "{}:\n{convert}", source.name);
    }
    for target in table::targets() {
        assert!(convert.contains(&format!("- {}: ", target.name)), "{}:\n{convert}", target.name);
    }
    let ci = fs::read_to_string(crate::common::root().join("docs/ci.md")).expect("docs/ci.md");
    for extension in table::searched_extensions() {
        assert!(validate.contains(&format!(".{extension}")), "{extension}:\n{validate}");
        assert!(ci.contains(&format!("`.{extension}`")), "{extension} is not in docs/ci.md");
    }
    let readme = fs::read_to_string(crate::common::root().join("README.md")).expect("README.md");
    let features = fs::read_to_string(crate::common::root().join("docs/features.md")).expect("docs/features.md");
    for format in table::FORMATS {
        let is_named = format.sources.iter().any(|source| readme.to_lowercase().contains(source.name));
        assert!(is_named || readme.to_lowercase().contains(format.name), "{}", format.name);
        if let Some(feature) = format.feature {
            assert!(features.contains(&format!("| `{feature}` |")), "`{feature}` is not in docs/features.md");
        }
        for extension in format.extensions.own {
            assert!(
                readme.contains(&format!(".{extension}`")) || readme.contains(&format!(".{extension} ")),
                "{extension}"
            );
        }
    }
}

/// The cell for a conversion.
fn cell(from: &table::Source, to: &table::Target, matrix: &Matrix) -> String {
    if !to.takes(from) {
        return "–".to_owned();
    }
    let possible = || to.losses().map(|loss| loss.code.to_owned()).collect();
    let known = matrix.get(&(from.name.to_owned(), to.name.to_owned()));
    let codes: Vec<String> = known.cloned().unwrap_or_else(possible).into_iter().collect();
    if codes.is_empty() { "nothing".to_owned() } else { codes.join(", ") }
}

/// Generates the first part of the document: the introduction `start`, the matrix in the order of the table, and the
/// meaning of the codes.
fn document(start: &str, matrix: &Matrix) -> String {
    let mut text = format!("{start}\n");
    // Neighbours with the same cells share a column.
    let mut columns: Vec<(Vec<&str>, Vec<String>)> = Vec::new();
    for to in table::targets() {
        let cells: Vec<String> = table::sources().into_iter().map(|from| cell(from, to, matrix)).collect();
        match columns.last_mut() {
            Some((names, known)) if *known == cells => names.push(to.name),
            _ => columns.push((vec![to.name], cells)),
        }
    }
    let named = |names: &Vec<&str>| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let header: Vec<String> = columns.iter().map(|(names, _)| named(names)).collect();
    let _ = writeln!(text, "| from | {} |", header.join(" | "));
    let _ = writeln!(text, "|---|{}", "---|".repeat(header.len()));
    for (row, from) in table::sources().into_iter().enumerate() {
        let cells: Vec<&str> = columns.iter().map(|(_, cells)| cells[row].as_str()).collect();
        let _ = writeln!(text, "| `{}` | {} |", from.name, cells.join(" | "));
    }
    text.push_str("\n## Codes\n\n");
    let mut losses: Vec<_> = Vec::new();
    for loss in table::targets().flat_map(|target| target.losses()) {
        if !losses.contains(&loss) {
            losses.push(loss);
        }
    }
    losses.sort_by_key(|loss| loss.code);
    for loss in losses {
        let _ = writeln!(text, "* `{}`: {}", loss.code, loss.what);
    }
    text
}
