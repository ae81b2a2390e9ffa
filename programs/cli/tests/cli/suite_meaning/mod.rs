//! `pchr test` is asked whether characters are unchanged: it finds every change of meaning, wherever it is stored, and no
//! change in a new export that means the same.
//!
//! `PCHR_SUITE_CHANGES` sets the number of changes for each character, for a longer run by hand.

mod json;
mod knight;
mod puppet;
mod sheet;
mod stored;

use std::fs;

use serde_json::Value;

use crate::common::random::Random;
use crate::common::suite_folder::Suite;

/// Number of changes of each character.
const CHANGES: u64 = 60;

/// A kind of change at a random place. Returns what was done, or `None` if there is no such place.
type Change<T> = fn(&mut T, &mut Random) -> Option<String>;

/// Makes one of the changes; another one if it is not possible.
fn make<T>(of: &mut T, changes: &[Change<T>], random: &mut Random) -> String {
    for _ in 0..1000 {
        if let Some(done) = changes[random.below(changes.len())](of, random) {
            return done;
        }
    }
    panic!("no change is possible")
}

fn asset(name: &str) -> Vec<u8> {
    fs::read(crate::common::root().join("assets").join(name)).expect("an asset")
}

/// A suite of all characters, each in a folder, with references.
fn suite() -> Suite {
    let suite = Suite::empty();
    for folder in ["lamp", "stored"] {
        for extension in ["json", "atlas", "png"] {
            suite.write(&format!("art/{folder}/lamp.{extension}"), &lamp_file("paper-lamp", extension));
        }
    }
    for version in ["4.2", "4.3"] {
        for extension in ["json", "atlas", "png"] {
            let name = format!("art/lamp-{version}/lamp.{extension}");
            suite.write(&name, &lamp_file(&format!("paper-lamp-{version}"), extension));
        }
        // The second page of both.
        suite.write(&format!("art/lamp-{version}/paper-lamp-4.2.png"), &asset("paper-lamp-4.2.png"));
    }
    suite.write("art/knight/knight.pchr", &asset("paper-knight.pchr"));
    suite.write("art/puppet/puppet.skf", puppet::FILE);
    for (name, bytes) in sheet::files() {
        suite.write(&format!("art/sheet/{name}"), &bytes);
    }
    suite.settings("size = 48");
    suite.stdout(0, "art --update");
    suite.stdout(0, "art");
    suite
}

/// The pages of all versions have one name in their atlases.
fn lamp_file(name: &str, extension: &str) -> Vec<u8> {
    let name = if extension == "png" { "paper-lamp" } else { name };
    let bytes = asset(&format!("{name}.{extension}"));
    if extension != "atlas" {
        return bytes;
    }
    String::from_utf8(bytes).expect("UTF-8").replace("paper-lamp.png", "lamp.png").into_bytes()
}

/// The folders in which the test found anything.
fn red(document: &Value) -> Vec<String> {
    let list = |key: &str| document[key].as_array().cloned().unwrap_or_default();
    let frames = list("frames").into_iter().filter(|frame| frame["verdict"] != "same");
    let found = frames.chain(list("structures")).chain(list("failures")).chain(list("unused"));
    let path = |found: Value| {
        let path = found["character"].as_str().or(found.as_str()).expect("a path").to_owned();
        let path = path.trim_start_matches("art/").trim_start_matches("references/");
        path.split('/').next().expect("a folder").to_owned()
    };
    let mut folders: Vec<String> = found.map(path).collect();
    folders.sort();
    folders.dedup();
    folders
}

#[test]
fn every_change_of_meaning_is_found() {
    let count = std::env::var("PCHR_SUITE_CHANGES").map_or(CHANGES, |count| count.parse().expect("a number"));
    let suite = suite();
    let before: Vec<(String, Vec<u8>)> = suite
        .files("art")
        .into_iter()
        .map(|name| format!("art/{name}"))
        .map(|name| (name.clone(), suite.read(&name)))
        .collect();
    let original = |name: &str| before.iter().find(|(known, _)| known == name).expect("a file").1.clone();
    let mut missed = Vec::new();
    for seed in 0..count {
        let mut random = Random(seed);
        let mut done = vec![
            ("knight", knight::change(&suite, &original("art/knight/knight.pchr"), &mut random)),
            ("puppet", puppet::change(&suite, &mut random)),
            ("sheet", sheet::change(&suite, &mut random)),
            ("stored", stored::change(&suite, &mut random)),
        ];
        for lamp in ["lamp", "lamp-4.2", "lamp-4.3"] {
            let mut value = serde_json::from_slice(&original(&format!("art/{lamp}/lamp.json"))).expect("JSON");
            done.push((lamp, make(&mut value, json::CHANGES, &mut random)));
            suite.write(&format!("art/{lamp}/lamp.json"), &serde_json::to_vec(&value).expect("JSON"));
        }
        let output = suite.run("art --json");
        let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_ne!(output.status.code(), Some(0), "seed {seed}");
        let red = red(&document);
        missed.extend(
            done.iter()
                .filter(|(folder, _)| !red.iter().any(|found| found == folder))
                .map(|(folder, done)| format!("seed {seed}: {folder}: {done}")),
        );
        let _ = fs::remove_dir_all(suite.path("art"));
        before.iter().for_each(|(name, bytes)| suite.write(name, bytes));
    }
    suite.stdout(0, "art");
    assert!(missed.is_empty(), "{} of {} changes are green:\n{}", missed.len(), 7 * count, missed.join("\n"));
}

#[test]
fn exports_that_mean_the_same_are_green() {
    let suite = suite();
    let lamps = ["lamp", "lamp-4.2", "lamp-4.3"];
    let each_lamp = |change: fn(&mut Value)| {
        for lamp in lamps {
            let mut value =
                serde_json::from_slice(&lamp_file(&lamp.replace("lamp", "paper-lamp"), "json")).expect("JSON");
            change(&mut value);
            suite.write(&format!("art/{lamp}/lamp.json"), &serde_json::to_vec_pretty(&value).expect("JSON"));
        }
    };
    let check = |what: &str| {
        let text = suite.run("art");
        assert_eq!(text.status.code(), Some(0), "{what}: {}", String::from_utf8_lossy(&text.stdout));
    };
    // The keys of objects are sorted, and everything is indented.
    each_lamp(|_| ());
    check("other layout");
    each_lamp(json::insert_keys);
    check("redundant keys");
    each_lamp(json::round);
    // A point that moves by a hundred-thousandth changes a pixel by a level or two. Structures have no such setting.
    suite.settings("size = 48\ntolerance = 2");
    check("rounded numbers");
    suite.settings("size = 48");
    each_lamp(json::state_defaults);
    check("defaults that are stated");
    for lamp in lamps {
        let [atlas, png] =
            ["atlas", "png"].map(|extension| lamp_file(&lamp.replace("lamp", "paper-lamp"), extension));
        let (atlas, png) = json::packed_otherwise(&String::from_utf8(atlas).expect("UTF-8"), &png);
        suite.write(&format!("art/{lamp}/lamp.atlas"), atlas.as_bytes());
        suite.write(&format!("art/{lamp}/lamp.png"), &png);
    }
    check("another atlas");
    suite.write("art/lamp-4.2/lamp.skel", &asset("paper-lamp-4.2.skel"));
    fs::remove_file(suite.path("art/lamp-4.2/lamp.json")).expect("can be removed");
    check("binary");
    suite.write("art/knight/knight.pchr", &knight::rounded(&asset("paper-knight.pchr")));
    suite.settings("size = 48\ntolerance = 2");
    check("rounded frames");
    suite.write("art/puppet/puppet.skf", &puppet::written(&puppet::with_redundant_keys()));
    check("redundant keys of SkelForm");
    for (name, bytes) in sheet::packed_otherwise() {
        suite.write(&format!("art/sheet/{name}"), &bytes);
    }
    check("another sheet");
    suite.write("art/sheet/sheet.json", &sheet::as_array(&suite.read("art/sheet/sheet.json")));
    check("frames in an array");
}
