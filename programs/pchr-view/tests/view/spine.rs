//! The programs with Spine skeletons: all of our own rigs, and the examples if they are present.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use crate::common::{conformance, conformance_files, say};
use crate::quirks;
use crate::quirks::spine::{ATLAS, SKELETON, page};
use pchr::error::Place;
use pchr::formats::image::picture_size;
use serde_json::Value;
use tempfile::TempDir;

fn run(program: &str, arguments: &[&str]) -> Output {
    Command::new(program).args(arguments).output().expect("the program runs")
}

fn pchr(arguments: &[&str]) -> Output {
    run(crate::common::program::pchr_path(), arguments)
}

fn view(arguments: &[&str]) -> Output {
    run(env!("CARGO_BIN_EXE_pchr-view"), arguments)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).replace("\r\n", "\n")
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", text(&output.stderr)))
}

/// The skeleton of the quirk fixtures with its atlas and its page.
struct Hero {
    folder: TempDir,
}

impl Hero {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let hero = Self { folder };
        hero.write("hero.json", SKELETON.as_bytes());
        hero.write("hero.atlas", ATLAS.as_bytes());
        hero.write("page.png", &page());
        hero
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.folder.path().join(name), bytes).expect("a file that can be written");
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_string_lossy().into_owned()
    }
}

/// Returns every skeleton in `part` of the conformance files.
fn skeletons(part: &str) -> Vec<PathBuf> {
    let mut found = conformance_files(part, ".json");
    found.retain(|path| !path.to_string_lossy().ends_with(".golden.json"));
    found
}

/// Inspects, validates and renders each file. With `has_pictures`, no image may be missing.
fn works(files: &[PathBuf], has_pictures: bool) {
    let out = tempfile::tempdir().expect("a temporary folder");
    for file in files {
        let name = file.to_string_lossy();
        let inspected = json(&pchr(&["inspect", "--json", &name]));
        let report = &inspected["files"][0];
        let written: Value = serde_json::from_slice(&fs::read(file).expect("a file")).expect("JSON");
        let count = |key: &str| report[key].as_array().map(Vec::len);
        for key in ["bones", "slots", "skins"] {
            assert_eq!(count(key), written[key].as_array().map(Vec::len), "{name}: {key}");
        }
        let lists = ["ik", "transform", "path"].map(|key| written[key].as_array().map_or(0, Vec::len));
        assert_eq!(count("constraints"), Some(lists.iter().sum()), "{name}");
        assert_eq!(
            count("animations"),
            Some(written["animations"].as_object().map_or(0, |list| list.len())),
            "{name}"
        );
        assert_eq!(count("events"), Some(written["events"].as_object().map_or(0, |list| list.len())), "{name}");

        let mut arguments = vec!["validate", "--style", "json", &*name];
        if !has_pictures {
            arguments.extend(["--ignore", "missing-atlas", "--ignore", "missing-image"]);
        }
        let validated = pchr(&arguments);
        assert_eq!(validated.status.code(), Some(0), "{name}: {}", text(&validated.stdout));
        if has_pictures {
            let findings = &json(&validated)["files"][0]["findings"];
            let is_note = |finding: &Value| finding["severity"] == "note";
            assert!(findings.as_array().expect("a list").iter().all(is_note), "{name}: {findings}");
        }
        {
            let picture = out.path().join("{name}.png").to_string_lossy().into_owned();
            let skin =
                written["skins"].as_array().and_then(|skins| skins.last()?["name"].as_str().map(str::to_owned));
            let skin = skin.unwrap_or_else(|| "default".to_owned());
            let rendered = view(&[
                &name,
                "-o",
                &picture,
                "--skin",
                &skin,
                "-s",
                "64x64",
                "--backend",
                "cpu",
                "--force",
                "--json",
            ]);
            assert_eq!(rendered.status.code(), Some(0), "{name}: {}", text(&rendered.stderr));
            assert_eq!(json(&rendered)["renders"][0]["frames"].as_array().map(Vec::len), Some(1), "{name}");
        }
    }
    _ = out;
}

#[test]
fn every_fixture_is_inspected_validated_and_rendered() {
    let files = skeletons("spine/own");
    assert!(files.len() >= 28, "only {} fixtures", files.len());
    works(&files, false);
}

#[test]
fn conformance_every_example_is_inspected_validated_and_rendered() {
    let files = skeletons("spine/examples");
    say(&format!("spine in the programs: {} examples", files.len()));
    works(&files, true);
}

#[test]
fn inspect_describes_a_skeleton() {
    let hero = Hero::new();
    let message = text(&pchr(&["inspect", &hero.path("hero.json")]).stdout);
    for line in [
        "Spine skeleton (JSON)",
        "version 3.8.99, frames counted at 30 fps",
        "slots (4)",
        "on arm, shows arm",
        "mesh, 3 vertices, 2 influences, 1 triangle, image 0, slot arm",
        "clipping, 3 vertices, 1 influence, slot cut",
        "1 attachment, bones hand",
        "ik: arm, hand to goal",
        "path: goal to way",
        "events (1)",
        "30 frames, 1.000 s, loops, 1 event",
        "4×4 png",
    ] {
        assert!(message.contains(line), "`{line}` is missing:\n{message}");
    }
    let only = text(&pchr(&["inspect", "--only", "skins,events", &hero.path("hero.json")]).stdout);
    assert!(only.contains("skins (2)") && only.contains("events (1)") && !only.contains("bones (4)"), "{only}");
}

#[test]
fn validate_reports_errors_in_the_atlas() {
    let hero = Hero::new();
    hero.write("hero.atlas", ATLAS.replace("bounds: 1, 1, 2, 2", "bounds: 1, 1, two, 2").as_bytes());
    let validated = pchr(&["validate", &hero.path("hero.json")]);
    let message = text(&validated.stdout);
    assert_eq!(validated.status.code(), Some(1), "{message}");
    assert!(message.contains("invalid value `1, 1, two, 2` of `bounds`"), "{message}");
    assert!(message.contains(&format!("--> {}:6:1", hero.path("hero.atlas"))), "{message}");
    assert!(message.contains(&format!("note: read for {}", hero.path("hero.json"))), "{message}");
    let finding = json(&pchr(&["validate", "--json", &hero.path("hero.json")]))["files"][0]["findings"][0].clone();
    assert_eq!(finding["other_file"].as_str(), Some(&*hero.path("hero.atlas")), "{finding}");
    assert_eq!((&finding["line"], &finding["column"]), (&6.into(), &1.into()), "{finding}");
    let run = |style: &str| {
        let mut command = Command::new(crate::common::program::pchr_path());
        command.current_dir(hero.folder.path()).args(["validate", "hero.json", "--style", style]);
        text(&command.output().expect("the program runs").stdout)
    };
    assert!(run("github").starts_with("::error file=hero.atlas,line=6,col=1,"), "{}", run("github"));
    let sarif: Value = serde_json::from_str(&run("sarif")).expect("JSON");
    let location = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(location["artifactLocation"]["uri"], "hero.atlas");
    assert_eq!(location["region"]["startLine"], 6);
    // An atlas that is named on the command line keeps its name.
    let (atlas, skeleton) = (hero.path("hero.atlas"), hero.path("hero.json"));
    let message = text(&pchr(&["validate", &skeleton, "--atlas", &atlas]).stdout);
    assert!(message.contains(&format!("--> {atlas}:6:1")), "{message}");
    // A folder with a skeleton contains a character.
    let hero = Hero::new();
    let validated = pchr(&["validate", "--deny", "warnings", &hero.folder.path().to_string_lossy()]);
    assert_eq!(validated.status.code(), Some(0), "{}", text(&validated.stdout));
}

#[test]
fn diff_reports_names_constraints_skins_events_and_poses() {
    let hero = Hero::new();
    let same = pchr(&["diff", &hero.path("hero.json"), &hero.path("hero.json")]);
    assert_eq!(same.status.code(), Some(0), "{}", text(&same.stdout));
    let changed = |from: &str, to: &str| {
        assert_eq!(SKELETON.matches(from).count(), 1, "{from}");
        hero.write("other.json", SKELETON.replace(from, to).as_bytes());
        hero.write("other.atlas", ATLAS.as_bytes());
        let differs = pchr(&["diff", &hero.path("hero.json"), &hero.path("other.json")]);
        assert_eq!(differs.status.code(), Some(1), "{from}: {}", text(&differs.stdout));
        text(&differs.stdout)
    };
    for (from, to, line) in [
        (
            "\"target\": \"goal\"}],\n  \"transform\"",
            "\"target\": \"root\"}],\n  \"transform\"",
            "target: goal → root",
        ),
        ("\"bones\": [\"hand\"], \"ik\"", "\"bones\": [], \"ik\"", "bones: hand → none of its own"),
        ("{\"int\": 1}", "{\"int\": 2}", "int: 1 → 2"),
        ("{\"time\": 0.5, \"name\": \"step\"}", "{\"time\": 0.6, \"name\": \"step\"}", "at 0.5000 s → step"),
        ("\"angle\": 30", "\"angle\": 31", "bones: up to"),
        ("{\"vertices\": [1, 0]}", "{\"vertices\": [2, 0]}", "vertices: up to 1 units, vertex 0"),
        (
            "\"name\": \"goal\", \"parent\": \"root\", \"x\": 12",
            "\"name\": \"goal\", \"parent\": \"root\", \"x\": 13",
            "poses",
        ),
        ("\"dark\": \"102030\"", "\"dark\": \"102031\"", "dark colour"),
    ] {
        let message = changed(from, to);
        assert!(message.contains(line), "`{line}` is missing for {from}:\n{message}");
    }
}

#[test]
fn fps_sets_the_rate_of_keyed_motion() {
    let hero = Hero::new();
    let frames = |arguments: &[&str]| {
        let file = hero.path("hero.json");
        let rendered = view(&[&[&*file, "--json", "-f", "all"], arguments].concat());
        assert_eq!(rendered.status.code(), Some(0), "{}", text(&rendered.stderr));
        let frames = json(&rendered)["renders"][0]["frames"].as_array().expect("a list").clone();
        (frames.len(), frames.last().expect("a frame")["seconds"].as_f64().expect("a number"))
    };
    assert_eq!(frames(&[]), (30, 29.0 / 30.0));
    assert_eq!(frames(&["--fps", "10"]), (10, 0.9));
    assert_eq!(frames(&["--fps", "0.1"]).0, 1);
    let skeleton = SKELETON.replace("\"hash\": \"quirk\"", "\"fps\": 12");
    hero.write("hero.json", skeleton.as_bytes());
    assert_eq!(frames(&[]).0, 12);
    assert_eq!(frames(&["--fps", "24"]).0, 24);
    let knight = crate::common::root().join("assets/paper-knight.pchr");
    let refused = view(&[&knight.to_string_lossy(), "--json", "--fps", "10"]);
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused.stderr));
}

#[test]
fn skins_and_the_atlas_are_chosen_by_name() {
    let hero = Hero::new();
    let file = hero.path("hero.json");
    let unknown = view(&[&file, "--json", "--skin", "glov"]);
    assert_eq!(unknown.status.code(), Some(2));
    let message = text(&unknown.stderr);
    assert!(message.contains("no skin named `glov`") && message.contains("did you mean `glove`?"), "{message}");
    let missing = view(&[&file, "--json", "--atlas", &hero.path("none.atlas")]);
    assert_eq!(missing.status.code(), Some(3), "{}", text(&missing.stderr));
    assert!(text(&missing.stderr).contains("none.atlas"));
    fs::remove_file(hero.path("hero.atlas")).expect("an existing file");
    let without = view(&[&file, "--json"]);
    assert_eq!(without.status.code(), Some(0));
    assert!(text(&without.stderr).contains("there is no atlas next to the file"), "{}", text(&without.stderr));
    hero.write("far.atlas", ATLAS.as_bytes());
    hero.write("near.atlas", b"none.png\n");
    let found = view(&[&file, "--json", "--skin", "glove", "--skin", "#1", "--atlas", &hero.path("far.atlas")]);
    assert_eq!((found.status.code(), text(&found.stderr)), (Some(0), String::new()));
}

/// The skeleton of the quirk fixtures with an empty default skin, and everything in one skin named `only`.
fn in_one_skin() -> String {
    let mut json: Value = serde_json::from_str(SKELETON).expect("JSON");
    let mut only = json["skins"][0].clone();
    only["name"] = "only".into();
    only["attachments"]["arm"]["sleeve"]["skin"] = "only".into();
    json["skins"] = serde_json::json!([{"name": "default", "attachments": {}}, only]);
    let deform = json["animations"]["wave"]["deform"]["default"].take();
    json["animations"]["wave"]["deform"] = serde_json::json!({"only": deform});
    json["slots"][2].as_object_mut().expect("a slot").remove("dark");
    json.to_string()
}

#[test]
fn the_only_skin_is_applied() {
    let hero = Hero::new();
    let file = hero.path("hero.json");
    hero.write("hero.json", in_one_skin().as_bytes());
    let picture = |name: &str, arguments: &[&str]| {
        let output = hero.path(name);
        let message =
            view(&[&[&*file, "-o", &output, "--backend", "cpu", "--fit=-9,-9,30,30"], arguments].concat());
        assert!(message.status.success(), "{}", text(&message.stderr));
        (fs::read(output).expect("a picture"), text(&message.stderr))
    };
    let (worn, message) = picture("worn.png", &[]);
    assert!(message.contains("note: ") && message.contains("skin `only`; without: `--skin none`"), "{message}");
    let (chosen, message) = picture("chosen.png", &["--skin", "only"]);
    assert!(chosen == worn && !message.contains("skin"), "{message}");
    for off in ["none", "default"] {
        let (bare, message) = picture(&format!("{off}.png"), &["--skin", off]);
        assert!(
            bare != worn && message.contains("nothing is visible") && !message.contains("skin `only`;"),
            "{message}"
        );
    }
    // The library itself applies no skin by default.
    let character = pchr::Character::open(&file).expect("a valid file");
    let (mut pose, mut matrices) = (pchr::pose::Pose::default(), Vec::new());
    pchr::motion::evaluate(&character, &pchr::motion::Cue::default(), &mut pose);
    pchr::pose::palette(character.model(), &pose, &mut matrices);
    assert!(pchr::pose::bounds(character.model(), &pose, &matrices).is_empty());
    // No note for files without such a choice.
    hero.write("hero.json", SKELETON.as_bytes());
    let (_, message) = picture("plain.png", &[]);
    assert!(!message.contains("skin"), "{message}");
}

#[test]
fn missing_regions_are_hidden_or_boxes() {
    let hero = Hero::new();
    let (file, picture) = (hero.path("hero.json"), hero.path("hero.png"));
    let sizes = |atlas: &str| {
        hero.write("hero.atlas", atlas.as_bytes());
        [&[][..], &["--missing", "hide"], &["--missing", "box"]].map(|missing| {
            let output = view(&[&[&*file, "-o", &picture, "--force", "--backend", "cpu"], missing].concat());
            assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
            picture_size(&fs::read(&picture).expect("it was written"), Place::default).expect("a picture")
        })
    };
    let [whole, hidden, boxes] = sizes(ATLAS);
    assert_eq!((hidden, boxes), (whole, whole), "nothing is missing");
    let [usual, hidden, boxes] = sizes(&ATLAS.replace("\nsleeve\n", "\nleg\n"));
    assert_eq!((usual, boxes), (hidden, whole));
    assert_ne!(hidden, boxes, "the visible area ends with what is shown");
}

#[test]
fn the_only_skin_is_baked_with_a_note() {
    let hero = Hero::new();
    let file = hero.path("hero.json");
    hero.write("hero.json", in_one_skin().as_bytes());
    let convert = |name: &str, arguments: &[&str]| {
        let output = hero.path(name);
        let message = pchr(&[&["convert", &*file, "-o", &output], arguments].concat());
        (
            json(&pchr(&["inspect", "--json", &output]))["files"][0]["meshes"].as_array().map(Vec::len),
            text(&message.stderr),
        )
    };
    let (meshes, message) = convert("worn.pchr", &[]);
    assert!(
        meshes == Some(3) && message.contains("skin `only`; without") && !message.contains("skins-dropped"),
        "{message}"
    );
    let (meshes, message) = convert("bare.pchr", &["--skin", "none"]);
    assert!(meshes == Some(0) && message.contains("skins-dropped"), "{message}");
    let report = json(&pchr(&["inspect", "--json", &file]));
    let worn: Vec<&Value> =
        report["files"][0]["skins"].as_array().expect("skins").iter().map(|it| &it["worn"]).collect();
    assert_eq!(worn, [true, true]);
    assert!(report["files"][0]["bounds"].is_array(), "{report}");
    assert!(text(&pchr(&["inspect", &file]).stdout).contains("only     5 attachments, worn\n"));
    // With several skins, none is chosen.
    hero.write(
        "hero.json",
        SKELETON.replace("\"default\", \"attachments\"", "\"plain\", \"attachments\"").as_bytes(),
    );
    let message = text(&pchr(&["inspect", &file]).stdout);
    assert!(!message.contains("worn"), "{message}");
}

#[test]
fn other_formats_are_named_in_errors() {
    let hero = Hero::new();
    let message = |name: &str, bytes: &[u8], command: &str| {
        hero.write(name, bytes);
        let output = pchr(&[command, &hero.path(name)]);
        assert_eq!(output.status.code(), Some(3), "{name}: {}", text(&output.stderr));
        text(&output.stderr)
    };
    let dragon = br#"{"frameRate":24,"name":"Dragon","version":"5.5","armature":[{"type":"Armature"}]}"#;
    for command in ["inspect", "validate"] {
        for (name, bytes, expected) in [
            ("Dragon_ske.json", &dragon[..], ["dragonbones", "DragonBones 5.5 JSON", "db2 -t spine"]),
            (
                "Dragon_tex.json",
                br#"{"name":"Dragon","imagePath":"Dragon_tex.png","SubTexture":[]}"#,
                ["dragonbones", "DragonBones texture atlas JSON", "db2 -t spine"],
            ),
            ("Dragon_ske.dbbin", b"DBDT\x01\0\0\0", ["dragonbones", "DragonBones binary data", "db2 -t spine"]),
            ("hero.spine", b"\x78\x9c\x01\x02", ["spine-project", "Spine project", "export it as JSON"]),
            (
                "old.skel",
                b"\0\x071.9.08\0\0",
                ["spine-binary", "binary skeleton of Spine 1.9.08", "export it as JSON"],
            ),
            (
                "older.skel",
                b"\x01\x02\x03",
                ["spine-binary", "binary Spine skeleton", "export the skeleton again"],
            ),
            ("hero.pchr", quirks::spine::LFS_POINTER, ["git-lfs-pointer", "Git LFS pointer", "git lfs pull"]),
        ] {
            // The finding of a binary skeleton is about the whole file.
            if command == "validate" && name == "old.skel" {
                continue;
            }
            let message = message(name, bytes, command);
            assert!(expected.iter().all(|part| message.contains(part)), "{message}");
        }
    }
    // The format is detected from the content, not the name.
    hero.write("hero.skel", SKELETON.as_bytes());
    assert!(pchr(&["inspect", &hero.path("hero.skel")]).status.success());
    let packed = pchr(&["pack", &hero.path("Dragon_ske.json"), "-o", &hero.path("x.pchr")]);
    assert!(text(&packed.stderr).contains("DragonBones"), "{}", text(&packed.stderr));
}

/// Our binary skeleton of 4.2 with every part of the format.
const BINARY: &[u8] = include_bytes!("../../../../tests/fixtures/skel/4.2/all.full.skel");

#[test]
fn binary_skeletons_are_found_inspected_and_validated() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let write = |name: &str, bytes: &[u8]| fs::write(path(name), bytes).expect("a file that can be written");
    for name in ["hero.skel", "unity.skel.bytes", "text.skel.txt", "both.skel"] {
        write(name, BINARY);
    }
    // Exports often have both forms of a character.
    write("both.json", SKELETON.as_bytes());
    // JSON under the name of a binary, and files that are neither.
    write("json.skel", SKELETON.as_bytes());
    write("notes.txt", b"skel");
    write("other.bytes", BINARY);
    // Unity's names: the atlas is found and belongs to the skeleton.
    write("unity.atlas.txt", b"page.png\nsize: 4, 4\ntorso0\nbounds: 0, 0, 4, 4\n");
    let whole = folder.path().to_string_lossy().into_owned();
    let found = json(&pchr(&["inspect", &whole, "--json"]));
    let found = found["files"].as_array().expect("files");
    let mut names: Vec<&str> = found
        .iter()
        .map(|file| file["file"].as_str().and_then(|path| path.rsplit('/').next()).expect("a path"))
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["both.json", "hero.skel", "json.skel", "text.skel.txt", "unity.skel.bytes"]);
    write("page.png", &page());
    let message = text(&pchr(&["inspect", &path("unity.skel.bytes")]).stderr);
    assert!(message.contains("the atlas is `unity.atlas.txt`"), "{message}");

    // Findings of the reader and of later checks have byte offsets.
    let mut broken = BINARY.to_vec();
    let at = broken.windows(6).position(|window| window == b"\x06reach").expect("a constraint") + 8;
    broken[at] = 6;
    write("broken.skel", &broken);
    let output = text(&pchr(&["validate", &path("broken.skel")]).stdout);
    assert!(output.contains("constraint-bones") && output.contains(&format!("byte {}", at + 1)), "{output}");
    broken[at] = 99;
    write("broken.skel", &broken);
    let output = text(&pchr(&["validate", &path("broken.skel")]).stdout);
    assert!(output.contains("missing-name") && output.contains(&format!("byte {at}")), "{output}");
}

#[test]
fn binary_skeletons_are_rendered_as_json_is() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    fs::write(path("a.skel"), BINARY).expect("a file that can be written");
    fs::write(path("b.json"), include_bytes!("../../../../tests/fixtures/skel/4.2/all.json"))
        .expect("a file that can be written");
    let pictures = ["a.skel", "b.json"].map(|name| {
        let picture = path(&format!("{name}.png"));
        let output = view(&[&path(name), "-o", &picture, "-f", "7", "--size", "64"]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        fs::read(picture).expect("a picture")
    });
    assert!(pictures[0] == pictures[1], "the pictures differ");
}

#[test]
fn git_lfs_pointers_are_reported() {
    let hero = Hero::new();
    for name in ["page.png", "hero.atlas"] {
        hero.write(name, quirks::spine::LFS_POINTER);
        let message = text(&pchr(&["inspect", &hero.path("hero.json")]).stderr);
        assert!(message.contains(name) && message.contains("`git lfs pull` fetches it"), "{message}");
    }
    hero.write("far.atlas", quirks::spine::LFS_POINTER);
    let message = pchr(&["inspect", &hero.path("hero.json"), "--atlas", &hero.path("far.atlas")]);
    assert!(text(&message.stderr).contains("far.atlas: this is a Git LFS pointer"), "{}", text(&message.stderr));
}

#[test]
fn input_files_are_never_overwritten() {
    let hero = Hero::new();
    let path = hero.path("hero.json");
    let other = hero.path("other.json");
    // A sheet is written with its image.
    for (output, format) in
        [("page.png", "png"), ("page.png", "apng"), ("hero.atlas", "png"), ("page.json", "sheet")]
    {
        let output = hero.path(output);
        let message = view(&[&path, "-o", &output, "--format", format, "--force", "--backend", "cpu"]);
        assert_eq!(message.status.code(), Some(2), "{output}: {}", text(&message.stderr));
        assert!(text(&message.stderr).contains("is an input file"), "{}", text(&message.stderr));
    }
    let message = view(&[&path, "-o", &other, "--format", "sheet", "--force", "--backend", "cpu"]);
    assert!(message.status.success(), "{}", text(&message.stderr));
    assert_eq!(fs::read(hero.path("page.png")).expect("the page"), page());
    assert_eq!(fs::read(hero.path("hero.atlas")).expect("the atlas"), ATLAS.as_bytes());
}

#[test]
fn an_atlas_elsewhere_is_reported_once_and_never_overwritten() {
    let hero = Hero::new();
    fs::create_dir(hero.folder.path().join("it")).expect("a new folder");
    fs::create_dir(hero.folder.path().join("atlas")).expect("a new folder");
    for (from, to) in
        [("hero.json", "it/hero-pro.json"), ("hero.atlas", "atlas/hero.atlas.txt"), ("page.png", "atlas/page.png")]
    {
        fs::rename(hero.path(from), hero.path(to)).expect("an existing file");
    }
    let path = hero.path("it/hero-pro.json");
    let out = hero.path("out.png");
    let drawn = view(&[&path, "-o", &out, "--backend", "cpu"]);
    let message = text(&drawn.stderr);
    assert!(drawn.status.success(), "{message}");
    let about_atlas = message.lines().filter(|line| line.contains("atlas"));
    assert_eq!(about_atlas.count(), 1, "{message}");
    assert!(
        message.contains("hero-pro.json: the atlas is `../atlas/hero.atlas.txt`: it has 3 of the 3 regions"),
        "{message}"
    );
    assert!(text(&pchr(&["inspect", &path]).stderr).contains("../atlas/hero.atlas.txt"));
    assert!(view(&[&path, "-q", "-o", &out, "--force", "--backend", "cpu"]).stderr.is_empty());
    for source in ["atlas/page.png", "atlas/hero.atlas.txt"] {
        let source = hero.path(source);
        let refused = view(&[&path, "-o", &source, "--format", "png", "--force", "--backend", "cpu"]);
        assert_eq!(refused.status.code(), Some(2), "{}", text(&refused.stderr));
        assert!(text(&refused.stderr).contains("is an input file"), "{}", text(&refused.stderr));
    }
    assert_eq!(fs::read(hero.path("atlas/page.png")).expect("the page"), page());
    // Files that standard input refers to are inputs too.
    let atlas = hero.path("atlas/hero.atlas.txt");
    let arguments = ["-", "--atlas", &atlas, "-o", &hero.path("atlas/page.png"), "--force", "--backend", "cpu"];
    let skeleton = fs::File::open(&path).expect("an existing file");
    let mut program = Command::new(env!("CARGO_BIN_EXE_pchr-view"));
    let refused = program.args(arguments).stdin(skeleton).output().expect("the program runs");
    assert!(text(&refused.stderr).contains("is an input file"), "{}", text(&refused.stderr));
}

#[test]
fn a_panicking_decoder_is_an_error_of_the_file() {
    let Some(folder) = conformance("hostile/png-plte-panic") else { return };
    let out = tempfile::tempdir().expect("a temporary folder");
    let (file, out) = (folder.join("bomb.png"), out.path().join("o.png"));
    let refused =
        view(&["--grid", "1x1", &file.to_string_lossy(), "-o", &out.to_string_lossy(), "--backend", "cpu"]);
    let message = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(3), "{message}");
    assert!(message.contains("bad-png") && !message.contains("panicked") && !message.contains("bug"), "{message}");
}

#[test]
fn an_image_of_several_pages_is_decoded_once() {
    let hero = Hero::new();
    let again = ATLAS.replace("\narm\n", "\nanother arm\n");
    hero.write("hero.atlas", format!("{ATLAS}\n{again}").as_bytes());
    let character = pchr::Character::open(hero.path("hero.json")).expect("a valid file");
    assert_eq!(character.model().pages().len(), 1);
}
