//! `pchr inspect` through the binary: reports on each format, and errors.

use std::fs;
use std::process::{Command, Output, Stdio};

use crate::common::schema::Validator;
use crate::common::tiny;
use crate::common::v1::write;
use pchr::Character;
use pchr::model::{Attachment, Vertices};
use pchr::pose::SkinMatrix;
use serde_json::{Value, json};

const KNIGHT: &str = "assets/paper-knight.pchr";
const LISTS: &str = "tests/fixtures/pchr-json/pachario-five-influences/input.json";
const WITHOUT_IMAGE: &str = "tests/fixtures/pchr-json/pachario-image-out-of-range/input.json";

fn inspect(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pchr"));
    command.current_dir(crate::common::root()).arg("inspect").args(args).stdin(Stdio::null());
    command.output().expect("the program runs")
}

/// Returns the report on a single file.
#[track_caller]
fn report(args: &[&str]) -> Value {
    let output = inspect(&[&["--json"], args].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut value: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(value["files"].as_array().map(Vec::len), Some(1));
    value["files"][0].take()
}

fn sum(object: &Value) -> u64 {
    object.as_object().expect("an object").values().map(|number| number.as_u64().expect("a number")).sum()
}

#[test]
fn the_knight_is_described() {
    let output = inspect(&[KNIGHT]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success());
    for part in ["1024×1024", "bones", "walk", "loops", "bind pose", "not read or validated"] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
}

#[test]
fn a_missing_file_is_an_input_error() {
    let output = inspect(&["nothing.pchr"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("nothing.pchr"));
}

#[test]
fn every_byte_is_in_a_section() {
    let knight = report(&[KNIGHT]);
    let len = fs::metadata(crate::common::root().join(KNIGHT)).unwrap().len();
    assert_eq!((knight["bytes"].as_u64(), sum(&knight["memory"]["sections"])), (Some(len), len));
    assert_eq!(knight["memory"]["sections"]["trailing"], 0);
    let trailing = report(&["tests/fixtures/pchr/trailing-bytes/input.pchr"]);
    assert_ne!(trailing["memory"]["sections"]["trailing"], 0);
    assert_eq!(Some(sum(&trailing["memory"]["sections"])), trailing["bytes"].as_u64());
}

#[test]
fn gpu_bytes_match_the_uploads() {
    for file in [KNIGHT, LISTS] {
        let gpu = report(&[file])["memory"]["gpu"].take();
        let character = Character::open(crate::common::root().join(file)).unwrap();
        let model = character.model();
        let (mut vertices, mut indices) = (0, 0);
        for attachment in model.attachments() {
            let Attachment::Mesh(mesh) = attachment else { continue };
            indices += mesh.indices.bytes().len();
            vertices += match &mesh.vertices {
                Vertices::Skin4(vertices) => vertices.bytes().len(),
                Vertices::SkinN(lists) => size_of_val(lists.records()) + size_of_val(lists.influences()),
            };
        }
        let textures: usize = model.pages().iter().map(|page| page.pixels.len()).sum();
        let palette = model.skeleton().bones().len() * size_of::<SkinMatrix>();
        let total = textures + vertices + indices + palette;
        let expected = json!({
            "indices": indices, "palette": palette, "textures": textures, "total": total, "vertices": vertices
        });
        assert_eq!(gpu, expected, "{file}");
    }
}

#[test]
fn a_mesh_without_an_image_has_none() {
    assert_eq!(report(&[WITHOUT_IMAGE])["meshes"][1]["image"], Value::Null);
    assert!(String::from_utf8_lossy(&inspect(&[WITHOUT_IMAGE]).stdout).contains("no image"));
    assert_eq!(report(&[LISTS])["meshes"][0]["image"], 0);
    assert_eq!(report(&[LISTS])["meshes"][0]["influences"], 5);
}

#[test]
fn images_in_an_archive_have_their_stored_size() {
    let file = "tests/fixtures/conformance/skelform/samples/synth-hierarchy.skf";
    let message = report(&[file, "--only", "images"]);
    let bytes: Vec<_> =
        message["images"].as_array().expect("a list").iter().map(|image| &image["bytes"]).collect();
    assert_eq!(bytes, [5261, 5261]);
}

#[test]
fn only_selected_sections_are_printed() {
    let bones = report(&[KNIGHT, "--only", "bones"]);
    let sections = ["animations", "bones", "header", "images", "memory", "meshes"];
    let message: Vec<_> = sections.into_iter().filter(|section| bones.get(section).is_some()).collect();
    assert_eq!(message, ["bones"]);
    let two = report(&[KNIGHT, "--only", "images,memory"]);
    assert!(two.get("images").is_some() && two.get("memory").is_some() && two.get("bones").is_none());
}

#[test]
fn a_broken_file_does_not_stop_the_others() {
    let output = inspect(&[KNIGHT, "tests/fixtures/pchr/cut-in-magic/input.pchr", LISTS]);
    assert_eq!(output.status.code(), Some(3));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("paper-knight.pchr: PCHR v1") && text.contains("input.json: Pachario JSON"), "{text}");
}

#[test]
fn standard_input_is_accepted() {
    use std::io::Write;
    let mut command = Command::new(env!("CARGO_BIN_EXE_pchr"));
    command.args(["inspect", "-", "--json"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("the program runs");
    child.stdin.take().unwrap().write_all(&write(&tiny()).unwrap()).unwrap();
    let output = child.wait_with_output().unwrap();
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["files"][0]["file"], "stdin");
    // It was read completely.
    assert_eq!(value["files"][0]["not_read_bytes"], 0);
    assert_eq!(inspect(&["-", "-"]).status.code(), Some(2));
}

#[test]
fn a_truncated_packed_file_is_recognized() {
    let output = inspect(&["tests/fixtures/pchr-packed/cut-before-last-byte/input.pchr"]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("if this is packed Pachario, its length is wrong"), "{message}");
}

#[test]
fn a_failing_file_is_skipped() {
    let output = inspect(&["nothing.pchr", KNIGHT, "src"]);
    let (text, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(3));
    assert!(text.contains("1024×1024") && stderr.contains("nothing.pchr") && stderr.contains("src"), "{stderr}");

    // An ambiguous `--atlas` is a usage error; a missing file has a higher exit code.
    let folder = tempfile::tempdir().expect("a temporary folder");
    let page =
        |name: &str| format!("\n{name}.png\nsize: 8,4\nformat: RGBA8888\n{name}\n  xy: 0, 0\n  size: 4, 2\n");
    fs::write(folder.path().join("two.atlas"), page("one") + &page("two")).expect("can be written");
    let two = folder.path().join("two.atlas").display().to_string();
    let output = inspect(&["--json", "nothing.pchr", KNIGHT, &two, "--atlas", "assets/paper-lamp.png"]);
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((answer["files"].as_array().map(Vec::len), &answer["files"][0]["file"]), (Some(1), &json!(KNIGHT)));
    let failures = answer["failures"].as_array().expect("a list");
    let codes: Vec<_> = failures.iter().map(|failed| failed["exit_code"].as_u64()).collect();
    assert_eq!(codes, [Some(3), Some(2)], "{answer:#}");
    assert_eq!(failures[0]["file"], "nothing.pchr");
    let schema = Command::new(env!("CARGO_BIN_EXE_pchr")).args(["schema", "pchr.inspect/1"]).output();
    let schema: Value = serde_json::from_slice(&schema.expect("the program runs").stdout).expect("JSON");
    Validator::new(&schema).assert_valid(&answer);
}

#[test]
fn sliders_and_properties_are_described() {
    const LAMP: &str = "assets/paper-lamp-4.3.json";
    let output = inspect(&["--only", "constraints", LAMP]);
    let text = String::from_utf8_lossy(&output.stdout);
    for line in [
        "tilt   transform: moth to hold; additive: yes; drives: y to rotate, 0 + (y - 66) * 1.1, from 0 to 40; space: local",
        "lure   slider: moth to hold; additive: yes; animation: lure; time: 0 + (y - 66) * 0.027777778 s, local",
        "dim    slider: to hold; animation: dim;",
        "arm    ik: lower, upper to hold\n",
    ] {
        assert!(text.contains(line), "{line}:\n{text}");
    }
    let output = inspect(&["--json", "--only", "constraints", LAMP]);
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(answer["files"][0]["constraints"][5]["notes"]["animation"], "lure");
    let schema = Command::new(env!("CARGO_BIN_EXE_pchr")).args(["schema", "pchr.inspect/1"]).output();
    let schema: Value = serde_json::from_slice(&schema.expect("the program runs").stdout).expect("JSON");
    Validator::new(&schema).assert_valid(&answer);
    // A changed range is a difference of the constraint.
    let folder = tempfile::tempdir().expect("a temporary folder");
    let changed = fs::read_to_string(crate::common::root().join(LAMP))
        .expect("the lamp")
        .replace("\"max\":40", "\"max\":30");
    let path = folder.path().join("lamp.json");
    fs::write(&path, changed).expect("can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_pchr"))
        .arg("diff")
        .arg(crate::common::root().join(LAMP))
        .arg(&path)
        .output();
    let output = output.expect("the program runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("tilt") && text.contains("drives") && text.contains("from 0 to 30"), "{text}");
}

#[test]
fn what_masks_clip_and_folders_of_the_draw_order_are_described() {
    let clip = |extra: &str| format!(r#"{{"type":"clipping","vertexCount":3,"vertices":[0,0,1,0,0,1]{extra}}}"#);
    let json = format!(
        r#"{{"skeleton":{{"spine":"4.3.00"}},"bones":[{{"name":"root"}}],
        "slots":[{{"name":"a","bone":"root"}},{{"name":"b","bone":"root"}},{{"name":"c","bone":"root"}}],
        "skins":[{{"name":"default","attachments":{{"a":{{"plain":{},"hull":{},"hole":{}}}}}}}],
        "animations":{{"turn":{{"drawOrderFolder":[{{"slots":["a","c"],"keys":[{{}}]}}]}}}}}}"#,
        clip(""),
        clip(r#","convex":true"#),
        clip(r#","inverse":true"#)
    );
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("masks.json");
    fs::write(&path, json).expect("can be written");
    let path = path.to_str().expect("UTF-8");
    let output = inspect(&[path]);
    let text = String::from_utf8_lossy(&output.stdout);
    for line in [
        "plain  clipping, 3 vertices, 1 influence, slot a\n",
        "hull   clipping, 3 vertices, 1 influence, convex hull, slot a\n",
        "hole   clipping, 3 vertices, 1 influence, inverse, convex hull, slot a\n",
        "  draw order folder: a, c\n",
    ] {
        assert!(text.contains(line), "{line}:\n{text}");
    }
    let output = inspect(&["--json", path]);
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let schema = Command::new(env!("CARGO_BIN_EXE_pchr")).args(["schema", "pchr.inspect/1"]).output();
    let schema: Value = serde_json::from_slice(&schema.expect("the program runs").stdout).expect("JSON");
    Validator::new(&schema).assert_valid(&answer);
    assert_eq!(answer["files"][0]["animations"][0]["draw_order_folders"], serde_json::json!([["a", "c"]]));
}

#[test]
fn the_format_of_an_image_is_that_of_its_content() {
    let place = tempfile::tempdir().expect("a temporary folder");
    let at = |name: &str| place.path().join(name);
    let pictures = crate::common::root().join("tests/fixtures/pictures");
    let spine = json!({ "skeleton": { "spine": "4.2.00" }, "bones": [{ "name": "root" }],
        "slots": [{ "name": "a", "bone": "root", "attachment": "a" }],
        "skins": [{ "name": "default", "attachments": { "a": { "a": { "width": 2, "height": 2 } } } }] });
    fs::write(at("hero.json"), spine.to_string()).expect("can be written");
    for (picture, name, format) in [
        ("red-blue.webp", "page.webp", "webp"),
        ("red-blue.jpg", "page.jpg", "jpeg"),
        ("red-blue.jpg", "page.png", "jpeg"),
    ] {
        fs::copy(pictures.join(picture), at(name)).expect("a copy");
        fs::write(at("hero.atlas"), format!("{name}\na\nbounds: 0, 0, 2, 2\n")).expect("can be written");
        let report = report(&[at("hero.json").to_str().expect("UTF-8")]);
        assert_eq!((&report["images"][0]["name"], &report["images"][0]["format"]), (&json!(name), &json!(format)));
    }
}
