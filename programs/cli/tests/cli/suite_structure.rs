//! `structure.json` of `pchr test`: what pictures do not show, the areas that they show, and faults planted in a suite.

use std::fs;

use serde_json::{Value, json};

use crate::common::suite_folder::Suite;

/// Copies the paper lamp to each of `folders`.
fn lamps(folders: &[&str]) -> Suite {
    let suite = Suite::empty();
    let assets = crate::common::root().join("assets");
    for folder in folders {
        for extension in ["json", "atlas", "png"] {
            let bytes = fs::read(assets.join(format!("paper-lamp.{extension}"))).expect("an asset");
            suite.write(&format!("art/{folder}/paper-lamp.{extension}"), &bytes);
        }
    }
    suite.settings("size = 96");
    suite.stdout(0, "art --update");
    suite
}

/// Changes the lamp in a folder.
fn change(suite: &Suite, folder: &str, change: impl FnOnce(&mut Value)) {
    let path = format!("art/{folder}/paper-lamp.json");
    let mut lamp: Value = serde_json::from_slice(&suite.read(&path)).expect("JSON");
    change(&mut lamp);
    suite.write(&path, &serde_json::to_vec(&lamp).expect("JSON"));
}

/// The events and draw orders change, and no picture does.
fn move_event(lamp: &mut Value) {
    lamp["animations"]["hop"]["events"][0]["time"] = json!(0.3);
}

fn swap_slots(lamp: &mut Value) {
    let slots = lamp["slots"].as_array_mut().expect("slots");
    // The base and the bulb are far apart.
    let place = |name: &str| slots.iter().position(|slot| slot["name"] == name).expect("a slot");
    let (base, bulb) = (place("base"), place("bulb"));
    slots.swap(base, bulb);
}

fn turn_head(lamp: &mut Value) {
    // The head looks at the mouse.
    lamp["animations"]["idle"]["bones"]["mouse"] = json!({ "translate": [{ "y": 0 }, { "time": 1, "y": -8 }] });
}

/// Returns the texts of the changes of the only structure that differs.
#[track_caller]
fn changes(suite: &Suite, code: i32) -> Vec<String> {
    let document = suite.json(code, "art");
    let structures = document["structures"].as_array().cloned().unwrap_or_default();
    assert!(structures.len() <= 1, "{structures:#?}");
    let list =
        structures.iter().flat_map(|structure| structure["changes"].as_array().cloned().unwrap_or_default());
    let text = |change: Value| {
        let animation = change["animation"].as_str().map(|name| format!("{name}: ")).unwrap_or_default();
        animation + change["text"].as_str().expect("text")
    };
    list.map(text).collect()
}

#[test]
fn what_no_picture_shows_is_found_in_words_and_accepted() {
    let suite = lamps(&["lamp"]);
    let recorded = suite.read("art/references/lamp/paper-lamp/structure.json");
    assert_eq!(changes(&suite, 0), Vec::<String>::new());
    change(&suite, "lamp", move_event);
    assert_eq!(changes(&suite, 1), ["hop: event `jump` fires at 0.3 s instead of 0.25 s"]);
    let text = suite.stdout(1, "art");
    assert!(
        text.starts_with("structure  art/references/lamp/paper-lamp/structure.json: hop: event `jump`"),
        "{text}"
    );
    assert!(text.ends_with("6 frames of 1 character compared: 6 same; 1 structure differs\n"), "{text}");
    for (style, part) in [("github", "title=structure differs::"), ("junit", "type=\"structure\"")] {
        assert!(suite.stdout(1, &format!("art --style {style}")).contains(part), "{style}");
    }
    let reference = "art/references/lamp/paper-lamp/structure.json";
    let lines = format!("{reference}:%0Ahop: event `jump` fires");
    assert!(suite.stdout(1, "art --style github").contains(&lines));
    suite.stdout(0, "art --structure=off");
    suite.settings("size = 96\nstructure = 'off'");
    suite.stdout(0, "art");
    suite.stdout(1, "art --structure");
    suite.settings("size = 96");
    assert_eq!(recorded, suite.read("art/references/lamp/paper-lamp/structure.json"), "only --update writes");
    assert!(
        suite.stdout(0, "art --update").starts_with("updated    art/references/lamp/paper-lamp/structure.json")
    );
    suite.stdout(0, "art");
}

#[test]
fn changes_are_told_in_words() {
    type Fault = fn(&mut Value);
    let faults: &[(Fault, &[&str])] = &[
        (swap_slots, &["draw order: `bulb` is now behind `base`"]),
        (turn_head, &["idle: bone `head` differs between "]),
        (|lamp| drop(lamp["animations"].as_object_mut().unwrap().remove("hop")), &["animation `hop` is gone"]),
        (|lamp| lamp["animations"]["jump"] = lamp["animations"]["hop"].clone(), &["animation `jump` is new"]),
        (
            |lamp| lamp["animations"]["hop"]["events"][1]["time"] = json!(2.5),
            &["hop: takes 2.5 s instead of 0.9 s", "hop: event `land, int 1` fires at 2.5 s instead of 0.65 s"],
        ),
        (
            |lamp| {
                let slots = lamp["slots"].as_array_mut().unwrap();
                let bulb = slots.iter_mut().find(|slot| slot["name"] == "bulb").unwrap();
                bulb["attachment"] = Value::Null;
            },
            &["slot `bulb` no longer shows `bulb`"],
        ),
        (
            |lamp| {
                let slots = lamp["slots"].as_array_mut().unwrap();
                slots.iter_mut().find(|slot| slot["name"] == "bulb").unwrap()["blend"] = json!("screen");
                lamp["events"]["jump"]["string"] = json!("high");
            },
            &["slot `bulb`: blend: normal → screen", "event `jump`: string:  → high"],
        ),
        (
            |lamp| {
                let bones = lamp["bones"].as_array_mut().unwrap();
                let head = bones.iter_mut().find(|bone| bone["name"] == "head").unwrap();
                head["x"] = json!(head["x"].as_f64().unwrap() + 7.0);
            },
            &["head: rotation -4°, position +7, +0"],
        ),
    ];
    let suite = lamps(&["lamp"]);
    let before = suite.read("art/lamp/paper-lamp.json");
    for (fault, expected) in faults {
        suite.write("art/lamp/paper-lamp.json", &before);
        change(&suite, "lamp", fault);
        let code = suite.run("art").status.code().expect("an exit code");
        let found = changes(&suite, code);
        assert!(code != 0 && !found.is_empty());
        for text in *expected {
            assert!(found.iter().any(|change| change.starts_with(text)), "{text}: {found:#?}");
        }
        // What is so in the setup pose is not repeated for each animation.
        assert!(found.len() <= 5, "{found:#?}");
    }
}

/// Every fault is found at its character, and no other character is blamed.
#[test]
fn planted_faults_are_found_and_nothing_else() {
    const FOLDERS: [&str; 11] = [
        "blank", "extra", "garbage", "head", "hue", "missing", "order", "resized", "same", "same-too", "vanished",
    ];
    let suite = lamps(&FOLDERS);
    change(&suite, "blank", |lamp| {
        lamp["slots"].as_array_mut().expect("slots").iter_mut().for_each(|slot| slot["attachment"] = Value::Null);
    });
    change(&suite, "hue", |lamp| lamp["slots"][1]["color"] = json!("ffc0c0ff"));
    change(&suite, "head", turn_head);
    change(&suite, "order", swap_slots);
    change(&suite, "vanished", |lamp| drop(lamp["animations"].as_object_mut().expect("animations").remove("hop")));
    suite.write("art/garbage/paper-lamp.json", b"garbage");
    fs::remove_file(suite.path("art/missing/paper-lamp.json")).expect("can be removed");
    fs::remove_dir_all(suite.path("art/references/extra")).expect("can be removed");
    suite.settings("size = 96\n[[render]]\n[[render]]\nname = 'x'\nfiles = ['resized/*.json']");
    suite.stdout(0, "art --accept resized/*@x --unused note --only resized");
    suite.settings("size = 96\n[[render]]\n[[render]]\nname = 'x'\nsize = 95\nfiles = ['resized/*.json']");
    let document = suite.json(3, "art");
    for folder in FOLDERS {
        let is_of = |value: &Value| value.as_str().is_some_and(|path| path.contains(&format!("/{folder}/")));
        let list = |key: &str| document[key].as_array().cloned().unwrap_or_default();
        let verdicts: Vec<Value> = list("frames")
            .iter()
            .filter(|frame| is_of(&frame["character"]) && frame["verdict"] != "same")
            .map(|frame| frame["verdict"].clone())
            .collect();
        let has = |verdict: &str| !verdicts.is_empty() && verdicts.iter().all(|found| found == verdict);
        let failed = list("failures").iter().any(|failure| is_of(&failure["character"]));
        let structure = list("structures").iter().any(|structure| is_of(&structure["character"]));
        let unused = list("unused").iter().filter(|path| is_of(path)).count();
        let found = (verdicts.is_empty(), failed, structure, unused > 0);
        let is_found = match folder {
            "blank" => has("different") && found == (false, false, true, false),
            "extra" => has("missing") && found == (false, false, false, false),
            "garbage" => found == (true, true, false, false),
            "head" => has("different") && found == (false, false, true, false),
            "hue" => has("different") && found == (false, false, true, false),
            "missing" => found == (true, false, false, true) && unused == 7,
            "order" => found == (true, false, true, false),
            "resized" => has("resized") && found == (false, false, false, false),
            "vanished" => found == (true, false, true, true) && unused == 3,
            _ => found == (true, false, false, false),
        };
        assert!(is_found, "{folder}: {found:?} {verdicts:?} {unused}");
    }
}

/// A changed structure often is the reason for changed pictures.
#[test]
fn structures_are_printed_before_pictures() {
    let suite = lamps(&["lamp"]);
    change(&suite, "lamp", turn_head);
    let summary = suite.path("summary.md");
    let text = suite.stdout(1, &format!("art --summary {}", summary.display()));
    let first = |text: &str, part: &str| text.find(part).unwrap_or_else(|| panic!("no {part}: {text}"));
    assert!(first(&text, "structure  art") < first(&text, "different  art"), "{text}");
    let summary = fs::read_to_string(summary).expect("a summary");
    assert!(first(&summary, "| structure |") < first(&summary, "| different |"), "{summary}");
    let github = suite.stdout(1, "art --style github");
    assert!(
        first(&github, "title=structure differs")
            < first(&github, "different::art/references/lamp/paper-lamp/idle"),
        "{github}"
    );
}

/// The area is recorded, so that a part that moves changes the picture only where it is.
#[test]
fn pictures_show_the_recorded_area_and_growth_is_told() {
    let suite = lamps(&["lamp"]);
    let recorded = suite.read("art/references/lamp/paper-lamp/structure.json");
    // The ray of light ends earlier: the rest of the lamp must not be larger.
    let shrink = |lamp: &mut Value| {
        let slots = lamp["slots"].as_array_mut().expect("slots");
        slots.iter_mut().filter(|slot| slot["name"] == "shade").for_each(|slot| slot["attachment"] = Value::Null);
    };
    change(&suite, "lamp", shrink);
    let document = suite.json(1, "art");
    for frame in document["frames"].as_array().expect("frames") {
        let rect = frame["difference"]["rect"].as_array().expect("a difference");
        let area = rect[2].as_u64().expect("a width") * rect[3].as_u64().expect("a height");
        assert!(area < 96 * 96 / 4, "{frame:#}");
    }
    // Settings that choose another area are followed.
    suite.settings("size = 96\nfit = 'all'");
    assert!(changes(&suite, 1).iter().all(|change| !change.contains("area")));
    suite.settings("size = 96");
    change(&suite, "lamp", |lamp| lamp["animations"]["hop"]["bones"]["base"]["translate"][1]["y"] = json!(400));
    let found = changes(&suite, 1);
    assert!(
        found.iter().any(|text| text.starts_with("hop: reaches beyond its area: ") && text.contains("at the top")),
        "{found:#?}"
    );
    assert!(!found.iter().any(|text| text.starts_with("idle: reaches")), "{found:#?}");
    suite.stdout(0, "art --update");
    assert_ne!(recorded, suite.read("art/references/lamp/paper-lamp/structure.json"));
    suite.stdout(0, "art");
}

#[test]
fn structures_that_cannot_be_read_or_are_missing_are_failures() {
    let suite = lamps(&["lamp"]);
    let path = "art/references/lamp/paper-lamp/structure.json";
    let recorded = String::from_utf8(suite.read(path)).expect("UTF-8");
    let no_area = recorded.replacen("\"width\": ", "\"width\": -", 1);
    let too_large = recorded.replacen("\"width\": ", "\"width\": 1e39, \"x\": ", 1);
    for text in [
        "",
        "{}",
        "[]",
        "\0",
        &recorded[..recorded.len() / 2],
        &no_area,
        &too_large,
        &recorded.replace("structure/3", "structure/9"),
    ] {
        suite.write(path, text.as_bytes());
        let document = suite.json(3, "art");
        assert_eq!(document["structures"][0]["verdict"], "unreadable", "{text:.60}");
        assert!(document["structures"][0]["message"].is_string());
    }
    assert!(suite.stdout(0, "art --update").contains("updated    "), "it is replaced");
    assert_eq!(suite.read(path), recorded.as_bytes());
    fs::remove_file(suite.path(path)).expect("can be removed");
    assert!(suite.stdout(3, "art").ends_with("; 1 character without structure.json\n"));
    assert_eq!(suite.json(3, "art")["summary"]["unrecorded"], 1);
    suite.stdout(0, "art --structure=off");
    suite.stdout(0, "art --update");
    assert_eq!(suite.read(path), recorded.as_bytes());
    // The file of an earlier version, with other content.
    suite.write(path, br#"{"schema": "pchr.structure/1", "setup": {}}"#);
    assert!(suite.stdout(3, "art").contains("`pchr test DIR --accept '**/structure.json'` writes it"));
    suite.stdout(0, "art --accept **/structure.json");
    assert_eq!(suite.read(path), recorded.as_bytes());
    // One that is the same within the tolerance stays as it is.
    let rounded = recorded.replacen("\"seconds\": 0.9", "\"seconds\": 0.9001", 1);
    assert_ne!(rounded, recorded);
    suite.write(path, rounded.as_bytes());
    suite.stdout(0, "art --update");
    assert_eq!(suite.read(path), rounded.as_bytes());
}

#[cfg(unix)]
#[test]
fn structures_are_not_written_through_links() {
    let suite = lamps(&["lamp"]);
    let path = suite.path("art/references/lamp/paper-lamp/structure.json");
    suite.write("other.json", b"mine");
    fs::remove_file(&path).expect("can be removed");
    std::os::unix::fs::symlink(suite.path("other.json"), &path).expect("a link");
    let output = suite.run("art --update");
    assert_ne!(output.status.code(), Some(0));
    assert_eq!(suite.read("other.json"), b"mine");
}

#[test]
fn one_picture_a_folder_or_all_are_accepted() {
    let suite = lamps(&["one", "two"]);
    for folder in ["one", "two"] {
        change(&suite, folder, turn_head);
    }
    let wrong = |suite: &Suite, args: &str| {
        let document: Value = serde_json::from_slice(&suite.run(args).stdout).expect("JSON");
        let summary = &document["summary"];
        (summary["different"].as_u64().unwrap_or(0), summary["structures"].as_u64().unwrap_or(0))
    };
    let (frames, structures) = wrong(&suite, "art --json");
    assert!(frames >= 2 && frames % 2 == 0 && structures == 2, "{frames} {structures}");
    let half = frames / 2;
    let first = suite.json(1, "art")["frames"]
        .as_array()
        .expect("frames")
        .iter()
        .find(|frame| frame["verdict"] == "different")
        .expect("a frame")["reference"]
        .as_str()
        .expect("text")
        .to_owned();
    assert_eq!(wrong(&suite, &format!("art --json --accept {first}")), (frames - 1, 2));
    assert_eq!(wrong(&suite, "art --json --accept one/paper-lamp/structure.json"), (frames - 1, 1));
    assert_eq!(wrong(&suite, "art --json --accept one"), (half, 1));
    assert_eq!(wrong(&suite, "art --json"), (half, 1));
    assert!(
        suite
            .stderr(2, "art --accept three")
            .contains("--accept: `three` matches no reference of a tested character")
    );
    assert_eq!(wrong(&suite, "art --json --accept *"), (0, 0));
    suite.stdout(0, "art");
    for line in ["art --allow-empty", "art --accept one --update", "--accept one --merge a.json"] {
        suite.stderr(2, line);
    }
    let output = suite.run_with("art --accept one", |command| {
        command.env("CI", "true");
    });
    assert_eq!(output.status.code(), Some(2), "not in continuous integration without --force");
}

#[test]
fn one_of_several_meshes_of_a_name_does_not_vanish_unnoticed() {
    let suite = Suite::empty();
    let mut file = crate::common::tiny();
    let twin = file.meshes[0].clone();
    file.meshes.push(twin);
    suite.write("art/one.pchr", &crate::common::v1::write(&file).expect("a valid file"));
    suite.stdout(0, "art --update");
    suite.stdout(0, "art");
    file.meshes.pop();
    suite.write("art/one.pchr", &crate::common::v1::write(&file).expect("a valid file"));
    let found = changes(&suite, 1);
    assert!(found.iter().any(|text| text.contains("no longer shows")), "{found:#?}");
}

#[test]
fn without_structure_the_area_is_fitted_again() {
    let suite = lamps(&["lamp"]);
    change(&suite, "lamp", |lamp| lamp["animations"]["hop"]["bones"]["base"]["translate"][1]["y"] = json!(400));
    suite.stdout(0, "art --structure=off --update");
    suite.stdout(0, "art --structure=off");
    assert!(changes(&suite, 1).iter().any(|text| text.starts_with("hop: reaches beyond its area")));
}

#[test]
fn accepting_a_frame_looks_at_the_whole_animation_and_at_all_shards() {
    let suite = lamps(&["lamp", "other"]);
    change(&suite, "lamp", |lamp| {
        let slots = lamp["slots"].as_array().expect("slots").clone();
        for slot in slots.iter().filter(|slot| slot["attachment"].is_string()) {
            let keys = json!([{ "name": null }, { "time": 1, "name": slot["attachment"] }]);
            lamp["animations"]["idle"]["slots"][slot["name"].as_str().expect("a name")] =
                json!({ "attachment": keys });
        }
    });
    // Nothing is visible in frame 0, and something later.
    let text = suite.stdout(1, "art --accept lamp/paper-lamp/idle-0000.png");
    assert!(text.contains("updated    art/references/lamp/paper-lamp/idle-0000.png"), "{text}");
    for shard in ["1/2", "2/2"] {
        let code = suite.run(&format!("art --accept lamp --shard {shard}")).status.code();
        assert_eq!(code, Some(0), "the pattern may be for the other shard");
    }
    // What other patterns accept is written, and the result is printed.
    change(&suite, "other", move_event);
    let output = suite.run("art --accept other --accept typo");
    assert_eq!(output.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&output.stdout).contains("updated    art/references/other/paper-lamp/structure")
    );
    suite.stdout(0, "art");
}

/// A change between the pictures is described with its time, and only the bone that has changed is named.
#[test]
fn changes_between_the_pictures_are_told_with_their_time() {
    let suite = lamps(&["lamp"]);
    change(&suite, "lamp", |lamp| lamp["animations"]["hop"]["bones"]["base"]["scale"][1]["y"] = json!(0.1));
    let found = changes(&suite, 1);
    assert!(found.contains(&"hop: bone `base` differs between 0 and 0.45 s".to_owned()), "{found:#?}");
    // It looks at the mouse. The rest only moves with the base.
    assert!(
        found.iter().all(|text| ["`base`", "`head`", "area"].iter().any(|part| text.contains(part))),
        "{found:#?}"
    );
    suite.stdout(0, "art --update");
    // Hidden for a moment.
    let keys = json!([{ "time": 0.5, "name": null }, { "time": 0.54, "name": "bulb" }]);
    change(&suite, "lamp", |lamp| lamp["animations"]["idle"]["slots"]["bulb"]["attachment"] = keys.clone());
    assert_eq!(changes(&suite, 1), ["idle: slot `bulb`: attachment differs between 0.5 and 0.75 s"]);
    suite.stdout(0, "art --update");
    let keys = json!([{ "time": 0.55, "offsets": [{ "slot": "base", "offset": 1 }] }, { "time": 0.6 }]);
    change(&suite, "lamp", |lamp| lamp["animations"]["idle"]["drawOrder"] = keys.clone());
    assert_eq!(changes(&suite, 1), ["idle: slots: draw order differs between 0.5 and 0.75 s"]);
    suite.stdout(0, "art --update");
    // A longer animation is the same up to its former end.
    change(&suite, "lamp", |lamp| lamp["animations"]["hop"]["events"][1]["time"] = json!(2.5));
    let found = changes(&suite, 3);
    assert_eq!(found[0], "hop: takes 2.5 s instead of 0.9 s");
    assert!(!found.iter().any(|text| text.contains("bone")), "{found:#?}");
}
