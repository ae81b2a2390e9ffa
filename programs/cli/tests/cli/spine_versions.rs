//! `pchr convert` between versions of Spine, through the binary: files, options and messages.

use std::fs;
use std::path::Path;

use crate::common::names_in;
use crate::common::program::{fine, folder, pchr, refused, stderr};
use serde_json::Value;
use tempfile::TempDir;

/// Creates a folder with the lamp of 3.8 in it, named `hero`.
fn with_hero() -> TempDir {
    let place = folder();
    let assets = crate::common::root().join("assets");
    for (from, to) in [
        ("paper-lamp.json", "hero.json"),
        ("paper-lamp.atlas", "hero.atlas"),
        ("paper-lamp.png", "paper-lamp.png"),
        ("paper-lamp-4.2.skel", "new/hero.skel"),
        ("paper-lamp-4.2.atlas", "new/hero.atlas"),
        ("paper-lamp.png", "new/paper-lamp.png"),
        ("paper-lamp-4.2.png", "new/paper-lamp-4.2.png"),
        ("paper-knight.pchr", "knight.pchr"),
    ] {
        let to = place.path().join(to);
        fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
        fs::copy(assets.join(from), to).expect("a copy");
    }
    place
}

fn read_json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).expect("the JSON")).expect("valid JSON")
}

#[track_caller]
fn assert_same_files(a: &Path, b: &Path) {
    assert!(fs::read(a).expect("a file") == fs::read(b).expect("a file"), "{} {}", a.display(), b.display());
}

#[test]
fn a_version_is_written_with_its_atlas_and_pages() {
    let place = with_hero();
    let at = place.path();
    let args = ["convert", "hero.json", "-o", "out/lamp.json", "--to", "spine42", "--loss-report", "loss.json"];
    let printed = stderr(&fine(at, &args));
    assert!(!printed.contains("skin"), "all skins are written: {printed}");
    assert_eq!(names_in(&at.join("out")), ["lamp.atlas", "lamp.json", "paper-lamp.png"]);
    assert_same_files(&at.join("out/lamp.atlas"), &at.join("hero.atlas"));
    assert_same_files(&at.join("out/paper-lamp.png"), &at.join("paper-lamp.png"));
    let report = read_json(&at.join("loss.json"));
    assert_eq!((&report["from"], &report["to"]), (&"spine".into(), &"spine42".into()));
    assert!(report["worst_error_px"].as_f64().is_some_and(|px| px < 0.01), "{report}");
    assert!(report.get("fps").is_none(), "no frame was sampled: {report}");
    let written = read_json(&at.join("out/lamp.json"));
    assert!(written["skeleton"]["spine"].as_str().expect("a version").starts_with("4.2"), "{written}");
    let own = read_json(&at.join("hero.json"));
    assert_eq!(written["skins"].as_array().map(Vec::len), own["skins"].as_array().map(Vec::len));
    fine(at, &["validate", "--deny", "warnings", "out/lamp.json"]);
}

#[test]
fn files_of_the_source_stay() {
    let place = with_hero();
    let at = place.path();
    let before: Vec<Vec<u8>> =
        ["hero.json", "hero.atlas", "paper-lamp.png"].map(|it| fs::read(at.join(it)).unwrap()).into();
    // Beside the source, its atlas is shared if the names allow it, and copied otherwise. Pages are always shared.
    fine(at, &["convert", "new/hero.skel", "-o", "new/hero.json", "--to", "spine42"]);
    assert_eq!(
        names_in(&at.join("new")),
        ["hero.atlas", "hero.json", "hero.skel", "paper-lamp-4.2.png", "paper-lamp.png"]
    );
    fine(at, &["convert", "hero.json", "-o", "other.json", "--to", "spine40"]);
    assert_same_files(&at.join("other.atlas"), &at.join("hero.atlas"));
    let message = refused(at, 2, &["convert", "hero.json", "-o", "hero.json", "--to", "spine42", "--force"]);
    assert!(message.contains("is an input file"), "{message}");
    // Another atlas of the target's name, and another page.
    fs::write(at.join("third.atlas"), "theirs").unwrap();
    let message = refused(at, 5, &["convert", "hero.json", "-o", "third.json", "--to", "spine40"]);
    assert!(message.contains("third.atlas"), "{message}");
    assert!(!at.join("third.json").exists());
    fs::create_dir(at.join("out")).unwrap();
    fs::write(at.join("out/paper-lamp.png"), "theirs").unwrap();
    let message = refused(at, 5, &["convert", "hero.json", "-o", "out/hero.json", "--to", "spine40"]);
    assert!(message.contains("paper-lamp.png"), "{message}");
    assert_eq!(names_in(&at.join("out")), ["paper-lamp.png"]);
    fine(at, &["convert", "hero.json", "-o", "out/hero.json", "--to", "spine40", "--force"]);
    assert_same_files(&at.join("out/paper-lamp.png"), &at.join("paper-lamp.png"));
    for (name, bytes) in ["hero.json", "hero.atlas", "paper-lamp.png"].into_iter().zip(before) {
        assert!(fs::read(at.join(name)).unwrap() == bytes, "{name}");
    }
}

#[test]
fn an_atlas_can_be_chosen() {
    let place = with_hero();
    let at = place.path();
    // Readers search for `hero.atlas` in folders near the skeleton, too.
    fs::remove_dir_all(at.join("new")).unwrap();
    fs::create_dir_all(at.join("far/deep")).unwrap();
    fs::rename(at.join("hero.atlas"), at.join("far/deep/sheet.atlas")).unwrap();
    fs::rename(at.join("paper-lamp.png"), at.join("far/deep/paper-lamp.png")).unwrap();
    let convert = ["convert", "hero.json", "-o", "out/hero.json", "--to", "spine42"];
    let message = refused(at, 3, &convert);
    assert!(message.contains("--no-image") || message.contains("missing-image"), "{message}");
    fine(at, &[&convert[..], &["--no-image"]].concat());
    assert_eq!(names_in(&at.join("out")), ["hero.json"]);
    fine(at, &[&convert[..], &["--force", "--atlas", "far/deep/sheet.atlas"]].concat());
    assert_eq!(names_in(&at.join("out")), ["hero.atlas", "hero.json", "paper-lamp.png"]);
    assert_same_files(&at.join("out/hero.atlas"), &at.join("far/deep/sheet.atlas"));
}

#[cfg(unix)]
#[test]
fn pages_are_not_written_through_links() {
    let place = with_hero();
    let at = place.path();
    fs::create_dir_all(at.join("pages")).unwrap();
    fs::rename(at.join("paper-lamp.png"), at.join("pages/paper-lamp.png")).unwrap();
    let atlas =
        fs::read_to_string(at.join("hero.atlas")).unwrap().replace("paper-lamp.png", "pages/paper-lamp.png");
    fs::write(at.join("hero.atlas"), atlas).unwrap();
    fine(at, &["convert", "hero.json", "-o", "out/hero.json", "--to", "spine42"]);
    assert_same_files(&at.join("out/pages/paper-lamp.png"), &at.join("pages/paper-lamp.png"));
    fs::create_dir_all(at.join("outside")).unwrap();
    fs::create_dir_all(at.join("trap")).unwrap();
    std::os::unix::fs::symlink(at.join("outside"), at.join("trap/pages")).unwrap();
    let message = refused(at, 5, &["convert", "hero.json", "-o", "trap/hero.json", "--to", "spine42", "--force"]);
    assert!(message.contains("symbolic link"), "{message}");
    assert!(names_in(&at.join("outside")).is_empty());
}

#[test]
fn baking_can_be_refused() {
    let place = with_hero();
    let at = place.path();
    fine(at, &["convert", "hero.json", "-o", "a.json", "--to", "spine42", "--no-bake"]);
    let message = refused(at, 5, &["convert", "hero.json", "-o", "hero.pchr", "--no-bake"]);
    assert!(message.contains("keys") && message.contains("Spine") && message.contains("pchr"), "{message}");
    assert!(!at.join("hero.pchr").exists());
    // Stored frames stay what they are.
    fine(at, &["convert", "knight.pchr", "-o", "knight.json", "--no-bake"]);
    fine(at, &["convert", "knight.pchr", "-o", "knight.skf", "--no-bake"]);
    refused(at, 5, &["convert", "knight.skf", "-o", "b.pchr", "--no-bake"]);
}

#[test]
fn names_and_extensions_are_checked() {
    let place = with_hero();
    let at = place.path();
    let message = refused(at, 2, &["convert", "hero.json", "-o", "a.skel", "--to", "spine42"]);
    assert!(message.contains("does not end in .json"), "{message}");
    let message = refused(at, 2, &["convert", "hero.json", "-o", "a.json", "--to", "skel42"]);
    assert!(message.contains("does not end in .skel"), "{message}");
    for report in ["a.atlas", "page.webp"] {
        let convert = ["convert", "hero.json", "-o", "a.json", "--to", "spine42", "--loss-report", report];
        assert!(refused(at, 2, &convert).contains("loss report"), "{report}");
    }
    let message = refused(at, 2, &["convert", "hero.json", "-o", "-", "--to", "skel42"]);
    assert!(message.contains("cannot go to stdout"), "{message}");
    let message = refused(at, 2, &["convert", "hero.json", "-o", "a.json", "--to", "spine44"]);
    assert!(message.contains("spine43"), "{message}");
    let message =
        refused(at, 2, &["convert", "hero.json", "-o", "a.json", "--to", "spine42", "--animation", "hopp"]);
    assert!(message.contains("`hop`"), "{message}");
    assert_eq!(pchr(at, &["convert", "hero.json", "-o", "a.json", "--to", "sheet"]).status.code(), Some(3));
}

#[test]
fn an_atlas_of_version_4_becomes_one_that_3_8_reads() {
    let place = with_hero();
    let at = place.path();
    let newer =
        fs::read_to_string(at.join("new/hero.atlas")).expect("an atlas").replace("pma: false", "pma: true");
    assert!(newer.contains("bounds:") && newer.contains("pma: true"), "{newer}");
    fs::write(at.join("new/hero.atlas"), &newer).expect("can be written");
    let message = stderr(&fine(at, &["convert", "new/hero.skel", "-o", "out/hero.json", "--to", "spine38"]));
    assert!(message.contains("alpha-undeclared"), "{message}");
    let older = fs::read_to_string(at.join("out/hero.atlas")).expect("an atlas");
    let keys: Vec<&str> = older.lines().filter_map(|line| Some(line.split_once(':')?.0)).collect();
    let expected =
        ["size", "format", "filter", "repeat", "  rotate", "  xy", "  size", "  orig", "  offset", "  index"];
    assert_eq!(keys[..10], expected, "{older}");
    // Others are copied, and so is it for 4.0.
    fine(at, &["convert", "hero.json", "-o", "out/old.json", "--to", "spine38"]);
    assert_same_files(&at.join("out/old.atlas"), &at.join("hero.atlas"));
    fine(at, &["convert", "new/hero.skel", "-o", "out/new.json", "--to", "spine40"]);
    assert_same_files(&at.join("out/new.atlas"), &at.join("new/hero.atlas"));
}

#[test]
fn every_offset_of_a_draw_order_is_stated() {
    let place = with_hero();
    let at = place.path();
    let mut lamp = read_json(&at.join("hero.json"));
    let slot = lamp["slots"][0]["name"].clone();
    let animation = lamp["animations"].as_object_mut().expect("animations").values_mut().next().expect("one");
    animation["drawOrder"] = serde_json::json!([{"time": 0.25, "offsets": [{"slot": slot, "offset": 0}]}]);
    fs::write(at.join("hero.json"), lamp.to_string()).expect("can be written");
    for target in ["spine38", "spine42"] {
        fine(at, &["convert", "hero.json", "-o", "out/order.json", "--to", target, "--force"]);
        let written = fs::read_to_string(at.join("out/order.json")).expect("a skeleton");
        assert!(written.replace(' ', "").contains(r#""offset":0"#), "{target}: {written}");
    }
}
