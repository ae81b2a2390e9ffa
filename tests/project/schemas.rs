//! The JSON Schemas: the files in `schema/` match the printed ones, the JSON output of the programs is valid
//! according to an independent validator, and broken documents are not.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common;
use crate::common::schema::Validator;
use crate::common::v1::write;
use crate::common::v1::{Animation, BoneTransform, File, Mesh};
use crate::common::{tiny, triangle, white};
use crate::pages::root;
use serde_json::{Value, json};

/// The schemas of character files.
const CHARACTERS: [&str; 2] = ["pchr.description/1", "pchr.pachario/1"];

/// Runs a program and returns its stdout and exit code.
fn run(program: &str, args: &[&str]) -> (String, i32) {
    let program = match program {
        "pchr" => crate::common::program::pchr_path(),
        _ => crate::common::program::view_path(),
    };
    let output = Command::new(program).current_dir(root()).args(args).output().expect("the program runs");
    (String::from_utf8(output.stdout).expect("UTF-8"), output.status.code().expect("an exit code"))
}

/// Returns the names of all schemas.
fn names() -> Vec<String> {
    let (list, code) = run("pchr", &["schema"]);
    assert_eq!(code, 0);
    list.lines().filter_map(|line| Some(line.split_whitespace().next()?.to_owned())).collect()
}

fn file_of(name: &str) -> PathBuf {
    root().join("schema").join(format!("{}.schema.json", name.replace('/', "-")))
}

fn schema(name: &str) -> Value {
    let (text, code) = run("pchr", &["schema", name]);
    assert_eq!(code, 0, "{name}");
    serde_json::from_str(&text).expect("a schema is JSON")
}

fn validator(name: &str) -> Validator {
    Validator::new(&schema(name))
}

#[test]
fn schema_files_match_the_printed_schemas() {
    let names = names();
    let mut expected = BTreeSet::new();
    for name in &names {
        let (printed, _) = run("pchr", &["schema", name]);
        let file = file_of(name);
        if std::env::var_os("PCHR_UPDATE").is_some() {
            fs::create_dir_all(root().join("schema")).expect("a folder");
            fs::write(&file, &printed).expect("can be written");
        }
        let found = fs::read_to_string(&file).unwrap_or_default();
        let shown = file.display();
        assert!(
            found == printed,
            "{shown}: update it with PCHR_UPDATE=1 cargo test --release --test project schemas"
        );
        expected.insert(file);
    }
    assert!(names.len() >= 3);
    let there: BTreeSet<PathBuf> = common::files_in(&root().join("schema"), "").into_iter().collect();
    assert_eq!(there, expected, "files without a schema, or schemas without a file");
}

#[test]
fn every_schema_has_an_id_and_all_its_properties_are_described() {
    for name in names() {
        let schema = schema(&name);
        assert_eq!(schema["$schema"], json!("https://json-schema.org/draft/2020-12/schema"));
        let file = file_of(&name);
        let file = file.file_name().expect("a name").to_string_lossy();
        assert!(
            schema["$id"].as_str().is_some_and(|id| id.starts_with("https://") && id.ends_with(&*file)),
            "{name}"
        );
        assert_eq!(schema["title"], json!(name));
        // Character files do not name their schema.
        if !CHARACTERS.contains(&&*name) {
            assert_eq!(schema["properties"]["schema"]["const"], json!(name));
        }
        let objects = check_objects(&schema, &name);
        // An error is one flat object; every other document has nested objects.
        assert!(objects >= if name == "pchr.error/1" { 1 } else { 2 }, "{name} has too few objects");
    }
}

/// Checks that every object is closed and described. Returns the number of objects.
fn check_objects(schema: &Value, place: &str) -> usize {
    let mut count = 0;
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        count += 1;
        assert_eq!(schema["additionalProperties"], json!(false), "{place} allows additional properties");
        assert!(schema["description"].is_string(), "{place} is not described");
        for (name, property) in properties {
            assert!(property["description"].is_string(), "{place}/{name} is not described");
        }
    }
    let below: Box<dyn Iterator<Item = (String, &Value)>> = match schema {
        Value::Object(object) => Box::new(object.iter().map(|(key, value)| (format!("{place}/{key}"), value))),
        Value::Array(items) => Box::new(items.iter().map(|item| (place.to_owned(), item))),
        _ => return count,
    };
    count + below.map(|(place, value)| check_objects(value, &place)).sum::<usize>()
}

/// Returns the output of `pchr diff --json` for two files.
fn diff(a: &str, b: &str) -> Value {
    let (text, code) = run("pchr", &["diff", "--json", "-q", "--keep-going", a, b]);
    assert!(code <= 1, "pchr diff {a} {b}");
    serde_json::from_str(&text).expect("JSON")
}

const KNIGHT: &str = "assets/paper-knight.pchr";
const SKELETON: &str = "tests/fixtures/spine-quirks/plain/input.json";

#[test]
fn the_output_of_diff_is_valid() {
    let validator = validator("pchr.diff/1");
    let mut keys = BTreeSet::new();
    let folders = common::files_in(&root().join("tests/fixtures/pchr"), "");
    let mut compared = 0;
    for folder in folders {
        let file = folder.join("input.pchr");
        let file = file.strip_prefix(root()).expect("below the root").to_string_lossy().into_owned();
        if run("pchr", &["diff", "-q", &file, &file]).1 != 0 {
            continue;
        }
        for other in [KNIGHT, "tests/fixtures/pchr/plain/input.pchr"] {
            let document = diff(&file, other);
            validator.assert_valid(&document);
            keys_of(&document, &mut keys);
            compared += 1;
        }
    }
    assert!(compared >= 20, "only {compared} pairs");
    let knight = diff(KNIGHT, KNIGHT);
    assert_eq!(knight["same"], json!(true));
    validator.assert_valid(&knight);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let paths = [odd_pair(false), odd_pair(true)].into_iter().enumerate().map(|(index, file)| {
        let path = folder.path().join(format!("{index}.pchr"));
        fs::write(&path, write(&file).expect("a valid file")).expect("can be written");
        path.to_string_lossy().into_owned()
    });
    let paths: Vec<String> = paths.collect();
    let document = diff(&paths[0], &paths[1]);
    validator.assert_valid(&document);
    keys_of(&document, &mut keys);
    // The second skeleton is slower, has other event payloads, and its skin lacks a bone.
    let skeleton = fs::read_to_string(root().join(SKELETON)).expect("a fixture");
    let changes = [
        ("\"time\": 1,", "\"time\": 2,"),
        ("\"name\": \"step\"}", "\"name\": \"step\", \"int\": 2}"),
        ("\"bones\": [\"hand\"], \"ik\"", "\"bones\": [], \"ik\""),
        ("\"path\": \"arm\"", "\"path\": \"arm\", \"x\": 5"),
    ];
    let other = changes.iter().fold(skeleton.clone(), |text, (from, to)| text.replace(from, to));
    let paths = [("one.json", skeleton), ("two.json", other)].map(|(name, text)| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("can be written");
        path.to_string_lossy().into_owned()
    });
    let document = diff(&paths[0], &paths[1]);
    validator.assert_valid(&document);
    keys_of(&document, &mut keys);
    // A timeline of a bone that does not exist is an error.
    let skeleton = fs::read_to_string(&paths[0]).expect("just written");
    let broken = folder.path().join("three.json").to_string_lossy().into_owned();
    fs::write(&broken, skeleton.replace("\"bones\": {", "\"bones\": {\"nobody\": {},")).expect("can be written");
    let document = diff(&paths[0], &broken);
    validator.assert_valid(&document);
    keys_of(&document, &mut keys);
    // A key of a binary skeleton; deformations, and more keys than are listed.
    let lamp = fs::read(root().join("assets/paper-lamp-4.2.skel")).expect("an asset");
    let mut moved = lamp.clone();
    let values = [1_f32, 0.0, -6.0].map(f32::to_be_bytes).concat();
    let key = moved.windows(values.len()).position(|bytes| bytes == values).expect("a key of its bone `hold`");
    moved[key + 8..key + 12].copy_from_slice(&9_f32.to_be_bytes());
    let [one, two] = [1, 2].map(|value| deformed(value).to_string().into_bytes());
    for files in [[("lamp.skel", lamp), ("moved.skel", moved)], [("deformed.json", one), ("other.json", two)]] {
        let [a, b] = files.map(|(name, bytes)| {
            let path = folder.path().join(name);
            fs::write(&path, bytes).expect("can be written");
            path.to_string_lossy().into_owned()
        });
        let document = diff(&a, &b);
        validator.assert_valid(&document);
        keys_of(&document, &mut keys);
    }
    // Every property of the schema has occurred.
    let mut named = BTreeSet::new();
    properties_of(&schema("pchr.diff/1"), &mut named);
    assert_eq!(keys, named);
}

/// A skeleton with a deformation, and more keys than a comparison lists, all by `value`.
fn deformed(value: u32) -> Value {
    let keys: Vec<Value> = (0..600).map(|time| json!({"time": time, "x": value})).collect();
    json!({
        "skeleton": {"spine": "4.2.22"},
        "bones": [{"name": "root"}],
        "slots": [{"name": "sail", "bone": "root", "attachment": "sail"}],
        "skins": [{"name": "default", "attachments": {"sail": {"sail": {
            "type": "mesh", "uvs": [0, 0, 1, 0, 1, 1], "triangles": [0, 1, 2], "vertices": [0, 0, 9, 0, 9, 9], "hull": 3,
        }}}}],
        "animations": {"wave": {
            "attachments": {"default": {"sail": {"sail": {"deform": [{"vertices": [value]}, {"time": 1}]}}}},
            "bones": {"root": {"translate": keys}},
        }},
    })
}

/// Two characters with differences that no pair of fixtures has.
fn odd_pair(second: bool) -> File {
    let mut file = tiny();
    let rest = vec![BoneTransform::default(); 2];
    let shown = BoneTransform { flags: if second { 0 } else { 1 }, ..BoneTransform::default() };
    let moved = if second { 5.0 } else { 0.0 };
    let mut corners = triangle(1);
    corners[0].x += moved;
    corners[1].u += moved;
    file.images[0] = white("atlas", if second { 2 } else { 1 }, 1);
    file.bones[1].parent = if second { -1 } else { 0 };
    // Two meshes follow a bone that is always visible; the third follows the bone that the second character lacks.
    file.meshes = ["flag", "banner"].map(|name| Mesh::new(name, 0, &triangle(0), &[0, 1, 2])).into();
    if second {
        file.meshes.reverse();
    }
    file.meshes.push(Mesh::new("pennant", 0, &corners, &[0, 1, 2]));
    file.animations = vec![
        Animation::new("bind", false, std::slice::from_ref(&rest)),
        Animation::new("wave", false, &[vec![BoneTransform::default(), shown]]),
        // A single frame with this name is the bind pose, two are a motion.
        Animation::new("rest", false, &vec![rest; if second { 2 } else { 1 }]),
    ];
    file
}

/// Collects the names of all properties of a schema.
fn properties_of(schema: &Value, names: &mut BTreeSet<String>) {
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        names.extend(properties.keys().cloned());
    }
    match schema {
        Value::Object(object) => object.values().for_each(|value| properties_of(value, names)),
        Value::Array(items) => items.iter().for_each(|item| properties_of(item, names)),
        _ => {}
    }
}

fn keys_of(value: &Value, keys: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => object.iter().for_each(|(key, value)| {
            keys.insert(key.clone());
            keys_of(value, keys);
        }),
        Value::Array(items) => items.iter().for_each(|item| keys_of(item, keys)),
        _ => {}
    }
}

#[test]
fn the_output_of_the_viewer_is_valid() {
    let renders = validator("pchr.render/1");
    let fixture = "tests/fixtures/pchr/vertex-weight-negative/input.pchr";
    for args in [
        vec!["--json", "--backend", "cpu", KNIGHT],
        vec!["--json", "--backend", "cpu", KNIGHT, "-a", "all", "-f", "0..3"],
        vec!["--json", "--backend", "cpu", KNIGHT, "-t", "0.3", "-q", fixture],
    ] {
        let (text, code) = run("pchr-view", &args);
        assert_eq!(code, 0, "{args:?}");
        renders.assert_valid(&serde_json::from_str(&text).expect("JSON"));
    }
    // With one file per picture.
    let folder = tempfile::tempdir().expect("a temporary folder");
    let target = folder.path().join("{frame}.png").to_string_lossy().into_owned();
    let (text, _) = run("pchr-view", &["--json", "--backend", "cpu", KNIGHT, "-f", "0..2", "-o", &target]);
    let document: Value = serde_json::from_str(&text).expect("JSON");
    renders.assert_valid(&document);
    assert!(document["renders"][0]["frames"][1]["file"].is_string());

    let (text, _) = run("pchr-view", &["--list-adapters", "--json"]);
    validator("pchr.adapters/1").assert_valid(&serde_json::from_str(&text).expect("JSON"));
}

/// A change that breaks a document.
type Damage = fn(&mut Value);

#[test]
fn broken_documents_are_not_valid() {
    let validator = validator("pchr.diff/1");
    let whole = diff(KNIGHT, "tests/fixtures/pchr/plain/input.pchr");
    validator.assert_valid(&whole);
    let breaks: [(&str, Damage); 7] = [
        ("another schema", |document| document["schema"] = json!("pchr.diff/2")),
        ("an additional property", |document| document["clock"] = json!("12:00")),
        ("an additional nested property", |document| document["bones"][0]["index"] = json!(1)),
        ("a missing property", |document| {
            document.as_object_mut().expect("an object").remove("same");
        }),
        ("text instead of a number", |document| document["frames"] = json!("4")),
        ("an unknown enum value", |document| document["bones"][0]["found_in"] = json!("c")),
        ("null instead of an absent property", |document| document["bones"][0]["parent"] = Value::Null),
    ];
    for (what, damage) in breaks {
        let mut broken = whole.clone();
        damage(&mut broken);
        validator.assert_invalid(&broken, what);
    }
}

#[test]
fn names_may_be_short_and_unknown_names_get_a_suggestion() {
    assert_eq!(schema("diff"), schema("pchr.diff/1"));
    let output = Command::new(crate::common::program::pchr_path())
        .args(["schema", "rendr"])
        .output()
        .expect("the program runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("did you mean `render`?"));
}

#[test]
fn the_output_of_inspect_is_valid() {
    let validator = validator("pchr.inspect/1");
    let inspect = |args: &[&str]| {
        let (text, code) = run("pchr", &[&["inspect", "--json", "-q"], args].concat());
        assert_eq!(code, 0, "{args:?}");
        serde_json::from_str::<Value>(&text).expect("JSON")
    };
    let everything = inspect(&[KNIGHT, SKELETON, "tests/fixtures/pchr/image-png-cut/input.pchr"]);
    validator.assert_valid(&everything);
    validator.assert_valid(&inspect(&[KNIGHT, "--only", "images,memory"]));
    let mut broken = everything;
    broken["files"][0]["bytes"] = json!(-1);
    validator.assert_invalid(&broken, "damaged");
}

#[test]
fn the_output_of_poses_is_valid() {
    let validator = validator("pchr.poses/1");
    let mut keys = BTreeSet::new();
    for file in [KNIGHT, SKELETON, "assets/paper-lamp-4.3.json"] {
        let what = "bones,slots,events,boxes";
        let (text, code) = run("pchr", &["poses", file, "-a", "all", "--what", what, "--json", "-q"]);
        assert_eq!(code, 0, "{file}");
        let document = serde_json::from_str::<Value>(&text).expect("JSON");
        validator.assert_valid(&document);
        keys_of(&document, &mut keys);
        let mut broken = document;
        broken["animations"][0]["poses"][0]["bones"][0]["matrix"] = json!([1.0]);
        validator.assert_invalid(&broken, file);
    }
    assert!(keys.contains("events") && keys.contains("bones"), "{keys:?}");
}

#[test]
fn the_output_of_keys_is_valid() {
    let validator = validator("pchr.keys/1");
    for file in [KNIGHT, SKELETON, "assets/paper-lamp-4.3.json", "assets/paper-lamp-4.2.skel"] {
        let (text, code) = run("pchr", &["keys", file, "--max", "20", "--json", "-q"]);
        assert_eq!(code, 0, "{file}");
        let document = serde_json::from_str::<Value>(&text).expect("JSON");
        validator.assert_valid(&document);
        let mut broken = document;
        if broken["keys"][0].is_object() {
            broken["keys"][0]["seconds"] = json!("late");
            validator.assert_invalid(&broken, file);
        }
    }
}

#[test]
fn the_output_of_validate_is_valid() {
    let validator = validator("pchr.validate/1");
    let args = ["validate", "--style", "json", KNIGHT, "tests/fixtures/pchr", "nothing.pchr"];
    let (text, code) = run("pchr", &args);
    assert_eq!(code, 3);
    let everything = serde_json::from_str::<Value>(&text).expect("JSON");
    validator.assert_valid(&everything);
    let verdicts: BTreeSet<_> =
        everything["files"].as_array().expect("files").iter().map(|file| file["verdict"].to_string()).collect();
    assert_eq!(verdicts.len(), 3, "{verdicts:?}");
    let mut broken = everything;
    broken["files"][0]["verdict"] = json!("fine");
    validator.assert_invalid(&broken, "damaged");
}

#[test]
fn the_files_of_unpack_and_convert_are_valid() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).display().to_string();
    let read = |name: &str| {
        serde_json::from_slice(&fs::read(folder.path().join(name)).expect("the written file")).expect("JSON")
    };
    // With all optional fields.
    let mut file = tiny();
    file.flags = 0x8000;
    file.animations[0].flags |= 2;
    file.animations[1] =
        Animation::new("wave", true, &[vec![BoneTransform { flags: 5, ..BoneTransform::default() }; 2]]);
    fs::write(folder.path().join("flags.pchr"), write(&file).expect("a valid file")).expect("can be written");
    for source in [KNIGHT.to_owned(), at("flags.pchr")] {
        assert_eq!(run("pchr", &["unpack", "-q", "--force", &source, "-o", &at("out")]).1, 0);
        let name = Path::new(&source).file_stem().expect("a name").to_string_lossy().into_owned();
        let description: Value = read(&format!("out/{name}.json"));
        validator("pchr.description/1").assert_valid(&description);
        let mut broken = description;
        broken["bones"][0]["parentIdx"] = json!(-1);
        validator("pchr.description/1").assert_invalid(&broken, "damaged");

        let pachario = format!("pachario/{name}.json");
        let args = [
            "convert",
            "-q",
            "--force",
            &source,
            "-o",
            &at(&pachario),
            "--to",
            "pachario",
            "--loss-report",
            &at("loss.json"),
        ];
        assert_eq!(run("pchr", &args).1, 0);
        let character: Value = read(&pachario);
        validator("pchr.pachario/1").assert_valid(&character);
        let loss: Value = read("loss.json");
        validator("pchr.loss/1").assert_valid(&loss);
        assert_eq!(loss["losses"].as_array().map(Vec::len), Some(usize::from(name == "flags")));
    }
}
