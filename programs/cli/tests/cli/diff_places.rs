//! `pchr diff`: where the files state the items that differ, on all conformance data, judged by `serde_json`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use serde_json::{Deserializer, Value};

use crate::common::program::{fine, folder, pchr};
use crate::common::{conformance_files, say};
use pchr::diagnostics::Diagnostics;
use pchr::diff::{self, Side};
use pchr::formats::{Folder, Input, ReadOptions, from_input, zip};
use pchr::limits::Limits;

/// A file and its JSON.
struct File {
    name: String,
    bytes: Bytes,
    text: String,
    root: Value,
}

impl File {
    fn of(path: &Path, bytes: Bytes) -> Option<Self> {
        let text = match zip::unpack(&bytes, &Limits::default()) {
            Ok(files) => files.into_iter().find(|(name, _)| name == "armature.json")?.1,
            Err(_) => bytes.clone(),
        };
        let text = String::from_utf8(text.to_vec()).ok()?.trim_start_matches('\u{feff}').to_owned();
        let root = serde_json::from_str(&text).ok()?;
        Some(Self { name: path.display().to_string(), bytes, text, root })
    }

    /// Asserts that a place leads to the item with this name, and that its line and column match its pointer.
    #[track_caller]
    fn assert_states(&self, kind: &str, name: &str, place: &Value) {
        let pointer = place["pointer"].as_str().expect("a pointer");
        let (file, at) = (&self.name, || format!("{}: {kind} {name} at {place}", self.name));
        let found = self.root.pointer(pointer).unwrap_or_else(|| panic!("{}", at()));
        let steps: Vec<String> =
            pointer.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~")).collect();
        let named = |value: &Value, step: &String| value["name"].as_str().unwrap_or(step).to_owned();
        let stated = match &steps[..] {
            // Keys name the attachments of Spine; a field may name what they show.
            [list, skin, .., slot, key] => {
                let skin = named(&self.root[list][skin.parse::<usize>().map_or(0, |at| at)], skin);
                if skin == "default" { format!("{slot}/{key}") } else { format!("{skin}/{slot}/{key}") }
            }
            [_, step] => named(found, step),
            _ => panic!("{}", at()),
        };
        assert_eq!(stated, name, "{}", at());
        let [line, column] = ["line", "column"].map(|it| place[it].as_u64().expect("a number") as usize - 1);
        let line = self.text.split('\n').nth(line).unwrap_or_else(|| panic!("{}", at()));
        let from = line.char_indices().nth(column).map_or(line.len(), |(at, _)| at);
        let rest = &self.text[line.as_ptr() as usize - self.text.as_ptr() as usize + from..];
        let value = Deserializer::from_str(rest).into_iter::<Value>().next().and_then(Result::ok);
        assert!(value.as_ref() == Some(found), "{file}: {}", at());
    }
}

fn compared([a, b]: [&File; 2]) -> Value {
    let read = ReadOptions { keep_going: true, ..ReadOptions::default() };
    let folders = [a, b].map(|file| Folder::of(Path::new(&file.name)));
    let inputs = [0, 1].map(|at| Input { bytes: [a, b][at].bytes.clone(), sidecars: &folders[at] });
    let character = |at: usize| from_input(&inputs[at], &read, &mut Diagnostics::default()).expect("a character");
    let characters = [0, 1].map(character);
    let sides = [0, 1].map(|at| Side { character: &characters[at], file: "it" });
    let diff = diff::compare(sides[0], sides[1], &diff::Options::default()).expect("a comparison");
    serde_json::to_value(diff.with_keys([(&inputs[0], &read), (&inputs[1], &read)])).expect("JSON")
}

/// Compares neighbours, and returns how many items of each kind have a place, and how many have none.
#[track_caller]
fn places_of(files: &[File]) -> BTreeMap<&'static str, [usize; 2]> {
    let mut counts: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for pair in files.windows(2) {
        let found = compared([&pair[0], &pair[1]]);
        let has_skins = ["a", "b"].map(|side| found[side]["skins"] != 0);
        for kind in ["images", "bones", "slots", "skins", "meshes", "constraints", "events", "animations"] {
            let items = found[kind].as_array().expect(kind);
            let is_repeated = |name: &str| items.iter().filter(|item| item["name"] == name).count() > 1;
            for item in items {
                for (side, file) in ["a", "b"].into_iter().zip(pair) {
                    let name = item["name"].as_str().expect("a name");
                    match item.get(side) {
                        Some(place) => {
                            file.assert_states(kind, name, place);
                            counts.entry(kind).or_default()[0] += 1;
                        }
                        // If only one side has skins, meshes have other names. Files do not name the pictures of a sequence.
                        None if kind == "meshes"
                            && (has_skins[0] != has_skins[1] || file.text.contains("\"sequence\"")) => {}
                        // Of two kinds, which a difference does not have.
                        None if kind == "constraints" && is_repeated(name) => {}
                        None if [side, "both"].contains(&item["found_in"].as_str().expect("a side")) => {
                            counts.entry(kind).or_default()[1] += 1;
                        }
                        None => {}
                    }
                }
            }
        }
    }
    say(&format!("{} files: {counts:?}", files.len()));
    counts
}

/// The readable files of a kind that are small enough for a short test, by version.
fn by_version(suffix: &str, version: &str) -> BTreeMap<String, Vec<File>> {
    let mut files: BTreeMap<String, Vec<File>> = BTreeMap::new();
    for path in conformance_files("", suffix) {
        let bytes = Bytes::from(fs::read(&path).unwrap());
        let Some(file) = (bytes.len() < 300_000).then(|| File::of(&path, bytes)).flatten() else { continue };
        let Some(version) = file.root.pointer(version).and_then(Value::as_str) else { continue };
        let minor: String = version.split('.').take(2).collect::<Vec<_>>().join(".");
        let input = Input { bytes: file.bytes.clone(), sidecars: &Folder::of(&path) };
        let read = ReadOptions { keep_going: true, ..ReadOptions::default() };
        if from_input(&input, &read, &mut Diagnostics::default()).is_ok() {
            files.entry(minor).or_default().push(file);
        }
    }
    files
}

#[test]
fn conformance_items_of_spine_are_where_the_json_names_them() {
    let versions = by_version(".json", "/skeleton/spine");
    assert!(versions.len() > 3, "{:?}", versions.keys());
    for (version, files) in versions.iter().filter(|(_, files)| files.len() > 1) {
        for (kind, [with, without]) in places_of(files) {
            // Atlases name images.
            let has_places = with > 0 && without == 0;
            assert!(has_places || kind == "images", "{version}: {kind}: {with} with a place, {without} without");
        }
    }
}

#[test]
fn conformance_items_of_skelform_are_where_the_archive_names_them() {
    let mut read = 0;
    for (version, files) in by_version(".skf", "/version") {
        for (kind, [with, without]) in places_of(&files) {
            // Slots, meshes and most constraints have the names of their bones.
            let has_names = ["bones", "skins", "animations"].contains(&kind);
            assert!(
                with > 0 && without == 0 || !has_names,
                "{version}: {kind}: {with} with a place, {without} without"
            );
        }
        read += files.len();
    }
    assert!(read > 3, "{read}");
}

#[test]
fn conformance_items_of_pchr_are_where_its_json_names_them() {
    let folder = folder();
    for to in ["pchr-json", "pachario"] {
        let json = |path: PathBuf| {
            // With the pictures in a folder of their own.
            let json = folder.path().join(to).join(path.file_stem().expect("a name")).join("it.json");
            let [from, output] = [&path, &json].map(|path| path.to_str().expect("UTF-8"));
            fine(folder.path(), &["convert", "--to", to, "-o", output, from]);
            File::of(&json, fs::read(&json).unwrap().into()).expect("JSON")
        };
        let files: Vec<File> = conformance_files("pchr", ".pchr").into_iter().map(json).collect();
        for (kind, [with, without]) in places_of(&files) {
            assert!(
                with > 0 && without == 0 || kind == "images",
                "{to}: {kind}: {with} with a place, {without} without"
            );
        }
    }
}

#[test]
fn the_first_line_of_an_item_ends_with_its_places() {
    let folder = folder();
    let put = |name: &str, parent: &str, skin: &str| {
        let text = format!(
            r#"{{"skeleton": {{"spine": "4.2.0"}}, "bones": [{{"name": "r"}}, {{"name": "s", "parent": "r"}},
                {{"name": "a/~", "parent": "{parent}", "length": 2}}], "slots": [{{"name": "x", "bone": "r"}}],
                "skins": [{{"attachments": {{"x": {{"p/q": {{"width": 9, "height": 9}}}}}}, "name": "{skin}"}}],
                "events": {{"e/{parent}": {{}}}}}}"#
        );
        fs::write(folder.path().join(name), text).unwrap();
    };
    put("old.json", "r", "one");
    put("new.json", "s", "two");
    let text =
        String::from_utf8(pchr(folder.path(), &["diff", "-q", "old.json", "new.json", "--json"]).stdout).unwrap();
    let found: Value = serde_json::from_str(&text).unwrap();
    let pointers = |kind: &str| -> Vec<[&str; 2]> {
        let items = found[kind].as_array().unwrap().iter();
        items.map(|item| ["a", "b"].map(|side| item[side]["pointer"].as_str().unwrap_or("-"))).collect()
    };
    assert_eq!(pointers("bones"), [["/bones/2", "/bones/2"]]);
    assert_eq!(pointers("skins"), [["/skins/0", "-"], ["-", "/skins/0"]]);
    let attachment = "/skins/0/attachments/x/p~1q";
    assert_eq!(pointers("meshes"), [[attachment, "-"], ["-", attachment]]);
    assert_eq!(pointers("events"), [["/events/e~1r", "-"], ["-", "/events/e~1s"]]);
    let text = String::from_utf8(pchr(folder.path(), &["diff", "old.json", "new.json"]).stdout).unwrap();
    assert!(text.contains("  ~ a/~  parent: r → s at 2:17 /bones/2\n"), "{text}");
    assert!(text.contains("  - e/r  4:35 /events/e~1r\n"), "{text}");
}
