//! Atlases of Adobe Animate in the commands: pictures of them, and how two of them differ.

use std::fs;
use std::path::Path;

use pchr::Character;
use serde_json::Value;
use tempfile::TempDir;

use crate::common::program::{folder, pchr, stderr, view};
use crate::common::suite_folder::Suite;
use crate::common::zip::{Entry, zip};

const FILES: [&str; 3] = ["Animation.json", "spritemap1.json", "spritemap1.png"];

/// A folder with a copy of our own atlas, in a folder of its own.
fn robot() -> TempDir {
    let place = folder();
    copy(place.path(), "robot", |text| text);
    place
}

fn copy(place: &Path, name: &str, change: impl FnOnce(String) -> String) {
    let (from, to) = (crate::common::root().join("tests/fixtures/paper-robot"), place.join(name));
    fs::create_dir(&to).expect("a folder");
    FILES.iter().for_each(|name| _ = fs::copy(from.join(name), to.join(name)).expect("our atlas"));
    let text = fs::read_to_string(to.join(FILES[0])).expect("text");
    fs::write(to.join(FILES[0]), change(text)).expect("a file");
}

#[track_caller]
fn render(place: &TempDir, args: &[&str]) {
    let output = view(place.path(), args);
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
}

#[test]
fn a_folder_an_archive_and_the_file_show_the_same_in_every_kind_of_output() {
    let place = robot();
    let at = |name: &str| place.path().join(name);
    let entries: Vec<Entry> =
        FILES.iter().map(|name| Entry::stored(name, &fs::read(at("robot").join(name)).expect("a file"))).collect();
    fs::write(at("robot.zip"), zip(&entries)).expect("a file");
    for (input, output) in [("robot", "a.png"), ("robot/Animation.json", "b.png"), ("robot.zip", "c.png")] {
        render(&place, &[input, "-a", "wave", "-f", "3", "-s", "96", "-o", output]);
    }
    let [a, b, c] = ["a.png", "b.png", "c.png"].map(|name| fs::read(at(name)).expect("a picture"));
    assert!(a == b && a == c);

    render(&place, &["robot.zip", "-a", "wave", "-f", "all", "-s", "96", "-o", "wave.gif"]);
    let gif = fs::read(at("wave.gif")).expect("a picture");
    assert!(gif.starts_with(b"GIF89a"));
    render(&place, &["robot", "-s", "96", "-a", "all", "-o", "sheet.json"]);
    let sheet: Value = serde_json::from_slice(&fs::read(at("sheet.json")).expect("a sheet")).expect("JSON");
    let tags = sheet["meta"]["frameTags"].as_array().expect("tags");
    let names: Vec<&str> = tags.iter().filter_map(|tag| tag["name"].as_str()).collect();
    assert_eq!(names, ["idle", "wave"]);
    assert_eq!(
        sheet["frames"].as_array().map_or_else(|| sheet["frames"].as_object().expect("frames").len(), Vec::len),
        24
    );
    let read = Character::open(at("sheet.json")).expect("a sheet");
    assert_eq!(read.model().animations().iter().map(|it| it.frame_count()).collect::<Vec<_>>(), [12, 12]);
}

/// What changes in the text of our atlas, what `diff` says about it, and what `structure.json`.
const CHANGES: [(&str, &str, &str, &str); 7] = [
    (r#""LN":"stripe""#, r#""LN":"band""#, "+ band", "bone `band` is new"),
    (r#""LN":"head""#, r#""LN":"helmet""#, "~ head  layer: head → helmet", "bone `head`: layer: head → helmet"),
    (r#""SN":"lamp""#, r#""SN":"bulb""#, "~ lamp  symbol: lamp → bulb", "bone `lamp`: symbol: lamp → bulb"),
    (r#""N":"wave""#, r#""N":"greet""#, "+ greet", "animation `greet` is new"),
    (
        r#""Clpb":"screen""#,
        r#""Clpb":"no""#,
        "~ stripe  clipped by: screen → none",
        "bone `stripe`: clipped by: screen → none",
    ),
    (r#""B":0"#, r#""B":9"#, "~ lamp  blend: additive → multiply", "slot `lamp`: blend: additive → multiply"),
    (r#""N":"0002""#, r#""N":"0003""#, "- 0002", "slot `eyes` shows `0003` instead of `0002`"),
];

#[test]
fn differences_are_told_in_symbols_labels_layers_masks_and_sprites() {
    let place = robot();
    for (index, (from, to, of_diff, of_structure)) in CHANGES.into_iter().enumerate() {
        let changed = format!("changed{index}");
        copy(place.path(), &changed, |text| {
            assert!(text.contains(from), "{from}");
            text.replace(from, to)
        });
        let files = ["robot", &changed].map(|folder| format!("{folder}/Animation.json"));
        let run = pchr(place.path(), &["diff", &files[0], &files[1]]);
        let output = String::from_utf8_lossy(&run.stdout);
        assert_eq!(run.status.code(), Some(1), "{output}");
        assert!(output.contains(of_diff), "{of_diff}: {output}");

        let suite = Suite::empty();
        let copied = |folder: &str| {
            FILES.iter().for_each(|name| {
                suite.write(
                    &format!("art/{name}"),
                    &fs::read(place.path().join(folder).join(name)).expect("a file"),
                )
            })
        };
        copied("robot");
        suite.settings("size = 48");
        suite.stdout(0, "art --update");
        copied(&changed);
        let output = String::from_utf8_lossy(&suite.run("art").stdout).into_owned();
        assert!(output.contains(of_structure), "{of_structure}: {output}");
    }
}

#[test]
fn pictures_of_an_archive_have_their_size_in_it() {
    let place = robot();
    let at = |name: &str| place.path().join(name);
    let bytes = |name: &str| fs::read(at("robot").join(name)).expect("a file");
    let entries: Vec<Entry> =
        FILES.iter().map(|name| Entry::stored(&format!("robot/{name}"), &bytes(name))).collect();
    fs::write(at("robot.zip"), zip(&entries)).expect("a file");
    // Not the file in the archive.
    fs::write(at(FILES[2]), b"loose").expect("a file");
    let output = pchr(place.path(), &["inspect", "robot.zip", "--json"]);
    let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(document["files"][0]["images"][0]["bytes"], bytes(FILES[2]).len());
}
