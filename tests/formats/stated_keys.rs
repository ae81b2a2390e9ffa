//! The keys of files as the files state them: on all conformance data, compared with the text and with each other.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use serde_json::{Value, json};

use crate::common::{conformance_files, root, say, tiny, v1};
use pchr::diagnostics::Diagnostics;
use pchr::formats::{Folder, Input, NO_SIDECARS, ReadOptions, StatedKeys, format_name, stated_keys, zip};
use pchr::limits::Limits;
use pchr::model::AnimationId;
use pchr::motion::{self, KeyChannel, KeyRow, KeyTarget, Motion};
use pchr::{Character, Error};

fn keys_of(path: &Path) -> Result<StatedKeys, Error> {
    let input = Input { bytes: fs::read(path).expect("a file").into(), sidecars: &Folder::of(path) };
    stated_keys(&input, &ReadOptions::default(), &mut Diagnostics::default())
}

fn keys_in(bytes: impl Into<Bytes>, options: &ReadOptions) -> Result<Vec<Value>, Error> {
    let input = Input { bytes: bytes.into(), sidecars: NO_SIDECARS };
    stated_keys(&input, options, &mut Diagnostics::default()).map(|keys| listed(&keys))
}

/// All keys as JSON.
fn listed(keys: &StatedKeys) -> Vec<Value> {
    let mut all = Vec::new();
    let done: Result<(), ()> = keys.for_each(|key| {
        all.push(serde_json::to_value(key).expect("JSON"));
        Ok(())
    });
    done.expect("never fails");
    all
}

fn texts<'k>(keys: &'k [Value], field: &str) -> Vec<&'k str> {
    keys.iter().map(|key| key[field].as_str().expect(field)).collect()
}

/// Counts the objects in lists, but not those inside other ones.
fn objects_in_lists(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().filter(|item| item.is_object()).count(),
        Value::Object(entries) => entries.values().map(objects_in_lists).sum(),
        _ => 0,
    }
}

/// Counts the keys of a skeleton, independently of the reader.
fn count_spine(root: &Value) -> usize {
    let animations = root["animations"].as_object().into_iter().flat_map(|all| all.values());
    let count = |animation: &Value| {
        let groups = animation.as_object().into_iter().flatten();
        let count = |(group, value): (&String, &Value)| match (group.as_str(), value) {
            ("drawOrderFolder", Value::Array(folders)) => {
                folders.iter().map(|it| objects_in_lists(&it["keys"])).sum()
            }
            _ => objects_in_lists(value),
        };
        groups.map(count).sum::<usize>()
    };
    animations.map(count).sum()
}

/// Asserts that the place of a key in a text is that of an object, and returns it.
#[track_caller]
fn located<'t>(key: &Value, lines: &[&str], root: &'t Value) -> &'t Value {
    let pointer = key["pointer"].as_str().expect("a pointer");
    let (line, column) = (key["line"].as_u64().unwrap() as usize, key["column"].as_u64().unwrap() as usize);
    // Columns of long lines would be counted again and again.
    let found =
        if lines[line - 1].is_ascii() { lines[line - 1].as_bytes().get(column - 1).copied() } else { Some(b'{') };
    assert_eq!(found, Some(b'{'), "{key}");
    let found = root.pointer(pointer).unwrap_or_else(|| panic!("nothing is at {pointer}"));
    assert!(found.is_object(), "{key}");
    found
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_default()
}

/// The files of a kind in all conformance data.
fn files(suffix: &str, is_wanted: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let mut found = conformance_files("", suffix);
    found.retain(|path| format_name(&fs::read(path).unwrap()).is_some_and(&is_wanted));
    found
}

#[test]
fn the_keys_of_spine_json_are_those_of_the_text() {
    let (mut total, mut read) = (0, 0);
    for path in files(".json", |name| name.starts_with("Spine")) {
        let text = fs::read_to_string(&path).unwrap();
        let text = text.trim_start_matches('\u{feff}');
        let root: Value = match serde_json::from_str(text) {
            Ok(root) => root,
            Err(_) => {
                keys_of(&path).expect_err("damaged");
                continue;
            }
        };
        let lines: Vec<&str> = text.split('\n').collect();
        let keys = listed(&keys_of(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())));
        assert_eq!(keys.len(), count_spine(&root), "{}", path.display());
        // Some files have very many.
        for key in keys.iter().step_by(1 + keys.len() / 1000) {
            let found = located(key, &lines, &root);
            assert_eq!(number(&found["time"]), number(&key["seconds"]), "{key}");
            let fields = found.as_object().unwrap();
            let stated = key["values"].as_object().unwrap();
            let others = ["time", "curve", "c2", "c3", "c4"];
            assert_eq!(stated.len(), fields.keys().filter(|name| !others.contains(&&***name)).count(), "{key}");
            assert!(stated.iter().all(|(name, value)| fields[name] == *value), "{key}");
            assert_eq!(
                key.get("curve").is_some(),
                others[1..].iter().any(|name| fields.contains_key(*name)),
                "{key}"
            );
        }
        total += keys.len();
        read += 1;
    }
    say(&format!("{total} keys of {read} skeletons"));
    assert!(read >= 10 && total > 1000, "{read} files, {total} keys");
}

/// Keys by pointer, with the number of those that share it.
fn by_pointer(keys: &[Value]) -> BTreeMap<String, Vec<f64>> {
    let mut all: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for key in keys {
        // Older names of the same groups.
        let pointer = key["pointer"].as_str().unwrap().replace("/draworder/", "/drawOrder/");
        let pointer = pointer.replace("/ffd/", "/deform/").replace("/paths/", "/path/");
        all.entry(pointer).or_default().push(number(&key["seconds"]));
    }
    all
}

#[test]
fn the_offsets_in_binary_skeletons_are_those_of_their_keys() {
    let (mut total, mut read, mut pairs) = (0, 0, 0);
    for path in files(".skel", |name| name.starts_with("Spine")) {
        let bytes = fs::read(&path).unwrap();
        let Ok(keys) = keys_of(&path) else { continue };
        let keys = listed(&keys);
        for key in &keys {
            let byte = key["byte"].as_u64().unwrap_or_else(|| panic!("{}: {key}", path.display())) as usize;
            let time = |at: usize| bytes.get(at..at + 4).map(|four| f32::from_be_bytes(four.try_into().unwrap()));
            let seconds = number(&key["seconds"]) as f32;
            // Flags come first in IK keys of 4.2, and offsets in draw orders before 3.1.
            let is_there = [byte, byte + 1].into_iter().any(|at| time(at) == Some(seconds));
            assert!(is_there || key["target"] == "drawOrder", "{}: {key}", path.display());
        }
        let json = path.with_extension("json");
        if let Some(of_json) = json.exists().then(|| keys_of(&json)).and_then(Result::ok) {
            let of_json = listed(&of_json);
            let (binary, json) = (by_pointer(&keys), by_pointer(&of_json));
            let same = binary.keys().eq(json.keys());
            let first = binary.keys().find(|pointer| !json.contains_key(*pointer));
            let other = json.keys().find(|pointer| !binary.contains_key(*pointer));
            assert!(same, "{}: {first:?} is only in the binary, {other:?} only in JSON", path.display());
            pairs += 1;
        }
        total += keys.len();
        read += 1;
    }
    say(&format!("{total} keys of {read} binary skeletons, {pairs} of them beside JSON"));
    assert!(read >= 3 && total > 100 && pairs > 0, "{read} files, {total} keys, {pairs} pairs");
}

/// Returns an entry of an archive.
fn entry(bytes: &[u8], name: &str) -> String {
    let unpacked = zip::unpack(&Bytes::copy_from_slice(bytes), &Limits::default()).expect("an archive");
    let found = unpacked.into_iter().find(|(entry, _)| entry == name).expect("the entry").1;
    String::from_utf8(found.to_vec()).expect("text")
}

#[test]
fn the_keyframes_of_skelform_are_those_of_the_archive() {
    let (mut total, mut read) = (0, 0);
    for path in files(".skf", |_| true) {
        let Ok(keys) = keys_of(&path) else { continue };
        let text = entry(&fs::read(&path).unwrap(), "armature.json");
        let (lines, root): (Vec<&str>, Value) = (text.split('\n').collect(), serde_json::from_str(&text).unwrap());
        let keys = listed(&keys);
        let frames = |animation: &Value| animation["keyframes"].as_array().map_or(0, Vec::len);
        let expected: usize = root["animations"].as_array().into_iter().flatten().map(frames).sum();
        assert_eq!(keys.len(), expected, "{}", path.display());
        for key in &keys {
            let found = located(key, &lines, &root);
            assert_eq!(key["values"]["frame"], found["frame"], "{key}");
            assert_eq!((&key["file"], key["name"] != ""), (&json!("armature.json"), true), "{key}");
        }
        total += keys.len();
        read += 1;
    }
    say(&format!("{total} keyframes of {read} SkelForm files"));
    assert!(read >= 3 && total > 50, "{read} files, {total} keys");
}

#[test]
fn the_keyframes_of_animate_are_those_of_the_text() {
    let (mut total, mut read) = (0, 0);
    for path in files("Animation.json", |name| name.contains("Animate")) {
        let Ok(keys) = keys_of(&path) else { continue };
        let text = fs::read_to_string(&path).unwrap();
        let text = text.trim_start_matches('\u{feff}');
        let (lines, root): (Vec<&str>, Value) = (text.split('\n').collect(), serde_json::from_str(text).unwrap());
        let keys = listed(&keys);
        for key in keys.iter().filter(|key| key.get("file").is_none()) {
            let found = located(key, &lines, &root);
            assert!(found.get("I").or(found.get("index")).is_some(), "{key}");
        }
        let count = count_named(&root, &["FR", "Frames"]);
        assert_eq!(keys.iter().filter(|key| key.get("file").is_none()).count(), count, "{}", path.display());
        total += keys.len();
        read += 1;
    }
    say(&format!("{total} keyframes of {read} atlases"));
    assert!(read >= 2 && total > 20, "{read} files, {total} keys");
}

/// Counts the objects in all lists of these names.
fn count_named(value: &Value, names: &[&str]) -> usize {
    match value {
        Value::Array(items) => items.iter().map(|item| count_named(item, names)).sum(),
        Value::Object(entries) => entries
            .iter()
            .map(|(name, value)| match value {
                Value::Array(items) if names.contains(&name.as_str()) => items.len(),
                value => count_named(value, names),
            })
            .sum(),
        _ => 0,
    }
}

const RIG: &str = r#"{"skeleton": {"spine": "4.2.00"}, "bones": [{"name": "root"}], "animations": "#;

fn rig(animations: &str) -> String {
    format!("{RIG}{animations}}}")
}

#[test]
fn repeated_unknown_and_hostile_names_are_listed() {
    let text = rig(
        "{\"a/b~\\n\\u001b\": {\n \"bones\": {\"root\": {\"rotate\": [{}], \"rotate\": [7, {\"time\": 1, \"value\":\n  [ 2, \"x y\" ]}],
         \"wobble\": [{\"time\": \"late\"}]}},
         \"zap\": {\"x\": {\"y\": {\"z\": [{\"time\": 3}]}}}, \"numbers\": [1], \"text\": \"{\",
         \"physics\": {\"\": {\"wind\": [{\"value\": 1, \"curve\": [0, 0, 1, 1]}], \"reset\": [{}]}},
         \"drawOrderFolder\": [{\"slots\": [{}], \"keys\": [{\"offsets\": [{}]}]}],
         \"attachments\": {\"s\": {\"slot\": {\"at\": {\"deform\": [{\"curve\": 0.25, \"c3\": 0.5}]}}}}}}",
    );
    let keys = keys_in(text, &ReadOptions::default()).unwrap();
    let root = "/animations/a~1b~0\n\u{1b}";
    let expected = [
        ("bone", "root", "rotate", "/bones/root/rotate/0"),
        ("bone", "root", "rotate", "/bones/root/rotate/1"),
        ("bone", "root", "wobble", "/bones/root/wobble/0"),
        ("zap", "x", "y/z", "/zap/x/y/z/0"),
        ("physics", "", "wind", "/physics//wind/0"),
        ("physics", "", "reset", "/physics//reset/0"),
        ("drawOrder", "", "drawOrderFolder", "/drawOrderFolder/0/keys/0"),
        ("slot", "slot", "deform", "/attachments/s/slot/at/deform/0"),
    ];
    assert_eq!(texts(&keys, "target"), expected.map(|it| it.0));
    assert_eq!(texts(&keys, "name"), expected.map(|it| it.1));
    assert_eq!(texts(&keys, "property"), expected.map(|it| it.2));
    assert_eq!(texts(&keys, "pointer"), expected.map(|it| format!("{root}{}", it.3)));
    let known: Vec<bool> = keys.iter().map(|key| key["known"] == true).collect();
    assert_eq!(known, [true, true, false, false, true, true, true, true]);
    assert_eq!(keys[1]["values"], json!({"value": [2, "x y"]}));
    assert_eq!((&keys[2]["seconds"], &keys[2]["values"]), (&Value::Null, &json!({"time": "late"})));
    assert_eq!((&keys[4]["curve"], &keys[7]["curve"]), (&json!([0, 0, 1, 1]), &json!({"curve": 0.25, "c3": 0.5})));
    assert_eq!((&keys[7]["skin"], &keys[7]["attachment"]), (&json!("s"), &json!("at")));
}

#[test]
fn damaged_and_huge_files_are_refused() {
    let mut text = rig(r#"{"a": {"bones": {"root": {"rotate": [{"time": 1}]}}}}"#);
    for len in RIG.len()..text.len() {
        let error = keys_in(text.as_bytes()[..len].to_owned(), &ReadOptions::default()).unwrap_err();
        assert_eq!(error.code(), "bad-json", "{error}");
    }
    // Half a character, and bytes that are none.
    for value in [r#""\ud800""#.as_bytes(), b"\"\xff\""] {
        let [before, after] = [&br#"{"a": {"events": [{"name": "#[..], b"}]}}}"];
        let keys = keys_in([RIG.as_bytes(), before, value, after].concat(), &ReadOptions::default()).unwrap();
        assert!(keys[0]["values"]["name"].is_string(), "{keys:?}");
    }
    // Each key repeats the long name.
    let name = "n".repeat(1 << 16);
    let many = "{},".repeat(1 << 16);
    text = rig(&format!(r#"{{"{name}": {{"events": [{many}{{}}]}}}}"#));
    let mut limits = Limits::default();
    limits.work = 1 << 26;
    let options = ReadOptions { limits, ..ReadOptions::default() };
    let error = keys_in(text, &options).unwrap_err();
    assert!(matches!(error, Error::LimitExceeded(_)), "{error}");
    let deep = "{\"a\":".repeat(10_000);
    keys_in(rig(&deep), &ReadOptions::default()).unwrap_err();
    let fields: Vec<String> = (0..5000).map(|field| format!("\"{field}\": 1")).collect();
    let error =
        keys_in(rig(&format!(r#"{{"a": {{"events": [{{{}}}]}}}}"#, fields.join(","))), &ReadOptions::default());
    assert!(error.unwrap_err().to_string().contains("at most 4096 fields"));
}

#[test]
fn stored_frames_are_listed_with_their_values() {
    let keys = keys_in(v1::write(&tiny()).unwrap(), &ReadOptions::default()).unwrap();
    let first = &keys[0];
    assert_eq!(
        (&first["animation"], &first["target"], &first["frame"]),
        (&json!("wave"), &json!("bone"), &json!(0))
    );
    assert!(first["values"]["x"].is_number() && first.get("pointer").is_none(), "{first}");
    let path = root().join("assets/paper-knight.pchr");
    let keys = listed(&keys_of(&path).unwrap());
    let properties: std::collections::BTreeSet<&str> = texts(&keys, "property").into_iter().collect();
    assert!(properties.contains("rotation") && properties.contains("translation"), "{properties:?}");
}

/// The rows of an animation, and the instants of their keys in seconds that no key of the file has.
type Rows = Vec<(KeyTarget, KeyChannel, Vec<f64>)>;

/// Returns the keys of an animation that the file does not state, by row.
fn unstated(character: &Character, keys: &StatedKeys, animation: AnimationId) -> Rows {
    const NEAR: f64 = 1e-3;
    let model = character.model();
    let timing = model.animation(animation);
    let times = |row: &KeyRow| row.times.iter().map(|position| timing.seconds_at(position)).collect();
    let mut rows: Rows =
        motion::keys(character, animation).iter().map(|row| (row.target, row.channel, times(row))).collect();
    let mut known: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let done: Result<(), ()> = keys.for_each(|key| {
        if *key.animation != *timing.name {
            return Ok(());
        }
        let timeline = format!("{:?}", (&key.target, &key.name, &key.property, &key.skin, &key.attachment));
        let of = known.entry(timeline).or_insert_with(|| {
            (0..rows.len()).filter(|&row| key.is_of(model, rows[row].0, rows[row].1)).collect()
        });
        for &row in &*of {
            rows[row].2.retain(|at| (at - key.seconds.unwrap_or_default()).abs() > NEAR);
        }
        Ok(())
    });
    done.expect("never fails");
    rows.retain(|(_, _, times)| !times.is_empty());
    rows
}

#[test]
fn conformance_every_key_that_is_played_is_stated() {
    let own = ["paper-lamp.json", "paper-lamp-4.2.skel"].map(|name| root().join("assets").join(name));
    let (mut files, mut count, mut missing) = (0, 0, Vec::new());
    let others = [".json", ".skel", ".skf"].into_iter().flat_map(|suffix| conformance_files("", suffix));
    for path in own.into_iter().chain(others) {
        let Ok(character) = Character::open(&path) else { continue };
        if !matches!(character.motion(), Motion::Spine(_) | Motion::SkelForm(_)) {
            continue;
        }
        let keys = keys_of(&path).expect("its keys");
        for animation in character.model().animation_ids() {
            let unstated = unstated(&character, &keys, animation);
            let name = &character.model().animation(animation).name;
            let rows = unstated.iter().map(|(target, channel, times)| (target, channel, times.first()));
            missing.extend(rows.map(|row| format!("{}, `{name}`: {row:?}", path.display())));
            count += motion::keys(&character, animation).len();
        }
        files += 1;
    }
    assert!(missing.is_empty(), "{} rows: {}", missing.len(), missing.join("\n"));
    assert!(files >= 2 && count > 20, "{files} files, {count} rows");
}

#[test]
fn a_key_belongs_to_one_row() {
    let path = root().join("assets/paper-lamp.json");
    let (character, keys) = (Character::open(&path).expect("a character"), keys_of(&path).expect("its keys"));
    let model = character.model();
    let mut count = 0;
    let done: Result<(), ()> = keys.for_each(|key| {
        let animation = model.find_animation(&key.animation).expect("an animation of the file");
        let rows = motion::keys(&character, animation);
        let found: Vec<_> = rows.iter().filter(|row| key.is_of(model, row.target, row.channel)).collect();
        assert_eq!(found.len(), 1, "{key:?}: {found:?}");
        count += 1;
        Ok(())
    });
    done.expect("never fails");
    assert!(count > 10, "{count}");
}
