//! `pchr convert` to formats with keys, through the binary: what comes back, what is told, what is left behind; and
//! that `docs/conversions.md` tells it. `PCHR_UPDATE=1` writes that file anew.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::common::outcome::{distance, frame, shown};
use crate::common::program::{fine, folder, pchr, refused, stderr};
use crate::common::{conformance_files, say, tiny};
use pchr::Character;
use pchr::formats::conversions::{LOSSES, Source, Target, losses};
use pchr::formats::pchr::schema::{Animation, File};
use pchr::formats::pchr::write;
use serde_json::Value;
use tempfile::TempDir;

/// World pixels.
const NEAR: f32 = 0.05;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder with the knight in it.
fn with_knight() -> TempDir {
    let place = folder();
    fs::copy(root().join("assets/paper-knight.pchr"), place.path().join("knight.pchr")).expect("the knight");
    place
}

fn read_json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).expect("the JSON")).expect("it is JSON")
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<_> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Converts to another format and back and compares every stored frame; how far off the worst corner is.
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

/// Converts to SkelForm; how far off the worst corner is when it is read again.
#[track_caller]
fn as_skelform(file: &Path) -> f64 {
    let place = folder();
    let args = ["-o", "it.skf", "--loss-report", "loss.json", "-q"];
    fine(place.path(), &[&["convert", &*file.to_string_lossy()][..], &args[..]].concat());
    read_json(&place.path().join("loss.json"))["worst_error_px"].as_f64().expect("a measured error")
}

#[test]
fn the_knight_goes_there_and_back() {
    let knight = root().join("assets/paper-knight.pchr");
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
fn conformance_goes_there_and_back() {
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
fn spine_has_its_atlas_and_pictures_beside_it() {
    let place = with_knight();
    let at = place.path();
    let report = "loss.json";
    fine(at, &["convert", "knight.pchr", "-o", "out/hero.json", "--to", "spine", "--loss-report", report]);
    assert_eq!(names_in(&at.join("out")), ["hero.atlas", "hero.json", "paper-knight.png"]);
    let report = read_json(&at.join(report));
    assert_eq!((&report["from"], &report["to"]), (&"pchr".into(), &"spine".into()));
    assert!(report["worst_error_px"].as_f64().is_some_and(|px| px > 0.0 && px < 0.01), "{report}");
    assert!(report.get("fps").is_none(), "no frame was sampled: {report}");
    // All of it or nothing, and nothing that is there already.
    let told = refused(at, 5, &["convert", "knight.pchr", "-o", "out/hero.json", "--to", "spine"]);
    assert!(told.contains("exists already"), "{told}");
    fs::remove_file(at.join("out/hero.json")).unwrap();
    let atlas = fs::read(at.join("out/hero.atlas")).unwrap();
    let told = refused(at, 5, &["convert", "knight.pchr", "-o", "out/hero.json", "--to", "spine"]);
    assert!(told.contains("hero.atlas"), "{told}");
    assert_eq!(names_in(&at.join("out")), ["hero.atlas", "paper-knight.png"]);
    fs::write(at.join("out/paper-knight.png"), "another").unwrap();
    refused(at, 5, &["convert", "knight.pchr", "-o", "out/hero.json", "--to", "spine"]);
    fine(at, &["convert", "knight.pchr", "-o", "out/hero.json", "--to", "spine", "--force"]);
    assert!(fs::read(at.join("out/hero.atlas")).unwrap() == atlas);
    assert_eq!(names_in(&at.join("out")).len(), 3);
    // What it is called decides nothing, `--to` does.
    assert!(refused(at, 2, &["convert", "knight.pchr", "-o", "hero.spine", "--to", "spine"]).contains(".json"));
    assert!(refused(at, 2, &["convert", "knight.pchr", "-o", "-", "--to", "spine"]).contains("beside"));
}

#[test]
fn without_a_picture_there_is_no_atlas() {
    let place = folder();
    fs::write(place.path().join("bare.pchr"), write(&File { images: Vec::new(), ..tiny() }).unwrap()).unwrap();
    let convert = ["convert", "bare.pchr", "-o", "out/bare.json", "--to", "spine", "--no-image"];
    fine(place.path(), &convert);
    assert_eq!(names_in(&place.path().join("out")), ["bare.json"]);
    // An atlas of somebody else would be taken for its own.
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
    assert!(stdout == archive, "the same bytes again");
    assert!(refused(at, 5, &["convert", "knight.pchr", "-o", "knight.skf"]).contains("exists already"));
    let told = refused(at, 2, &["convert", "knight.pchr", "-o", "x.skf", "--animation", "wlak"]);
    assert!(told.contains("`walk`"), "{told}");
    // Of what was chosen.
    fine(at, &["convert", "knight.pchr", "-o", "walk.json", "--to", "spine", "--animation", "walk"]);
    let animations = read_json(&at.join("walk.json"));
    let names: Vec<&String> = animations["animations"].as_object().expect("animations").keys().collect();
    assert_eq!(names, ["walk"]);
}

/// Converts everything there is into everything, and holds what is told against the list.
#[test]
fn what_is_lost_is_what_the_list_says() {
    let place = with_knight();
    let at = place.path();
    let mut odd = File { flags: 0x10, fps: 0, ..tiny() };
    odd.animations.push(Animation::new("once", false, &vec![vec![Default::default(); 2]; 3]));
    fs::write(at.join("odd.pchr"), write(&odd).unwrap()).unwrap();
    fine(at, &["convert", "knight.pchr", "-o", "pchr-json/it.json", "-q"]);
    fine(at, &["convert", "knight.pchr", "-o", "pachario/it.json", "--to", "pachario", "-q"]);
    fine(at, &["convert", "knight.pchr", "-o", "packed.pchr", "--to", "pachario-packed", "-q"]);
    fine(at, &["convert", "knight.pchr", "-o", "spine/it.json", "--to", "spine", "-q"]);
    let five = root().join("tests/fixtures/pchr-json/pachario-five-influences/input.json");
    let mut sources: Vec<(Source, String)> = vec![
        (Source::Pchr, "knight.pchr".to_owned()),
        (Source::Pchr, "odd.pchr".to_owned()),
        (Source::Description, "pchr-json/it.json".to_owned()),
        (Source::Pachario, "pachario/it.json".to_owned()),
        (Source::Pachario, five.to_string_lossy().into_owned()),
        (Source::PackedPachario, "packed.pchr".to_owned()),
        (Source::Spine, "spine/it.json".to_owned()),
    ];
    for (from, part, extension) in [
        (Source::Sheet, "sheets/own/variants", ".json"),
        (Source::Skelform, "skelform/samples", ".skf"),
        (Source::Spine, "spine/own", ".json"),
    ] {
        let files = conformance_files(part, extension).into_iter();
        sources.extend(files.map(|file| (from, file.to_string_lossy().into_owned())));
    }
    let (mut conversions, mut codes) = (0, BTreeSet::new());
    for (from, input) in &sources {
        for &to in Target::ALL {
            let extension = match to {
                Target::Skelform => "skf",
                Target::Pchr | Target::PackedPachario => "pchr",
                Target::SheetPacked => "sprsh",
                Target::Description
                | Target::Pachario
                | Target::Spine
                | Target::Sheet
                | Target::SheetHash
                | Target::SheetMultiatlas => "json",
            };
            let output = format!("out-{conversions}/it.{extension}");
            let args = [
                "convert",
                input,
                "-o",
                &output,
                "--to",
                to.name(),
                "--no-image",
                "-q",
                "--loss-report",
                "l.json",
            ];
            let run = pchr(at, &[&args[..], &["--force"]].concat());
            if !to.takes(*from) {
                assert_eq!(run.status.code(), Some(3), "{args:?}: {}", stderr(&run));
                continue;
            }
            if !run.status.success() {
                // Packed Pachario holds one image; some fixtures are no whole character.
                assert!(matches!(run.status.code(), Some(3 | 5)), "{args:?}: {}", stderr(&run));
                continue;
            }
            let report = read_json(&at.join("l.json"));
            assert_eq!((&report["from"], &report["to"]), (&from.name().into(), &to.name().into()));
            for loss in report["losses"].as_array().expect("a list") {
                let code = loss["code"].as_str().expect("a code");
                assert!(
                    losses(*from, to).any(|known| known.code == code),
                    "{} to {}: {loss} is not in the list",
                    from.name(),
                    to.name()
                );
                codes.insert(code.to_owned());
            }
            conversions += 1;
        }
    }
    say(&format!("{conversions} conversions lost {codes:?}"));
    assert!(conversions > 36 && codes.len() > 3, "{conversions}: {codes:?}");
}

#[test]
fn the_document_is_up_to_date() {
    let path = root().join("docs/conversions.md");
    let text = document();
    if std::env::var_os("PCHR_UPDATE").is_some() {
        fs::write(&path, &text).expect("the document can be written");
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == text, "docs/conversions.md is not what the list says; PCHR_UPDATE=1 writes it anew");
}

fn document() -> String {
    let mut text = String::from(
        "# Conversions\n\nWhat `pchr convert` can lose on its way from each format to each other. \
         `src/formats/conversions.rs` is where this is\nwritten from. Whatever a conversion did lose it tells, and \
         `--loss-report FILE.json` has all of it, with the worst error\nin pixels.\n\nPoses are kept in every stored \
         frame. Formats with keys get keys with straight lines between them; a source with keys\nis sampled first, \
         `--fps` times a second. With `--fps` and `--skin` a source with stored frames is sampled as well, and\nthe row \
         of `spine` is what can be lost.\n\nSkelForm that becomes SkelForm is not sampled, it keeps its keys. Where \
         `--fps` is another rate than that of its animations\nit is, and loses what it loses on its way to `spine`.\n\n\
         Sheets are made of sheets: their texts say the same in another form. PNGs keep their bytes, JPEG and WebP become PNG.\nEgret's JSON, Starling's XML, property lists and libGDX atlases become JSON; frames of an atlas that are not turned as\nJSON has it are turned in their picture. `pchr-view IN -o OUT.json` draws a sheet of any character.\n\n",
    );
    let header: Vec<String> = Target::ALL.iter().map(|to| format!("`{}`", to.name())).collect();
    let _ = writeln!(text, "| from | {} |", header.join(" | "));
    let _ = writeln!(text, "|---|{}", "---|".repeat(header.len()));
    for &from in Source::ALL {
        let cell = |to: &Target| {
            let codes: BTreeSet<&str> = losses(from, *to).map(|loss| loss.code).collect();
            let codes: Vec<&str> = codes.into_iter().collect();
            if !to.takes(from) {
                "–".to_owned()
            } else if codes.is_empty() {
                "nothing".to_owned()
            } else {
                codes.join(", ")
            }
        };
        let cells: Vec<String> = Target::ALL.iter().map(cell).collect();
        let _ = writeln!(text, "| `{}` | {} |", from.name(), cells.join(" | "));
    }
    text.push('\n');
    let mut told = BTreeSet::new();
    for loss in LOSSES {
        if told.insert((loss.code, loss.what)) {
            let _ = writeln!(text, "* `{}`: {}", loss.code, loss.what);
        }
    }
    text
}
