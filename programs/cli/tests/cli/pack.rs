//! `pchr pack`, `unpack` and `convert` through the binary: round trips, errors, written files.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::common;
use crate::common::program::{fine, folder, pchr, refused, stderr};
use crate::common::v1::write;
use crate::common::v1::{Animation, File, Image, Mesh};
use crate::common::{conformance_files, names_in, say, tiny, triangle};
use crate::quirks::QUIRKS;
#[cfg(unix)]
use nix::sys::signal::{Signal, kill};
#[cfg(unix)]
use nix::unistd::Pid;
use pchr::diagnostics::Diagnostics;
use pchr::formats::{ReadOptions, from_bytes, open};
use pchr::motion::{Cue, Position, evaluate};
use pchr::pose::{self, Pose};
use serde_json::{Value, json};

fn knight() -> Vec<u8> {
    fs::read(crate::common::root().join("assets/paper-knight.pchr")).expect("the knight")
}

fn write_file(folder: &Path, name: &str, file: &File) {
    fs::write(folder.join(name), write(file).expect("a valid file")).expect("can be written");
}

fn read_json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).expect("the JSON")).expect("valid JSON")
}

/// Unpacks and packs again, with the stored image format and with each of the two formats.
#[track_caller]
fn assert_round_trip(bytes: &[u8], name: &str) {
    let place = folder();
    fs::write(place.path().join("a.pchr"), bytes).unwrap();
    fine(place.path(), &["unpack", "a.pchr", "-o", "out"]);
    fine(place.path(), &["pack", "out/a.json", "-o", "b.pchr"]);
    assert!(fs::read(place.path().join("b.pchr")).unwrap() == bytes, "{name}");
    for format in ["png", "rgba8888"] {
        fine(place.path(), &["pack", "out/a.json", "-o", "c.pchr", "--image-format", format, "--force"]);
        fine(place.path(), &["unpack", "c.pchr", "-o", "again", "--force"]);
        fine(place.path(), &["pack", "again/c.json", "-o", "d.pchr", "--force"]);
        let (c, d) =
            (fs::read(place.path().join("c.pchr")).unwrap(), fs::read(place.path().join("d.pchr")).unwrap());
        assert!(c == d, "{name} as {format}");
    }
}

#[test]
fn unpack_and_pack_give_the_same_bytes() {
    let mut count = 0;
    for quirk in QUIRKS {
        let bytes = quirk.bytes();
        let mut diagnostics = Diagnostics::default();
        let opens = from_bytes(bytes.clone(), &ReadOptions::default(), &mut diagnostics).is_ok();
        let is_v1 = !quirk.name.contains("pachario");
        let is_whole = diagnostics.warnings().all(|fault| fault.code != "no-atlas");
        if opens && is_v1 && is_whole {
            assert_round_trip(&bytes[..bytes.len() - quirk.trailing()], quirk.name);
            count += 1;
        }
    }
    assert!(count >= 12, "only {count} fixtures are valid");
    assert_round_trip(&knight(), "the knight");
    let files = conformance_files("pchr", ".pchr");
    files.iter().for_each(|file| assert_round_trip(&fs::read(file).unwrap(), &file.display().to_string()));
    say(&format!("pack and unpack: {count} fixtures, {} conformance files", files.len()));
}

#[test]
fn pack_and_unpack_give_the_same_value() {
    let place = folder();
    fs::write(place.path().join("knight.pchr"), knight()).unwrap();
    fine(place.path(), &["unpack", "knight.pchr", "-o", "a"]);
    // JSON as other programs might write it: in another order, without spaces.
    let value = read_json(&place.path().join("a/knight.json"));
    fs::write(place.path().join("a/other.json"), value.to_string()).unwrap();
    fine(place.path(), &["pack", "a/other.json", "-o", "other.pchr"]);
    fine(place.path(), &["unpack", "other.pchr", "-o", "b"]);
    assert!(read_json(&place.path().join("b/other.json")) == value);
    assert_eq!(names_in(&place.path().join("b")), ["other.json", "paper-knight.png"]);
}

#[test]
fn image_file_names_are_safe_and_distinct() {
    let names =
        ["atlas", "ATLAS", "../../atlas", "C:\\Windows\\x", "nul", "", "a/b", "atlas.png", "\u{e9}", "e\u{301}"];
    let images = names.map(|name| Image { name: name.to_owned(), ..common::white("", 1, 1) });
    let place = folder();
    write_file(place.path(), "a.pchr", &File { images: images.to_vec(), ..tiny() });
    fine(place.path(), &["unpack", "a.pchr", "-o", "deep/er/out"]);
    assert_eq!(names_in(&place.path().join("deep/er/out")).len(), names.len() + 1);
    assert_eq!(names_in(place.path()), ["a.pchr", "deep"]);
    fine(place.path(), &["pack", "deep/er/out/a.json", "-o", "b.pchr"]);
    assert!(fs::read(place.path().join("a.pchr")).unwrap() == fs::read(place.path().join("b.pchr")).unwrap());
}

#[test]
fn files_are_not_overwritten_or_partially_written() {
    let place = folder();
    write_file(place.path(), "a.pchr", &tiny());
    fs::create_dir(place.path().join("out")).unwrap();
    fs::write(place.path().join("out/atlas.png"), "mine").unwrap();
    let message = refused(place.path(), 5, &["unpack", "a.pchr", "-o", "out"]);
    assert!(message.contains("atlas.png") && message.contains("--force"), "{message}");
    assert_eq!(names_in(&place.path().join("out")), ["atlas.png"]);
    assert_eq!(fs::read(place.path().join("out/atlas.png")).unwrap(), b"mine");
    fine(place.path(), &["unpack", "a.pchr", "-o", "out", "--force"]);
    assert_eq!(names_in(&place.path().join("out")), ["a.json", "atlas.png"]);

    refused(place.path(), 5, &["pack", "out/a.json", "-o", "a.pchr"]);
    assert!(
        refused(place.path(), 2, &["pack", "out/a.json", "-o", "out/a.json", "--force"])
            .contains("is an input file")
    );
    assert!(refused(place.path(), 5, &["unpack", "a.pchr", "-o", "a.pchr"]).contains("a.pchr"));
    // An invalid file does not create the folder.
    fs::write(place.path().join("bad.pchr"), &write(&tiny()).unwrap()[..100]).unwrap();
    refused(place.path(), 3, &["unpack", "bad.pchr", "-o", "new/folder"]);
    refused(place.path(), 3, &["pack", "nowhere.json", "-o", "new/b.pchr"]);
    assert_eq!(names_in(place.path()), ["a.pchr", "bad.pchr", "out"]);
}

#[test]
fn each_command_accepts_its_formats() {
    let place = folder();
    write_file(place.path(), "a.pchr", &tiny());
    fine(place.path(), &["unpack", "a.pchr", "-o", "out"]);
    assert!(refused(place.path(), 2, &["pack", "a.pchr", "-o", "b.pchr"]).contains("convert"));
    assert!(refused(place.path(), 2, &["unpack", "out/a.json", "-o", "b"]).contains("convert"));
    assert!(refused(place.path(), 2, &["unpack", "a.pchr", "-o", "-"]).contains("-o DIR"));
    assert!(refused(place.path(), 2, &["convert", "a.pchr", "-o", "b.txt"]).contains("--to"));
    assert!(
        refused(place.path(), 2, &["convert", "a.pchr", "-o", "-", "--to", "pachario"])
            .contains("cannot go to stdout")
    );
    assert!(
        refused(place.path(), 3, &["convert", "a.pchr", "-o", "b.json", "--from", "pachario"]).contains("pchr")
    );
    assert!(
        refused(place.path(), 2, &["convert", "a.pchr", "-o", "b.json", "--animation", "wav"]).contains("`wave`")
    );
    assert_eq!(names_in(place.path()), ["a.pchr", "out"]);
    // Through pipes, with identical bytes.
    let packed = fine(place.path(), &["pack", "out/a.json", "-o", "-"]).stdout;
    assert!(packed == fs::read(place.path().join("a.pchr")).unwrap());
}

/// The tiny character as Pachario JSON.
fn pachario() -> Value {
    let transform =
        |y: f32| json!({"x": 0, "y": y, "rotation": 0, "scaleX": 1, "scaleY": 1, "visible": true, "zOrder": 0});
    let vertex = |x: f32, y: f32, u: f32, v: f32| json!({"x": x, "y": y, "u": u, "v": v, "bones": [{"idx": 1, "weight": 1}]});
    json!({
        "version": 1,
        "fps": 24,
        "images": [{"name": "atlas", "path": "art/atlas.png", "width": 1, "height": 1}],
        "bones": [{"name": "root", "parentIdx": -1}, {"name": "tip", "parentIdx": 0}],
        "meshes": [{
            "name": "flag",
            "imageIdx": 0,
            "vertices": [vertex(0.0, 10.0, 0.0, 1.0), vertex(0.0, 20.0, 0.0, 0.0), vertex(10.0, 20.0, 1.0, 0.0)],
            "triangles": [0, 1, 2]
        }],
        "animations": [{"name": "wave", "loop": true, "frames": [[transform(0.0), transform(10.0)]]}]
    })
}

fn write_pachario(folder: &Path, value: &Value) {
    fs::create_dir_all(folder.join("art")).unwrap();
    let image = pchr::formats::image::encode_png(1, 1, &[255; 4]).unwrap();
    fs::write(folder.join("art/atlas.png"), image).unwrap();
    fs::write(folder.join("hero.json"), value.to_string()).unwrap();
}

#[test]
fn images_are_searched_in_the_folder_and_below() {
    let place = folder();
    let inside = place.path().join("inside");
    write_pachario(&inside, &pachario());
    fine(&inside, &["pack", "hero.json", "-o", "hero.pchr"]);
    fs::write(place.path().join("secret.png"), fs::read(inside.join("art/atlas.png")).unwrap()).unwrap();
    let mut paths = vec!["../secret.png".to_owned(), "art/../../secret.png".to_owned(), "nothing.png".to_owned()];
    paths.push(place.path().join("secret.png").display().to_string());
    paths.extend(["C:\\secret.png".to_owned(), "..\\secret.png".to_owned(), String::new(), "art".to_owned()]);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../secret.png", inside.join("link.png")).unwrap();
        paths.push("link.png".to_owned());
    }
    for path in paths {
        let mut value = pachario();
        value["images"][0]["path"] = path.as_str().into();
        fs::write(inside.join("bad.json"), value.to_string()).unwrap();
        let message = refused(&inside, 3, &["pack", "bad.json", "-o", "bad.pchr"]);
        assert!(message.contains("missing-image") && message.contains("/images/0/path"), "{path}: {message}");
        // It can still be played.
        let mut diagnostics = Diagnostics::default();
        let character = open(&inside.join("bad.json"), &ReadOptions::default(), &mut diagnostics).unwrap();
        assert_eq!(diagnostics.warnings().next().map(|fault| fault.code), Some("missing-image"), "{path}");
        assert!(character.model().pages().is_empty());
        assert!(!inside.join("bad.pchr").exists());
    }
    fine(&inside, &["pack", "bad.json", "-o", "bad.pchr", "--no-image"]);
    let bare = fs::read(inside.join("bad.pchr")).unwrap();
    assert_eq!(&bare[12..14], [0, 0], "no images are stored");
}

#[test]
fn more_than_four_influences_are_posed_exactly_and_cut_in_v1() {
    let place = folder();
    let mut value = pachario();
    for index in 2..7 {
        value["bones"].as_array_mut().unwrap().push(json!({"name": format!("b{index}"), "parentIdx": 0}));
        let transform = value["animations"][0]["frames"][0][1].clone();
        value["animations"][0]["frames"][0].as_array_mut().unwrap().push(transform);
    }
    // A second frame, in which the bones move apart.
    let mut frame = value["animations"][0]["frames"][0].clone();
    for (index, transform) in frame.as_array_mut().unwrap().iter_mut().enumerate() {
        transform["x"] = json!(index * index);
    }
    value["animations"][0]["frames"].as_array_mut().unwrap().push(frame);
    let weights = [0.3, 0.05, 0.2, 0.1, 0.15, 0.2];
    let bones: Vec<Value> =
        weights.iter().enumerate().map(|(bone, weight)| json!({"idx": bone, "weight": weight})).collect();
    value["meshes"][0]["vertices"][1]["bones"] = bones.into();
    write_pachario(place.path(), &value);

    let character = open(&place.path().join("hero.json"), &ReadOptions::default(), &mut Diagnostics::default());
    let x = skinned(&character.unwrap(), 1);
    // Bone i moves i·i to the right. The root does not move, and neither does b0.
    let expected: f64 = weights.iter().enumerate().map(|(bone, weight)| weight * (bone * bone) as f64).sum();
    assert!((f64::from(x) - expected).abs() < 1e-5, "{x}, not {expected}");

    let message =
        stderr(&fine(place.path(), &["convert", "hero.json", "-o", "hero.pchr", "--loss-report", "loss.json"]));
    assert!(message.contains("influences-cut") && message.contains("/meshes/0/vertices/1"), "{message}");
    let report = read_json(&place.path().join("loss.json"));
    assert_eq!(report["losses"][0]["code"], "influences-cut");
    assert_eq!(report["from"], "pachario");
    // 0.3, 0.2, 0.15 and 0.2 remain, scaled to the original sum.
    let cut: f64 =
        [(0, 0.3), (2, 0.2), (4, 0.15), (5, 0.2)].iter().map(|&(b, w)| w / 0.85 * f64::from(b * b)).sum();
    let character = open(&place.path().join("hero.pchr"), &ReadOptions::default(), &mut Diagnostics::default());
    let x = skinned(&character.unwrap(), 1);
    assert!((f64::from(x) - cut).abs() < 1e-5, "{x}, not {cut}");

    // The other JSON form loses nothing.
    fine(
        place.path(),
        &["convert", "hero.json", "-o", "again/hero.json", "--to", "pachario", "--loss-report", "none.json"],
    );
    assert_eq!(read_json(&place.path().join("none.json"))["losses"], json!([]));
    let again = read_json(&place.path().join("again/hero.json"));
    assert_eq!(again["meshes"][0]["vertices"][1]["bones"].as_array().unwrap().len(), 6);
}

#[test]
fn a_mesh_without_an_image_is_a_loss_in_v1() {
    let place = folder();
    let mut value = pachario();
    let mut second = value["meshes"][0].clone();
    second["imageIdx"] = json!(-1);
    value["meshes"].as_array_mut().unwrap().push(second);
    write_pachario(place.path(), &value);
    fine(place.path(), &["convert", "hero.json", "-o", "packed.pchr", "--to", "pachario-packed", "--no-image"]);
    for args in [
        &["convert", "hero.json", "-o", "a.pchr", "--no-image"][..],
        &["convert", "hero.json", "-o", "a/a.json", "--no-image"],
        &["unpack", "packed.pchr", "-o", "b"],
    ] {
        let message = stderr(&fine(place.path(), args));
        assert!(message.contains("images-dropped") && message.contains("/meshes/1/image"), "{args:?}: {message}");
    }
    for written in ["a.pchr", "a/a.json", "b/packed.json"] {
        let mut diagnostics = Diagnostics::default();
        open(&place.path().join(written), &ReadOptions::default(), &mut diagnostics).expect("it plays");
        assert_eq!(diagnostics.warnings().map(|fault| fault.code).collect::<Vec<_>>(), ["no-atlas"], "{written}");
    }
    // Pachario can represent it, and keeps the image of the other mesh.
    let character = open(&place.path().join("packed.pchr"), &ReadOptions::default(), &mut Diagnostics::default());
    assert_eq!(character.unwrap().model().pages().len(), 1);
}

/// Returns the x coordinate of a vertex of the first mesh in frame 1 of the animation `wave`.
fn skinned(character: &pchr::Character, vertex: u16) -> f32 {
    let model = character.model();
    let cue = Cue {
        animation: model.find_animation("wave"),
        position: Position::frame(1),
        interpolate: false,
        ..Cue::default()
    };
    let (mut pose, mut palette) = (Pose::for_model(model), Vec::new());
    evaluate(character, &cue, &mut pose);
    pose::palette(model, &pose, &mut palette);
    let mesh = model.attachments()[0].mesh().expect("a mesh");
    pose::deformed_world_position(&mesh.vertices, vertex, &[], &palette).expect("a vertex").x
}

#[test]
fn converted_files_need_no_reading_options() {
    let place = folder();
    fs::write(place.path().join("knight.pchr"), knight()).unwrap();
    fine(place.path(), &["convert", "knight.pchr", "-o", "turned.pchr", "--y-down", "--flip-v"]);
    let mut options = ReadOptions::default();
    (options.y_down, options.flip_v) = (true, true);
    let original = open(&place.path().join("knight.pchr"), &options, &mut Diagnostics::default()).unwrap();
    let turned =
        open(&place.path().join("turned.pchr"), &ReadOptions::default(), &mut Diagnostics::default()).unwrap();
    let (mut a, mut b) = (Pose::default(), Pose::default());
    for id in original.model().animation_ids() {
        let name = &original.model().animation(id).name;
        let cue =
            |animation| Cue { animation, position: Position::Seconds(0.3), interpolate: true, ..Cue::default() };
        evaluate(&original, &cue(Some(id)), &mut a);
        evaluate(&turned, &cue(turned.model().find_animation(name)), &mut b);
        let far = a.world_from_bone.iter().zip(&b.world_from_bone).find(|(a, b)| !a.abs_diff_eq(**b, 1e-4));
        assert!(far.is_none(), "{name}: {far:?}");
    }
    // Flipping twice restores the original.
    fine(place.path(), &["convert", "turned.pchr", "-o", "back.pchr", "--y-down", "--flip-v"]);
    fine(place.path(), &["convert", "knight.pchr", "-o", "same.pchr"]);
    let output = pchr(place.path(), &["inspect", "back.pchr", "--only", "animations", "--json"]);
    let expected = pchr(place.path(), &["inspect", "same.pchr", "--only", "animations", "--json"]);
    let animations = |output: Output| {
        serde_json::from_slice::<Value>(&output.stdout).unwrap()["files"][0]["animations"].clone()
    };
    assert_eq!(animations(output), animations(expected));
}

#[test]
fn the_bind_pose_comes_first() {
    let place = folder();
    write_file(place.path(), "a.pchr", &tiny());
    fine(place.path(), &["convert", "a.pchr", "-o", "b.pchr"]);
    assert!(fs::read(place.path().join("a.pchr")).unwrap() == fs::read(place.path().join("b.pchr")).unwrap());
    let names = |file: &str| -> Vec<String> {
        let output = fine(place.path(), &["inspect", file, "--only", "animations", "--json"]);
        let value: Value = serde_json::from_slice(&output.stdout).unwrap();
        let animations = value["files"][0]["animations"].as_array().unwrap().clone();
        animations.iter().map(|animation| animation["name"].as_str().unwrap().to_owned()).collect()
    };
    // Not the first animation: moved to the front.
    let mut file = tiny();
    file.animations.reverse();
    write_file(place.path(), "back.pchr", &file);
    fine(place.path(), &["convert", "back.pchr", "-o", "c.pchr"]);
    assert_eq!(names("c.pchr"), ["bind", "wave"]);
    // None: the first frame is used, and kept whichever animations are chosen.
    file.animations.truncate(1);
    write_file(place.path(), "none.pchr", &file);
    fine(place.path(), &["convert", "none.pchr", "-o", "d.pchr", "--animation", "#0"]);
    assert_eq!(names("d.pchr"), ["bind", "wave"]);
    // Given explicitly; the name is already in use.
    fine(place.path(), &["convert", "a.pchr", "-o", "e.pchr", "--bind-pose", "wave:1", "--animation", "bind"]);
    assert_eq!(names("e.pchr"), ["bind_pose", "bind"]);
    // No frames at all.
    file.animations.clear();
    write_file(place.path(), "still.pchr", &file);
    fine(place.path(), &["convert", "still.pchr", "-o", "f.pchr"]);
    assert_eq!(names("f.pchr"), ["bind"]);
}

#[test]
fn packed_pachario_is_distinguished_from_v1_by_its_lengths() {
    let place = folder();
    write_pachario(place.path(), &pachario());
    fine(place.path(), &["convert", "hero.json", "-o", "hero.pchr", "--to", "pachario-packed"]);
    let packed = fs::read(place.path().join("hero.pchr")).unwrap();
    assert_eq!(&packed[16..17], b"{");
    let output = fine(place.path(), &["inspect", "hero.pchr", "--json"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("packed Pachario"));
    // With an extra byte, the lengths do not match the file size: it is read as v1, and the error has a hint.
    fs::write(place.path().join("longer.pchr"), [&packed[..], b"x"].concat()).unwrap();
    let message = refused(place.path(), 3, &["convert", "longer.pchr", "-o", "x.pchr"]);
    assert!(message.contains("if this is packed Pachario, its length is wrong"), "{message}");
    // Unpacking results in the same description as for v1.
    fine(place.path(), &["unpack", "hero.pchr", "-o", "out"]);
    assert!(read_json(&place.path().join("out/hero.json"))["bones"][1].get("parent").is_some());
    // Two images cannot be packed.
    let two = File { images: vec![common::white("a", 1, 1), common::white("b", 1, 1)], ..tiny() };
    write_file(place.path(), "two.pchr", &two);
    let message = refused(place.path(), 5, &["convert", "two.pchr", "-o", "p.pchr", "--to", "pachario-packed"]);
    assert!(message.contains("one image"), "{message}");
    assert!(!place.path().join("p.pchr").exists());
}

#[test]
fn a_mesh_without_an_image_removes_all_images_in_v1() {
    let place = folder();
    let mut value = pachario();
    let mut bare = value["meshes"][0].clone();
    bare["imageIdx"] = json!(-1);
    value["meshes"].as_array_mut().unwrap().push(bare);
    write_pachario(place.path(), &value);
    let message = refused(place.path(), 3, &["convert", "hero.json", "-o", "hero.pchr"]);
    assert!(message.contains("no-image") && message.contains("--no-image"), "{message}");
    for (name, to) in [("a.pchr", "pchr"), ("b.json", "pchr-json")] {
        let args =
            ["convert", "hero.json", "-o", name, "--to", to, "--no-image", "--loss-report", "l.json", "--force"];
        assert!(stderr(&fine(place.path(), &args)).contains("images-dropped"));
        let report = read_json(&place.path().join("l.json"));
        assert_eq!(report["losses"][0]["code"], "images-dropped");
        let character = open(&place.path().join(name), &ReadOptions::default(), &mut Diagnostics::default());
        assert!(character.unwrap().model().pages().is_empty());
    }
    // Images are not overwritten, even if they are not used.
    for command in ["pack", "convert"] {
        let args = [command, "hero.json", "-o", "art/atlas.png", "--no-image", "--force"];
        let args = if command == "pack" { args.to_vec() } else { [&args[..], &["--to", "pchr"]].concat() };
        assert!(refused(place.path(), 2, &args).contains("cannot be overwritten"));
    }
    // Pachario JSON represents it per mesh and loses nothing.
    let args =
        ["convert", "hero.json", "-o", "c/c.json", "--to", "pachario", "--no-image", "--loss-report", "m.json"];
    fine(place.path(), &args);
    assert_eq!(read_json(&place.path().join("m.json"))["losses"], json!([]));
    assert_eq!(read_json(&place.path().join("c/c.json"))["meshes"][1]["imageIdx"], -1);
    assert_eq!(names_in(&place.path().join("c")), ["atlas.png", "c.json"]);
}

#[test]
fn unpack_reports_cut_influences_and_flips_nothing() {
    let place = folder();
    let mut value = pachario();
    let heavy = |weight: f64| -> Value { (0..5).map(|_| json!({"idx": 1, "weight": weight})).collect() };
    value["meshes"][0]["vertices"][1]["bones"] = heavy(0.2);
    write_pachario(place.path(), &value);
    fine(place.path(), &["convert", "hero.json", "-o", "hero.pchr", "--to", "pachario-packed"]);
    assert!(stderr(&fine(place.path(), &["unpack", "hero.pchr", "-o", "out"])).contains("influences-cut"));
    assert!(refused(place.path(), 2, &["unpack", "hero.pchr", "-o", "new", "--flip-v"]).contains("convert"));
    assert!(refused(place.path(), 2, &["pack", "hero.json", "-o", "new.pchr", "--y-down"]).contains("convert"));
    // A fifth influence of weight 0 is not a loss.
    value["meshes"][0]["vertices"][1]["bones"][4]["weight"] = json!(0);
    write_pachario(place.path(), &value);
    let message = stderr(&fine(place.path(), &["pack", "hero.json", "-o", "light.pchr"]));
    assert!(message.starts_with("note: wrote light.pchr: ") && message.lines().count() == 1, "{message}");
    // The sum overflows.
    value["meshes"][0]["vertices"][1]["bones"] = heavy(3e38);
    write_pachario(place.path(), &value);
    fine(place.path(), &["pack", "hero.json", "-o", "heavy.pchr"]);
    open(&place.path().join("heavy.pchr"), &ReadOptions::default(), &mut Diagnostics::default()).unwrap();
}

#[test]
fn errors_in_json_have_a_pointer_and_an_offset() {
    let place = folder();
    let message = |change: &dyn Fn(&mut Value)| {
        let mut value = pachario();
        change(&mut value);
        write_pachario(place.path(), &value);
        refused(place.path(), 3, &["pack", "hero.json", "-o", "x.pchr"])
    };
    let parent = message(&|value| value["bones"][1]["parentIdx"] = 1.into());
    assert!(parent.contains("bad-parent") && parent.contains("/bones/1/parentIdx"), "{parent}");
    let weight = message(&|value| value["meshes"][0]["vertices"][2]["bones"][0]["idx"] = 9.into());
    assert!(weight.contains("/meshes/0/vertices/2/bones/0/idx"), "{weight}");
    let missing = message(&|value| drop(value["meshes"][0]["vertices"][1].as_object_mut().unwrap().remove("u")));
    assert!(
        missing.contains("/meshes/0/vertices/1") && missing.contains("byte") && missing.contains("`u`"),
        "{missing}"
    );
    let other = message(&|value| *value = json!({"layers": {}, "tiles": []}));
    assert!(other.contains("unknown-format") && other.contains("`layers`"), "{other}");
    let spine = message(&|value| *value = json!({"skeleton": {}, "slots": []}));
    assert!(spine.contains("unknown-format") && spine.contains("Spine"), "{spine}");
    assert!(!place.path().join("x.pchr").exists());
}

#[test]
fn a_mesh_without_triangles_is_preserved() {
    let place = folder();
    write_file(place.path(), "a.pchr", &File { meshes: vec![Mesh::new("m", 0, &triangle(1), &[])], ..tiny() });
    assert_round_trip(&fs::read(place.path().join("a.pchr")).unwrap(), "no triangles");
}

#[test]
fn frames_without_bones_are_counted() {
    let place = folder();
    let frames = Animation { name: "a".to_owned(), frame_count: 65_535, ..Animation::default() };
    let file = File { bones: Vec::new(), meshes: Vec::new(), animations: vec![frames; 2000], ..tiny() };
    write_file(place.path(), "a.pchr", &file);
    let message = refused(place.path(), 3, &["unpack", "a.pchr", "-o", "out"]);
    assert!(message.contains("limit-exceeded") && message.contains("records"), "{message}");
    assert_eq!(names_in(place.path()), ["a.pchr"]);
}

#[test]
fn an_image_is_charged_for_every_reference() {
    let place = folder();
    let mut value = pachario();
    value["images"] = vec![value["images"][0].clone(); 1000].into();
    write_pachario(place.path(), &value);
    let message = refused(place.path(), 3, &["pack", "hero.json", "-o", "x.pchr", "--limit", "file-bytes=65000"]);
    assert!(message.contains("limit-exceeded") && message.contains("art/atlas.png"), "{message}");
    fine(place.path(), &["pack", "hero.json", "-o", "x.pchr"]);
}

#[cfg(unix)]
#[test]
fn image_paths_do_not_follow_links() {
    use std::os::unix::fs::symlink;
    let place = folder();
    write_file(place.path(), "a.pchr", &tiny());
    fs::create_dir_all(place.path().join("out")).unwrap();
    for target in ["../outside.png", "../a.pchr"] {
        symlink(target, place.path().join("out/atlas.png")).unwrap();
        for force in [&[][..], &["--force"]] {
            let message = refused(place.path(), 5, &[&["unpack", "a.pchr", "-o", "out"], force].concat());
            assert!(message.contains("atlas.png"), "{message}");
        }
        fs::remove_file(place.path().join("out/atlas.png")).unwrap();
    }
    assert_eq!(names_in(place.path()), ["a.pchr", "out"]);
    assert!(names_in(&place.path().join("out")).is_empty());
    assert!(fs::read(place.path().join("a.pchr")).unwrap() == write(&tiny()).unwrap());
}

#[test]
fn inputs_are_never_overwritten() {
    let place = folder();
    write_pachario(place.path(), &pachario());
    let picture = fs::read(place.path().join("art/atlas.png")).unwrap();
    let message = refused(place.path(), 2, &["pack", "hero.json", "-o", "art/atlas.png", "--force"]);
    assert!(message.contains("cannot be overwritten"), "{message}");
    // An existing identical image is kept.
    fine(place.path(), &["convert", "hero.json", "-o", "art/new.json", "--force"]);
    fs::remove_file(place.path().join("art/new.json")).unwrap();
    refused(place.path(), 2, &["convert", "hero.json", "-o", "x.pchr", "--loss-report", "./x.pchr"]);
    refused(place.path(), 2, &["convert", "hero.json", "-o", "art/atlas.png", "--to", "pachario", "--force"]);
    assert_eq!(names_in(place.path()), ["art", "hero.json"]);
    assert_eq!(names_in(&place.path().join("art")), ["atlas.png"]);
    assert!(fs::read(place.path().join("art/atlas.png")).unwrap() == picture);
}

#[cfg(unix)]
#[test]
fn a_named_pipe_can_be_the_output() {
    let place = folder();
    write_file(place.path(), "a.pchr", &tiny());
    let output = fine(place.path(), &["convert", "a.pchr", "-o", "/dev/stdout", "--to", "pchr"]);
    assert!(output.stdout == write(&tiny()).unwrap());
}

/// A program that is interrupted while writing removes its partial output.
#[cfg(unix)]
#[test]
fn an_interrupted_program_leaves_nothing_behind() {
    let place = folder();
    // Large enough to be still writing when interrupted: two gigabytes of JSON.
    let bones = vec![common::bone("b", -1); 250];
    let frame = vec![crate::common::v1::BoneTransform::default(); 250];
    let frames = vec![frame; 8000];
    let animations = (0..10).map(|index| Animation::new(format!("a{index}"), true, &frames)).collect();
    write_file(place.path(), "a.pchr", &File { bones, animations, ..tiny() });
    let mut command = Command::new(env!("CARGO_BIN_EXE_pchr"));
    let mut child = command
        .current_dir(place.path())
        .args(["unpack", "a.pchr", "-o", "new/out"])
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let is_writing =
        || fs::read_dir(place.path().join("new/out")).is_ok_and(|mut entries| entries.next().is_some());
    while !is_writing() {
        assert!(child.try_wait().expect("a child").is_none(), "it ended before it wrote");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let process = Pid::from_raw(child.id().try_into().expect("a process id"));
    kill(process, Signal::SIGINT).expect("a process to interrupt");
    let ended = child.wait_with_output().expect("it ends");
    assert_eq!(ended.status.code(), Some(130), "{}", stderr(&ended));
    assert_eq!(names_in(place.path()), ["a.pchr"]);
}
