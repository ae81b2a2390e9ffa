//! `pchr convert` between sprite sheets: every form has the same frames, no metadata is lost, and images keep
//! their bytes.

use std::fs;
use std::path::Path;

use crate::common::program;
use crate::common::program::{fine, folder, refused, stderr};
use crate::common::sheet_reference::Reference;
use crate::common::{conformance_files, ours, say};
use pchr::Character;
use pchr::formats::image::encode_png;
use serde_json::{Value, json};
use tempfile::TempDir;

fn read_json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Checks for the same frames with the same positions, durations and animations.
#[track_caller]
fn assert_same(found: &Reference, expected: &Reference, what: &str) {
    assert_eq!(found.frames.len(), expected.frames.len(), "{what}");
    for (index, (a, b)) in found.frames.iter().zip(&expected.frames).enumerate() {
        assert_eq!((a.size, a.origin, a.ms), (b.size, b.origin, b.ms), "{what}: frame {index}");
        assert!(a.pixels == b.pixels, "{what}: frame {index} has different pixels");
    }
    assert_eq!(found.animations, expected.animations, "{what}");
}

/// Converts a sheet to every form and back, and compares each with the source.
#[track_caller]
fn assert_every_form_is_equal(source: &Path) {
    let expected = Reference::load(source);
    let place = folder();
    let name = source.file_name().expect("a name").to_string_lossy().into_owned();
    let input = source.to_string_lossy();
    let mut forms = vec!["sheet", "sheet-hash", "sheet-multiatlas"];
    let packed = name.replace(".json", ".sprsh");
    let has_one = {
        let output = program::pchr(place.path(), &["convert", &input, "-o", &packed, "-q"]);
        let is_refused = output.status.code() != Some(0);
        assert!(!is_refused || stderr(&output).contains("a .sprsh can contain only one"), "{}", stderr(&output));
        !is_refused
    };
    for form in forms.drain(..) {
        let output = format!("{form}/{name}");
        fine(place.path(), &["convert", &input, "-o", &output, "--to", form, "-q"]);
        let path = place.path().join(&output);
        assert_same(&Reference::load(&path), &expected, &format!("{} as {form}", source.display()));
        let is_hash = read_json(&path)["frames"].is_object();
        assert_eq!(is_hash, form == "sheet-hash", "{form}");
        // This program can read it too.
        Character::open(&path).unwrap_or_else(|error| panic!("{error}"));
        for back in ["sheet", "sheet-hash"] {
            let again = format!("{form}-{back}/{name}");
            fine(place.path(), &["convert", &output, "-o", &again, "--to", back, "-q"]);
            let found = Reference::load(&place.path().join(&again));
            assert_same(&found, &expected, &format!("{} as {form}, then {back}", source.display()));
        }
        if has_one {
            let (packed, unpacked) = (format!("{form}.sprsh"), format!("{form}-unpacked/{name}"));
            fine(place.path(), &["convert", &output, "-o", &packed, "--to", "sheet-packed", "-q"]);
            fine(place.path(), &["convert", &packed, "-o", &unpacked, "-q"]);
            let found = Reference::load(&place.path().join(&unpacked));
            assert_same(&found, &expected, &format!("{} as {form}, packed", source.display()));
        }
    }
    // A packed sheet can be unpacked in any form.
    if has_one {
        for form in ["sheet", "sheet-hash", "sheet-multiatlas"] {
            let output = format!("from-packed-{form}/{name}");
            fine(place.path(), &["convert", &packed, "-o", &output, "--to", form, "-q"]);
            let found = Reference::load(&place.path().join(&output));
            assert_same(&found, &expected, &format!("{} from .sprsh as {form}", source.display()));
        }
    }
}

fn check_all(part: &str) {
    let mut count = 0;
    for path in conformance_files(part, ".json") {
        // Skip unreadable sheets, and one whose tags belong to several sprites.
        let is_odd = path.ends_with("run-n-gun-multi/frames.json") || path.ends_with("NOTES.json");
        if is_odd || Character::open(&path).is_err() {
            continue;
        }
        assert_every_form_is_equal(&path);
        count += 1;
    }
    say(&format!("sheets, every form: {count} files of {part}"));
    assert!(count > 5 || part != "sheets/own", "only {count} of {part}");
}

#[test]
fn conformance_sheets_convert_between_all_forms() {
    check_all("sheets/own");
    check_all("sheets/real");
}

/// Two frames of 4 × 4 pixels, with all known metadata and some unknown fields.
fn rich() -> Value {
    let frame = |name: &str, x: u32| {
        json!({"filename": name, "frame": {"x": x, "y": 0, "w": 4, "h": 4}, "duration": 70, "trimmed": false,
            "rotated": false, "spriteSourceSize": {"x": 0, "y": 0, "w": 4, "h": 4}, "sourceSize": {"w": 4, "h": 4},
            "pivot": {"x": 0.5, "y": 1}, "own": [1, {"deep": "\u{e9}\n\""}]})
    };
    json!({"frames": [frame("b", 0), frame("a", 4)], "animations": {"walk": ["b", "a"]}, "vendor": {"x": 1.50},
        "meta": {"app": "x", "image": "rich.png", "size": {"w": 8, "h": 4}, "scale": "1", "format": "RGBA8888",
            "frameTags": [{"name": "walk", "from": 0, "to": 1, "direction": "pingpong", "repeat": "2",
                "color": "#aabbccff", "data": "mine"}],
            "layers": [{"name": "l", "opacity": 255, "blendMode": "normal", "cels": [{"frame": 0, "data": "d"}]}],
            "slices": [{"name": "hit", "keys": [{"frame": 0, "bounds": {"x": 1, "y": 1, "w": 2, "h": 2},
                "center": {"x": 0, "y": 0, "w": 1, "h": 1}}]}]}})
}

fn picture() -> Vec<u8> {
    let pixels: Vec<u8> = (0..8 * 4 * 4u8).map(|byte| byte | 3).collect();
    encode_png(8, 4, &pixels).expect("a picture")
}

fn with_rich() -> TempDir {
    let place = folder();
    fs::write(place.path().join("rich.json"), rich().to_string()).expect("a file");
    fs::write(place.path().join("rich.png"), picture()).expect("a file");
    place
}

#[test]
fn no_metadata_is_lost() {
    let place = with_rich();
    let at = place.path();
    fine(at, &["convert", "rich.json", "-o", "hash/rich.json", "--to", "sheet-hash"]);
    fine(at, &["convert", "hash/rich.json", "-o", "list/rich.json", "--to", "sheet"]);
    fine(at, &["convert", "list/rich.json", "-o", "multi/rich.json", "--to", "sheet-multiatlas"]);
    fine(at, &["convert", "multi/rich.json", "-o", "again/rich.json", "--to", "sheet"]);
    for name in ["list/rich.json", "again/rich.json"] {
        assert_eq!(read_json(&at.join(name)), rich(), "{name}");
    }
    let hash = read_json(&at.join("hash/rich.json"));
    let names = fs::read_to_string(at.join("hash/rich.json")).expect("a text");
    assert!(names.find("\"b\"") < names.find("\"a\""), "in order: {names}");
    assert_eq!(hash["frames"]["b"]["own"], rich()["frames"][0]["own"]);
    assert!(hash["frames"]["b"].get("filename").is_none());
    let multi = read_json(&at.join("multi/rich.json"));
    assert_eq!(multi["textures"][0]["image"], "rich.png");
    assert_eq!(multi["meta"]["frameTags"], rich()["meta"]["frameTags"]);
    // Numbers keep their notation.
    assert!(names.contains("1.5") && fs::read(at.join("multi/rich.png")).expect("a file") == picture());
}

#[test]
fn an_image_with_a_grid_becomes_a_sheet() {
    let place = folder();
    let at = place.path();
    fs::write(at.join("walk.png"), picture()).expect("a file");
    let report = ["--loss-report", "loss.json", "-q"];
    let args = ["convert", "walk.png", "--grid", "4x2:3", "--fps", "24", "-o", "out/walk.json", "--to", "sheet"];
    fine(at, &[&args[..], &report[..]].concat());
    let sheet = read_json(&at.join("out/walk.json"));
    let frames = sheet["frames"].as_array().expect("a list");
    let rects: Vec<[i64; 4]> = frames
        .iter()
        .map(|frame| ["x", "y", "w", "h"].map(|key| frame["frame"][key].as_i64().expect("a number")))
        .collect();
    assert_eq!(rects, [[0, 0, 4, 2], [4, 0, 4, 2], [0, 2, 4, 2]]);
    assert!(frames.iter().all(|frame| frame["duration"] == 42));
    let tag = &sheet["meta"]["frameTags"][0];
    assert_eq!((&tag["name"], &tag["from"], &tag["to"]), (&json!("walk"), &json!(0), &json!(2)));
    assert_eq!(sheet["meta"]["image"], "walk.png");
    assert!(fs::read(at.join("out/walk.png")).expect("the picture") == picture());
    let report = read_json(&at.join("loss.json"));
    assert_eq!((&report["from"], &report["to"]), (&json!("sheet"), &json!("sheet")));
    assert_eq!(report["losses"][0]["code"], "duration-rounded");
    // At 25 fps nothing is rounded; the format is implied by the extension.
    let args =
        ["convert", "walk.png", "--grid", "4x2", "--fps", "25", "-o", "walk.sprsh", "--loss-report", "none.json"];
    fine(at, &args);
    assert_eq!(read_json(&at.join("none.json"))["losses"], json!([]));
    fine(at, &["convert", "walk.sprsh", "-o", "unpacked/walk.json"]);
    let unpacked = read_json(&at.join("unpacked/walk.json"));
    assert_eq!(
        (unpacked["frames"].as_array().map(Vec::len), &unpacked["frames"][0]["duration"]),
        (Some(4), &json!(40))
    );
    // Without --fps, the default rate of sheets without durations is used.
    fine(at, &["convert", "walk.png", "--grid", "4x4", "-o", "slow/walk.json", "--to", "sheet-hash"]);
    assert_eq!(read_json(&at.join("slow/walk.json"))["frames"]["1"]["duration"], 100);
    // Converting it to a character keeps every frame if both rates are equal.
    fine(at, &["convert", "walk.png", "--grid", "4x2", "--fps", "25", "-o", "walk.pchr", "-q"]);
    let character = Character::open(at.join("walk.pchr")).expect("it opens");
    let walk = &character.model().animations()[1];
    assert_eq!((walk.name.as_str(), walk.frame_count(), walk.fps()), ("walk", 4, 25.0));
}

#[test]
fn a_png_with_embedded_json_becomes_a_sheet() {
    let place = folder();
    let at = place.path();
    let knight = crate::common::root().join("assets/paper-knight.pchr");
    let args = ["-a", "walk", "-s", "30", "-f", "0..6", "--backend", "cpu", "-o", "walk.png", "--format", "sheet"];
    let mut view = std::process::Command::new(env!("CARGO_BIN_EXE_pchr-view"));
    assert!(view.current_dir(at).arg(knight).args(args).status().expect("the program runs").success());
    fine(at, &["convert", "walk.png", "-o", "out/walk.json", "--to", "sheet"]);
    fine(at, &["convert", "walk.png", "-o", "walk.sprsh"]);
    assert!(fs::read(at.join("out/walk.png")).expect("a file") == fs::read(at.join("walk.png")).expect("a file"));
    assert_eq!(Reference::load(&at.join("out/walk.json")).frames.len(), 6);
    fine(at, &["diff", "walk.png", "out/walk.json"]);
    // In a packed sheet the image has no name of its own.
    fine(at, &["convert", "walk.sprsh", "-o", "again/walk.json"]);
    fine(at, &["diff", "walk.png", "again/walk.json"]);
}

#[test]
fn duplicate_names_get_a_number() {
    let place = with_rich();
    let at = place.path();
    let mut sheet = rich();
    sheet["frames"][1]["filename"] = "b".into();
    fs::write(at.join("rich.json"), sheet.to_string()).expect("a file");
    let args = ["convert", "rich.json", "-o", "out/rich.json", "--to", "sheet-hash", "--loss-report", "loss.json"];
    let message = stderr(&fine(at, &args));
    assert!(message.contains("frame-renamed"), "{message}");
    assert_eq!(read_json(&at.join("loss.json"))["losses"][0]["code"], "frame-renamed");
    let names: Vec<String> =
        read_json(&at.join("out/rich.json"))["frames"].as_object().expect("frames").keys().cloned().collect();
    assert_eq!(names, ["b", "b 2"]);
    // Also with many duplicates.
    let frame = sheet["frames"][1].clone();
    sheet["frames"] = vec![frame; 60_000].into();
    fs::write(at.join("rich.json"), sheet.to_string()).expect("a file");
    fine(at, &["convert", "rich.json", "-o", "many/rich.json", "--to", "sheet-hash", "-q"]);
    let many = read_json(&at.join("many/rich.json"));
    assert!(many["frames"].get("b 60000").is_some());
}

#[test]
fn frames_that_are_not_objects_are_preserved() {
    let place = with_rich();
    let at = place.path();
    let mut sheet = rich();
    let frame = |index: usize| sheet["frames"][index].clone();
    let mut named_by_a_number = frame(1);
    named_by_a_number["filename"] = json!(1.5);
    sheet["frames"] = json!([frame(0), null, named_by_a_number]);
    fs::write(at.join("rich.json"), sheet.to_string()).expect("a file");
    for form in ["sheet", "sheet-hash", "sheet-multiatlas"] {
        let output = format!("{form}/rich.json");
        fine(at, &["convert", "rich.json", "-o", &output, "--to", form, "-q"]);
        let character = Character::open(at.join(&output)).expect("it opens");
        let names: Vec<&str> = character.model().attachments().iter().map(|shown| shown.name()).collect();
        assert_eq!(names, ["b", "1", "1.5"], "{form}");
    }
}

#[test]
fn pages_have_separate_files_or_a_common_one() {
    let place = folder();
    let at = place.path();
    let pages = ours("sheets/own/edge/pages-0.json");
    let pages = pages.to_string_lossy();
    fine(at, &["convert", &pages, "-o", "two/hero.json", "--to", "sheet-hash"]);
    let mut names: Vec<String> = fs::read_dir(at.join("two"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, ["hero-1.json", "hero.json", "pages-0.png", "pages-1.png"]);
    let of = |name: &str| read_json(&at.join("two").join(name))["meta"]["related_multi_packs"].clone();
    assert_eq!((of("hero.json"), of("hero-1.json")), (json!(["hero-1.json"]), json!(["hero.json"])));
    fine(at, &["convert", "two/hero.json", "-o", "one/hero.json", "--to", "sheet-multiatlas"]);
    assert_eq!(read_json(&at.join("one/hero.json"))["textures"].as_array().map(Vec::len), Some(2));
    for input in ["two/hero.json", "one/hero.json"] {
        let message = refused(at, 3, &["convert", input, "-o", "a.sprsh", "--to", "sheet-packed"]);
        assert!(message.contains("a .sprsh can contain only one"), "{message}");
    }
    assert!(!at.join("a.sprsh").exists());
}

#[test]
fn usage_errors_are_reported_and_nothing_is_written() {
    let place = with_rich();
    let at = place.path();
    let knight = crate::common::root().join("assets/paper-knight.pchr");
    fs::copy(knight, at.join("knight.pchr")).expect("a copy");
    for (code, args, part) in [
        (3, "knight.pchr -o out/a.json --to sheet", "not a sprite sheet"),
        (3, "rich.json -o out/a.json --to sheet --from spine", "is sheet, not spine"),
        (2, "rich.json -o out/a.png --to sheet", "does not end in .json"),
        (2, "rich.json -o - --to sheet-hash", "cannot go to stdout"),
        (2, "rich.json -o out/a.json --to sheet --fps 24", "--fps has no effect"),
        (2, "rich.json -o out/a.json --to sheet --skin x", "--skin has no effect"),
        (2, "rich.json -o out/a.json --to sheet --animation walk", "--animation has no effect"),
        (2, "rich.json -o rich.json --to sheet-hash --force", "is an input file"),
        (2, "rich.json -o rich.png --to sheet-packed --force", "is an input file"),
        (5, "rich.json -o rich.json --to sheet-hash", "already exists"),
        (2, "rich.json -o out/a.json --to sheet --loss-report out/a.json", "would overwrite the output"),
        (2, "rich.json -o out/a.sheet", "for a sheet also sheet"),
    ] {
        let args: Vec<&str> = ["convert"].into_iter().chain(args.split(' ')).collect();
        let message = refused(at, code, &args);
        assert!(message.contains(part), "{args:?}\n{message}");
        assert!(!at.join("out").exists(), "{args:?}");
    }
    // In its own folder, its image already exists.
    fine(at, &["convert", "rich.json", "-o", "other.json", "--to", "sheet-hash"]);
    assert_same(&Reference::load(&at.join("other.json")), &Reference::load(&at.join("rich.json")), "beside it");
    fs::write(at.join("rich.png"), "another").expect("a file");
    refused(at, 3, &["convert", "rich.json", "-o", "out/rich.json", "--to", "sheet"]);
    assert!(!at.join("out").exists());
    // Other images are not overwritten.
    fs::write(at.join("rich.png"), picture()).expect("a file");
    fs::create_dir(at.join("out")).expect("a folder");
    fs::write(at.join("out/rich.png"), "theirs").expect("a file");
    refused(at, 5, &["convert", "rich.json", "-o", "out/rich.json", "--to", "sheet"]);
    assert_eq!(fs::read(at.join("out/rich.png")).expect("a file"), b"theirs");
    assert!(!at.join("out/rich.json").exists());
    // A single file can be written to stdout.
    let packed = fine(at, &["convert", "rich.json", "-o", "-", "--to", "sheet-packed"]).stdout;
    assert!(packed.starts_with(b"SPSH"));
}

#[test]
fn other_image_formats_are_converted_to_png() {
    let place = folder();
    let webp = crate::common::root().join("tests/fixtures/pictures/red-blue.webp");
    let sheet = json!({
        "frames": [{"filename": "0", "frame": {"x": 0, "y": 0, "w": 4, "h": 4}}],
        "meta": {"image": "walk.webp", "size": {"w": 8, "h": 4}},
    });
    fs::write(place.path().join("walk.json"), sheet.to_string()).expect("a sheet");
    let message = refused(place.path(), 3, &["convert", "walk.json", "-o", "out.sprsh"]);
    assert!(message.contains("missing-image"), "{message}");
    // The image given by --atlas, then the one referenced by the sheet.
    fine(place.path(), &["convert", "walk.json", "--atlas", &webp.to_string_lossy(), "-o", "named.sprsh", "-q"]);
    fs::copy(&webp, place.path().join("walk.webp")).expect("can be copied");
    fine(place.path(), &["convert", "walk.json", "-o", "out/walk.json", "--to", "sheet-hash", "-q"]);
    assert!(fs::read(place.path().join("out/walk.png")).expect("a picture").starts_with(b"\x89PNG"));
    for output in ["named.sprsh", "out/walk.json"] {
        let character = Character::open(place.path().join(output)).expect("it opens");
        let page = &character.model().pages()[0];
        assert_eq!((page.width, page.height, &page.pixels[..4]), (8, 4, &[200, 40, 40, 255][..]), "{output}");
    }
    // The same for the image of a packed sheet.
    let packed = crate::common::root().join("tests/fixtures/sheet/packed-picture-is-webp/input.sprsh");
    fine(place.path(), &["convert", &packed.to_string_lossy(), "-o", "packed/walk.json", "--to", "sheet", "-q"]);
    let text = read_json(&place.path().join("packed/walk.json"));
    let name = text["meta"]["image"].as_str().expect("a name");
    assert!(fs::read(place.path().join("packed").join(name)).expect("a picture").starts_with(b"\x89PNG"));
}
