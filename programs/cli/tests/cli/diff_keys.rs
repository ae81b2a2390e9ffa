//! `pchr diff` of files with keys: which keys differ, and where they are.

use std::fs;

use crate::common::program::{fine, folder, pchr};
use crate::common::root;
use pchr::formats::zip;
use pchr::limits::Limits;
use serde_json::{Value, json};
use tempfile::TempDir;

/// The lamp as `old.json`, and with other texts in place of some of its lines as `new.json`.
struct Lamps(TempDir);

impl Lamps {
    fn new(replaced: &[(&str, &str)]) -> Self {
        let lamps = Self(folder());
        let assets = root().join("assets");
        for name in ["paper-lamp.atlas", "paper-lamp.png"] {
            fs::copy(assets.join(name), lamps.0.path().join(name)).unwrap();
        }
        let mut text = fs::read_to_string(assets.join("paper-lamp.json")).unwrap();
        lamps.put("old.json", &text);
        for (old, new) in replaced {
            assert_eq!(text.matches(old).count(), 1, "{old}");
            text = text.replace(old, new);
        }
        lamps.put("new.json", &text);
        lamps
    }

    fn put(&self, name: &str, text: &str) {
        fs::write(self.0.path().join(name), text).unwrap();
    }

    #[track_caller]
    fn diff(&self, args: &[&str], code: i32) -> String {
        let args = [&["diff", "-q", "--atlas", "paper-lamp.atlas"], args].concat();
        let output = pchr(self.0.path(), &args);
        assert_eq!(output.status.code(), Some(code), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    #[track_caller]
    fn json(&self, files: [&str; 2], code: i32) -> Value {
        serde_json::from_str(&self.diff(&[files[0], files[1], "--json"], code)).unwrap()
    }
}

const MOVED: (&str, &str) = (r#"{ "time": 0.35, "x": 0.96"#, r#"{ "time": 0.3, "x": 0.96"#);

#[test]
fn a_changed_key_has_its_fields_and_both_places() {
    // A line more, so that all keys below it are in other lines.
    let replaced =
        [("\t\"hop\": {", "\t\n\"hop\": {"), (r#""y": 34, "curve": 0.4"#, r#""y": 44, "curve": "stepped""#)];
    let lamps = Lamps::new(&replaced);
    let found = lamps.json(["old.json", "new.json"], 1);
    assert_eq!(
        found["keys"],
        json!([{
            "a": {"column": 6, "line": 55, "pointer": "/animations/hop/bones/base/translate/1", "seconds": 0.45},
            "animation": "hop",
            "b": {"column": 6, "line": 56, "pointer": "/animations/hop/bones/base/translate/1", "seconds": 0.45},
            "changes": [{"a": "34", "b": "44", "what": "y"}, {"a": "0.4", "b": "\"stepped\"", "what": "curve"}],
            "found_in": "both",
            "name": "base",
            "property": "translate",
            "target": "bone"
        }])
    );
    assert_eq!((&found["a"]["keys"], &found["b"]["keys"], found.get("more_keys")), (&json!(19), &json!(19), None));
    let text = String::from_utf8(pchr(lamps.0.path(), &["diff", "old.json", "new.json"]).stdout).unwrap();
    let line = "  ~ hop: bone base translate 0.45 s  y: 34 → 44, curve: 0.4 → \"stepped\" at 55:6 → 56:6 \
                /animations/hop/bones/base/translate/1\n";
    assert!(text.ends_with(&format!("\nkeys: 19\n{line}")), "{text}");
}

#[test]
fn keys_are_removed_added_and_moved() {
    let removed = (r#"{ "time": 0.2, "x": 1.08, "y": 0.9 },"#, "");
    let added = ("{ \"time\": 0.65 }\n\t\t\t\t],", "{ \"time\": 0.65 }, { \"time\": 0.8, \"x\": 9 }\n\t\t\t\t],");
    let event = (r#"{ "time": 0.25, "name": "jump" }, "#, "");
    let lamps = Lamps::new(&[removed, added, MOVED, event]);
    let found = lamps.json(["old.json", "new.json"], 1);
    let keys = found["keys"].as_array().unwrap();
    let found_keys: Vec<String> = keys
        .iter()
        .map(|key| {
            let place =
                |side: &str| key[side]["pointer"].as_str().map_or("-", |it| &it["/animations/hop".len()..]);
            format!("{} {} {} {}", key["found_in"].as_str().unwrap(), place("a"), place("b"), key["changes"])
        })
        .collect();
    assert_eq!(
        found_keys,
        [
            "a /bones/base/scale/1 - []".to_owned(),
            r#"both /bones/base/scale/2 /bones/base/scale/1 [{"a":"0.35","b":"0.3","what":"seconds"}]"#.to_owned(),
            "a /events/0 - []".to_owned(),
            "b - /bones/base/translate/3 []".to_owned(),
        ]
    );
    let text = lamps.diff(&["old.json", "new.json"], 1);
    assert_eq!(text, "", "-q prints nothing");
}

#[test]
fn keys_that_play_the_same_are_no_difference() {
    // On the line between its neighbours, as another number, and with a field that does nothing.
    let same = [
        (r#"{ "time": 0.2, "y": -26 },"#, r#"{ "time": 0.1, "y": -13 }, { "time": 0.20000, "y": -2.6e1 },"#),
        (r#"{ "time": 0.4, "y": 10 }"#, r#"{ "time": 0.4, "y": 10, "note": "up" }"#),
    ];
    let found = Lamps::new(&same).json(["old.json", "new.json"], 0);
    assert_eq!((&found["same"], found.get("keys"), found["a"].get("keys")), (&json!(true), None, None));
}

#[test]
fn binary_skeletons_have_offsets() {
    let lamps = Lamps::new(&[MOVED]);
    for name in ["old", "new"] {
        let (json, skel) = (format!("{name}.json"), format!("{name}.skel"));
        let args = ["convert", &json, "-o", &skel, "--to", "skel42", "--atlas", "paper-lamp.atlas", "--force"];
        fine(lamps.0.path(), &args);
    }
    let found = lamps.json(["old.skel", "new.skel"], 1);
    let moved = found["keys"].as_array().unwrap();
    let listed = fine(lamps.0.path(), &["keys", "-q", "--json", "new.skel"]);
    let listed: Value = serde_json::from_slice(&listed.stdout).unwrap();
    for key in moved {
        let place = &key["b"];
        assert!(place["byte"].is_u64() && place.get("line").is_none(), "{key}");
        let same = |it: &&Value| it["byte"] == place["byte"] && it["pointer"] == place["pointer"];
        assert!(listed["keys"].as_array().unwrap().iter().any(|it| same(&it)), "{key}");
    }
    assert!(moved.iter().any(|key| key["changes"][0]["what"] == "seconds"), "{found}");
    // Text and binary state numbers differently.
    assert_eq!(lamps.json(["old.json", "new.skel"], 1).get("keys"), None);
}

#[test]
fn other_versions_and_stored_frames_have_no_common_keys() {
    let lamps = Lamps::new(&[MOVED]);
    let to = |to: &str, output: &str| {
        let args = ["convert", "new.json", "-o", output, "--to", to, "--atlas", "paper-lamp.atlas", "--force"];
        fine(lamps.0.path(), &args);
    };
    to("spine42", "newer.json");
    assert_eq!(lamps.json(["old.json", "newer.json"], 1).get("keys"), None);
    to("pchr", "new.pchr");
    fs::copy(root().join("assets/paper-knight.pchr"), lamps.0.path().join("old.pchr")).unwrap();
    assert_eq!(lamps.json(["old.pchr", "new.pchr"], 1).get("keys"), None);
}

#[test]
fn a_long_list_is_cut_and_counted() {
    let file = |value: u32, note: &str| {
        let key = |at: u32| format!(r#"{{"time": {at}, "x": {value}, "{note}": 1}}"#);
        let keys: Vec<String> = (0..600).map(key).collect();
        format!(
            r#"{{"skeleton": {{"spine": "4.2.0"}}, "bones": [{{"name": "root"}}], "animations": {{"walk":
                {{"bones": {{"root": {{"translate": [{}]}}}}}}}}}}"#,
            keys.join(",")
        )
    };
    let lamps = Lamps::new(&[]);
    for (name, value) in [("old.json", 1), ("new.json", 2)] {
        lamps.put(name, &file(value, "y"));
    }
    let found = lamps.json(["old.json", "new.json"], 1);
    assert_eq!((found["keys"].as_array().unwrap().len(), &found["more_keys"]), (500, &json!(100)));
    let text = String::from_utf8(pchr(lamps.0.path(), &["diff", "old.json", "new.json"]).stdout).unwrap();
    assert!(text.ends_with("\n  … and 580 more\n"), "{text}");
    // Of longer keys, fewer are listed.
    for (name, value) in [("old.json", 1), ("new.json", 2)] {
        lamps.put(name, &file(value, &"long ".repeat(2000)));
    }
    let found = lamps.json(["old.json", "new.json"], 1);
    let listed = found["keys"].as_array().unwrap().len();
    assert!((300..500).contains(&listed) && found["more_keys"] == 600 - listed, "{listed}");
}

#[test]
fn names_cannot_break_the_output() {
    let lamps = Lamps::new(&[]);
    let name = "a\\\"/~,\\n\\u001b[31m\\u202e";
    for (file, x) in [("old.json", 1), ("new.json", 5)] {
        let text = format!(
            r#"{{"skeleton": {{"spine": "4.2.0"}}, "bones": [{{"name": "{name}"}}], "animations": {{"{name}":
                {{"bones": {{"{name}": {{"translate": [{{"x": {x}, "{name}": "{name}{x}"}}]}}}}}}}}}}"#
        );
        lamps.put(file, &text);
    }
    let text = String::from_utf8(pchr(lamps.0.path(), &["diff", "old.json", "new.json"]).stdout).unwrap();
    let line = text.lines().last().unwrap();
    assert!(line.contains("x: 1 → 5") && line.ends_with("/translate/0"), "{text}");
    assert!(text.chars().all(|c| c == '\n' || !c.is_control() && c != '\u{202e}'), "{text}");
}

#[test]
fn fields_that_state_a_time_or_count_keys_are_no_values() {
    let lamps = Lamps::new(&[]);
    let args = ["convert", "old.json", "-o", "old.skf", "--to", "skelform", "--atlas", "paper-lamp.atlas"];
    fine(lamps.0.path(), &args);
    let archive = fs::read(lamps.0.path().join("old.skf")).unwrap();
    let mut files = zip::unpack(&archive.into(), &Limits::default()).unwrap();
    let armature = files.iter().position(|(name, _)| name == "armature.json").unwrap();
    let mut root: Value = serde_json::from_slice(&files[armature].1).unwrap();
    for (name, offset) in [("old.skf", 0), ("new.skf", 1)] {
        let keys = root["animations"][0]["keyframes"].as_array_mut().unwrap();
        // As if a key had been inserted above.
        (offset..).zip(keys.iter_mut()).for_each(|(at, key)| key["next_kf"] = json!(at));
        let last = keys.last_mut().unwrap();
        last["frame"] = json!(last["frame"].as_u64().unwrap() + 3 * offset);
        files[armature].1 = root.to_string().into();
        fs::write(lamps.0.path().join(name), zip::pack(&files).unwrap()).unwrap();
    }
    let found = lamps.json(["old.skf", "new.skf"], 1);
    let [key] = &found["keys"].as_array().unwrap()[..] else { panic!("{found}") };
    assert_eq!(key["a"]["file"], "armature.json");
    let changed: Vec<&Value> = key["changes"].as_array().unwrap().iter().map(|it| &it["what"]).collect();
    assert_eq!(changed, ["seconds"], "{key}");
}
