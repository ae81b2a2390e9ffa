//! SkelForm of any version converted to SkelForm 0.7: poses are identical to the bit, and all other data is
//! preserved.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::common::converted::{converted, main_file, options};
use crate::common::program;
use crate::common::program::{fine, folder, refused};
use crate::common::skelform_pose;
use crate::common::zip::{Entry, zip};
use crate::common::{conformance_files, files_in, say};
use bytes::Bytes;
use pchr::Character;
use pchr::convert::{ConvertError, Converted};
use pchr::diagnostics::Diagnostics;
use pchr::formats::{ReadOptions, from_bytes};
use pchr::limits::Limits;
use pchr::model::SkinId;
use pchr::motion::{Cue, Dynamics, Position, evaluate};
use pchr::pose::{Pose, for_each_deformed_vertex, palette};
use serde_json::{Value, json};

/// The fields of a 0.7 armature, by list. Lists that are not mentioned may contain anything.
const FIELDS: [(&str, &[&str]); 8] = [
    (
        "bones",
        &[
            "id",
            "name",
            "parent_id",
            "pos",
            "rot",
            "scale",
            "hidden",
            "init_pos",
            "init_rot",
            "init_scale",
            "init_hidden",
            "ik_family_id",
            "ik_family_name",
            "visuals_id",
            "physics_id",
        ],
    ),
    (
        "visuals",
        &[
            "tex",
            "tint",
            "zindex",
            "pivot_pos",
            "pivot_rot",
            "pivot_scale",
            "vertices",
            "indices",
            "binds",
            "init_tex",
            "init_zindex",
            "init_tint",
        ],
    ),
    (
        "inverse_kinematics",
        &[
            "id",
            "name",
            "constraint",
            "mode",
            "target_id",
            "bone_ids",
            "mimic_target",
            "init_constraint",
            "init_mode",
            "init_mimic_target",
        ],
    ),
    (
        "physics",
        &[
            "global_pos",
            "pos_damping",
            "pos_ratio",
            "global_rot",
            "rot_damping",
            "global_orbit",
            "global_orbit_diff",
            "global_orbit_vel",
            "sway",
            "rot_bounce",
            "global_scale",
            "scale_damping",
            "scale_ratio",
        ],
    ),
    ("animations", &["id", "name", "fps", "keyframes"]),
    ("atlases", &["filename", "size"]),
    ("styles", &["id", "name", "textures"]),
    (
        "keyframes",
        &[
            "frame",
            "bone_id",
            "element",
            "value",
            "value_str",
            "start_handle",
            "end_handle",
            "next_kf",
            "handle_preset",
        ],
    ),
];

fn read(bytes: &Bytes) -> Character {
    from_bytes(bytes.clone(), &ReadOptions::default(), &mut Diagnostics::default()).expect("can be read")
}

fn upgrade(bytes: &Bytes) -> Result<Converted, ConvertError> {
    converted(bytes, &options("skelform", &Limits::default()))
}

fn upgraded(bytes: &Bytes) -> Converted {
    upgrade(bytes).expect("can be upgraded")
}

fn text(bytes: &[u8], entry: &str) -> Value {
    serde_json::from_slice(&skelform_pose::entry(bytes, entry)).expect("JSON")
}

/// Returns the bits of all values of a pose.
fn bits(character: &Character, pose: &Pose) -> Vec<u32> {
    let mut bits = Vec::new();
    for matrix in &pose.world_from_bone {
        bits.extend(matrix.to_cols_array().map(f32::to_bits));
    }
    let mut matrices = Vec::new();
    palette(character.model(), pose, &mut matrices);
    for slot in &pose.slots {
        bits.extend(slot.tint.light.map(f32::to_bits));
        let mesh = slot.attachment.and_then(|id| character.model().attachment(id).mesh());
        if let Some(mesh) = mesh {
            for_each_deformed_vertex(&mesh.vertices, &[], &matrices, |at, uv| {
                bits.extend([at.x, at.y, uv.x, uv.y].map(f32::to_bits));
            });
            bits.extend(mesh.indices.triangles().flatten().map(u32::from));
        }
    }
    bits
}

/// Compares the rest pose, every frame, an instant between each two, and every frame with physics. Returns the
/// number of poses.
fn assert_same(a: &Character, b: &Character, what: &str) -> usize {
    let (model, other) = (a.model(), b.model());
    let bones = |character: &Character| -> Vec<(String, Option<usize>)> {
        let bones = character.model().skeleton().bones().iter();
        bones.map(|bone| (bone.name.to_string(), bone.parent.map(|parent| parent.index()))).collect()
    };
    assert_eq!(bones(a), bones(b), "{what}");
    let names = |character: &Character| -> Vec<String> {
        let (model, mut names) = (character.model(), Vec::new());
        names.extend(model.slots().iter().map(|slot| slot.name.to_string()));
        names.extend(model.skins().iter().map(|skin| format!("{} {:?}", skin.name, skin.entries)));
        names.extend(model.animations().iter().map(|it| format!("{} {} {}", it.name, it.fps(), it.frame_count())));
        names.extend(model.pages().iter().map(|page| format!("{} {:?}", page.name, page.pixels.len())));
        names
    };
    assert_eq!(names(a), names(b), "{what}");
    let mut count = 0;
    let (mut left, mut right) = (Pose::default(), Pose::default());
    let all = model.skins().iter().filter_map(|skin| model.find_skin(&skin.name));
    let skins: Vec<Vec<SkinId>> = vec![vec![], all.collect()];
    for skins in skins {
        let animations = model.animation_ids().map(Some).chain([None]);
        for (animation, other) in animations.zip(other.animation_ids().map(Some).chain([None])) {
            let frames = animation.map_or(1, |id| model.animation(id).frame_count());
            let (mut swings, mut others) = (Dynamics::default(), Dynamics::default());
            for (frame, fraction) in (0..frames.min(2000)).flat_map(|frame| [(frame, 0.0), (frame, 0.375)]) {
                let cue = |animation| Cue {
                    animation,
                    position: Position::Frame { frame, fraction },
                    skins: skins.clone(),
                    ..Cue::default()
                };
                let what = || format!("{what}: {animation:?} frame {frame} + {fraction}");
                evaluate(a, &cue(animation), &mut left);
                evaluate(b, &cue(other), &mut right);
                assert!(left == right && bits(a, &left) == bits(b, &right), "{}", what());
                swings.step(a, &cue(animation), &mut left);
                others.step(b, &cue(other), &mut right);
                assert!(left == right && bits(a, &left) == bits(b, &right), "{} with physics", what());
                count += 2;
            }
        }
    }
    count
}

/// Checks that the structure is that of 0.7, and that keys are sorted and linked.
fn assert_canonical(armature: &Value, what: &str) {
    assert_eq!(armature["version"], "0.7.0", "{what}");
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    for (name, fields) in FIELDS {
        for (index, entry) in list(&armature[name]).iter().enumerate() {
            let keys = entry.as_object().expect("an object").keys();
            let strange: Vec<&String> = keys.filter(|key| !fields.contains(&key.as_str())).collect();
            assert!(strange.is_empty(), "{what}: {name}: {strange:?}");
            if fields[0] == "id" {
                assert_eq!(entry["id"], index, "{what}: {name}");
            }
        }
    }
    for animation in list(&armature["animations"]) {
        let keys = list(&animation["keyframes"]);
        for (at, key) in keys.iter().enumerate() {
            let fields = FIELDS[7].1;
            assert!(key.as_object().expect("a key").keys().all(|field| fields.contains(&field.as_str())), "{key}");
            assert!(key["frame"].is_u64() && key["element"].is_string(), "{what}: {key}");
            assert!(at == 0 || keys[at - 1]["frame"].as_u64() <= key["frame"].as_u64(), "{what}: {key}");
            let is_next = |other: &Value| other["bone_id"] == key["bone_id"] && other["element"] == key["element"];
            let next = keys[at + 1..].iter().position(is_next).map_or(-1, |next| (at + 1 + next) as i64);
            assert_eq!(key["next_kf"], next, "{what}: {key}");
        }
    }
}

/// Upgrades a file twice. Returns the number of compared poses.
fn check(path: &Path) -> usize {
    let what = path.file_name().expect("a name").to_string_lossy().into_owned();
    let bytes: Bytes = fs::read(path).expect("a file").into();
    let written = upgraded(&bytes);
    assert!(written.losses.iter().all(|loss| loss.code == "unknown-dropped"), "{what}: {:?}", written.losses);
    let written = main_file(&written);
    assert_canonical(&text(&written, "armature.json"), &what);
    let mut found = Diagnostics::default();
    from_bytes(written.clone(), &ReadOptions::default(), &mut found).expect("it opens again");
    assert!(found.counts().all(|(_, code, _)| code != "unknown-key"), "{what}: {:?}", found.findings());
    let twice = upgraded(&written);
    assert!(twice.losses.is_empty() && main_file(&twice) == written, "{what}: upgrading twice changes the file");
    let count = assert_same(&read(&bytes), &read(&written), &what);
    say(&format!("{what}: {} → {} bytes, {count} poses the same", bytes.len(), written.len()));
    count
}

#[test]
fn upgraded_fixtures_play_the_same() {
    let root = crate::common::root().join("tests/fixtures/skelform");
    let mut files = Vec::new();
    for quirk in fs::read_dir(root.join("quirks")).expect("the fixtures") {
        files.extend(files_in(&quirk.expect("an entry").path(), ".skf"));
    }
    let is_read = |path: &PathBuf| {
        let bytes = fs::read(path).expect("a fixture");
        let is_read = from_bytes(bytes.clone(), &ReadOptions::default(), &mut Diagnostics::default()).is_ok();
        // Unreadable files are rejected with an error.
        assert!(is_read || upgrade(&bytes.into()).is_err() || path.ends_with("picture-is-jpeg-cut/input.skf"));
        is_read
    };
    files.retain(is_read);
    assert!(files.len() >= 8, "{files:?}");
    let poses: usize = files.iter().map(|file| check(file)).sum();
    assert!(poses > 400, "{poses}");
}

#[test]
fn conformance_plays_the_same() {
    let files = conformance_files("skelform/samples", ".skf");
    assert!(files.len() >= 13, "{files:?}");
    let poses: usize = files.iter().map(|file| check(file)).sum();
    assert!(poses > 5000, "{poses}");
}

// ---- Synthetic files.

const PNG: &[u8] = include_bytes!("../../../../tests/fixtures/pchr-json/description/atlas.png");

/// An armature as written before 0.5: everything in the bones, numbers instead of names.
fn old() -> Value {
    let v = |x: f64, y: f64| json!({"x": x, "y": y});
    json!({
        "version": "0.2.0",
        "ik_root_ids": [1],
        "bones": [
            {"id": 0, "name": "root", "parent_id": -1, "pos": v(1.0, 2.0), "scale": v(1.0, 1.0), "rot": 0.1, "is_hidden": 0,
             "tex": "box", "zindex": 2, "phys_pos_damping": 4.0, "phys_global_pos": v(3.0, 0.0), "phys_sway": 0.5},
            {"id": 1, "name": "a", "parent_id": 0, "pos": v(0.5, 0.0), "ik_family_id": 7, "ik_constraint": 1,
             "ik_constraint_str": "Clockwise", "ik_mode": 0, "ik_target_id": 4, "ik_bone_ids": [1, 2, 3]},
            {"id": 2, "name": "b", "parent_id": 1, "pos": v(10.0, 0.0), "rot": 0.3},
            {"id": 3, "name": "c", "parent_id": 2, "pos": v(10.0, 0.0), "is_hidden": 1, "init_is_hidden": false,
             "tex": "box", "zindex": -1, "pivot_pos": v(0.25, 0.0),
             "vertices": [{"pos": v(0.0, 0.0), "uv": v(0.0, 0.0)}, {"pos": v(9.0, 0.0), "uv": v(1.0, 0.0)},
                          {"pos": v(0.0, 9.0), "uv": v(0.0, 1.0)}],
             "indices": [0, 1, 2],
             "binds": [{"id": 2, "verts": [{"id": 1, "weight": 0.5}, {"id": 2, "weight": 0.25}]},
                       {"bone_id": 1, "is_path": 1, "verts": [{"id": 2}]}, {"bone_id": 4294967295u64, "verts": []}]},
            {"id": 4, "name": "target", "parent_id": -1, "pos": v(5.0, 15.0)}
        ],
        "animations": [{"name": "go", "fps": 12, "keyframes": [
            {"frame": 4, "bone_id": 4, "element": 0, "element_str": "PositionX", "value": 9.0, "transition": "SineIn"},
            {"frame": -1, "bone_id": 4, "element": "PositionX", "value": -9.0},
            {"frame": 2, "bone_id": 1, "element": "IkConstraint", "value": 2.0},
            {"frame": 3, "bone_id": 1, "element": "IkMode", "value_str": "Arc"},
            {"frame": 1, "bone_id": 3, "element": "Hidden", "value": 1},
            {"frame": 6, "bone_id": 3, "element": 99, "value": 1}
        ]}],
        "atlases": [{"filename": "atlas0.png", "size": v(1.0, 1.0)}],
        "styles": [{"name": "Hat", "textures": []}, {"name": "Coat", "textures": [
            {"name": "box", "offset": v(0.0, 0.0), "size": v(4.0, 4.0), "atlas_idx": 0}]}]
    })
}

fn packed(armature: &Value, others: &[(&str, &[u8])]) -> Bytes {
    let armature = armature.to_string();
    let mut entries = vec![Entry::stored("armature.json", armature.as_bytes())];
    entries.extend(others.iter().map(|(name, bytes)| Entry::stored(name, bytes)));
    zip(&entries).into()
}

#[test]
fn files_of_old_programs_are_completed() {
    let bytes = packed(&old(), &[("atlas0.png", PNG)]);
    let written = upgraded(&bytes);
    let message: Vec<&str> = written.losses.iter().map(|loss| loss.code).collect();
    assert_eq!(message, ["keys-dropped", "easing-dropped"]);
    let written = main_file(&written);
    let armature = text(&written, "armature.json");
    assert_canonical(&armature, "old");
    assert!(assert_same(&read(&bytes), &read(&written), "old") > 20);
    let bones = armature["bones"].as_array().unwrap();
    let of = |field: &str| bones.iter().map(|bone| bone[field].as_i64().unwrap()).collect::<Vec<_>>();
    assert_eq!(of("ik_family_id"), [-1, 0, 0, 0, -1]);
    assert_eq!((of("visuals_id"), of("physics_id")), (vec![0, -1, -1, 1, -1], vec![0, -1, -1, -1, -1]));
    assert_eq!((&bones[3]["hidden"], &bones[3]["init_hidden"]), (&json!(true), &json!(false)));
    assert!(bones[0].get("hidden").is_none() && bones[0].get("tex").is_none(), "{}", bones[0]);
    let family = json!([{"id": 0, "constraint": "Clockwise", "mode": "FABRIK", "target_id": 4, "bone_ids": [1, 2, 3],
        "init_constraint": "Clockwise", "init_mode": "FABRIK"}]);
    assert_eq!(armature["inverse_kinematics"], family);
    assert_eq!(armature["physics"][0]["pos_damping"], 4.0);
    assert_eq!(armature["physics"][0]["sway"], 0.5);
    assert!(armature["physics"][0].get("scale_damping").is_none(), "a group that is off");
    assert_eq!(armature["visuals"][1]["binds"][2], json!({"bone_id": -1, "is_path": false, "verts": []}));
    assert_eq!(armature["visuals"][1]["binds"][1]["verts"][0]["weight"], 1.0);
    let keys = armature["animations"][0]["keyframes"].as_array().unwrap();
    let frames: Vec<_> = keys.iter().map(|key| key["frame"].as_u64().unwrap()).collect();
    // The dropped unknown key was the last one; the duration is preserved.
    assert_eq!(frames, [0, 1, 2, 3, 4, 6]);
    assert_eq!((&keys[2]["value_str"], &keys[3]["value_str"]), (&json!("CounterClockwise"), &json!("Arc")));
    assert_eq!((&keys[0]["next_kf"], &keys[0]["handle_preset"]), (&json!(4), &json!("Linear")));
    // The active style is preserved: the last one, because none is named default.
    let editor = text(&written, "editor.json");
    assert_eq!(editor["styles"], json!([{"active": false}, {"active": true}]));
    assert_eq!((editor["bones"].as_array().unwrap().len(), &editor["camera"]["zoom"]), (5, &json!(2000.0)));
}

#[test]
fn handles_and_their_presets_are_preserved() {
    let mut armature = old();
    let handle = |x: f64, y: f64| json!({"x": x, "y": y});
    armature["animations"][0]["keyframes"] = json!([
        {"frame": 0, "bone_id": 0, "element": "Rotation", "value": 0.0},
        {"frame": 1, "bone_id": 0, "element": "Rotation", "value": 1.0, "start_handle": handle(999.0, 999.0), "end_handle": handle(999.0, 999.0)},
        {"frame": 2, "bone_id": 0, "element": "Rotation", "value": 2.0, "start_handle": handle(0.1, 0.7), "end_handle": handle(0.5, 1.0)},
        {"frame": 3, "bone_id": 0, "element": "Rotation", "value": 3.0, "start_handle": handle(0.0, 0.0), "end_handle": handle(0.0, 0.0), "handle_preset": "Linear"},
        {"frame": 4, "bone_id": 0, "element": "Unheard", "value": 3.0}
    ]);
    let bytes = packed(&armature, &[("atlas0.png", PNG)]);
    let written = upgraded(&bytes);
    assert!(written.losses.is_empty(), "{:?}", written.losses);
    let written = main_file(&written);
    assert_same(&read(&bytes), &read(&written), "handles");
    let keys = text(&written, "armature.json")["animations"][0]["keyframes"].clone();
    let presets: Vec<&Value> = keys.as_array().unwrap().iter().map(|key| &key["handle_preset"]).collect();
    assert_eq!(presets, ["Linear", "Snap", "Custom", "Linear", "Linear"]);
    assert_eq!(keys[2]["start_handle"], json!({"x": 0.1, "y": 0.7}));
    assert_eq!(keys[3]["start_handle"], json!({"x": 0.0, "y": 0.0}));
}

#[test]
fn other_archive_entries_are_copied_without_decompression() {
    // A hundred million zeros, a compressed image, and unknown entries.
    let mut deflating = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    (0..100).for_each(|_| deflating.write_all(&[0; 1_000_000]).unwrap());
    let bomb = deflating.finish().unwrap();
    let mut deflating = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    deflating.write_all(PNG).unwrap();
    let picture = Entry::deflated("atlas0.png", PNG, deflating.finish().unwrap());
    let bomb = Entry { size: 100_000_000, crc: 7, ..Entry::deflated("zeros", &[], bomb) };
    let editor = r#"{"camera": {"pos": {"x": 3, "y": 4}, "zoom": 5.5}, "mine": [1, 2],
        "bones": [{"folded": true, "group_color": {"r": 9, "g": 0, "b": 0, "a": 1}}], "styles": [{"active": true, "note": "n"}]}"#;
    let entries = [
        Entry::stored("skellina.skf", b"PK"),
        Entry::stored("armature.json", old().to_string().as_bytes()),
        bomb.clone(),
        Entry::stored("thumbnail.png", b"no picture"),
        Entry::stored("editor.json", editor.as_bytes()),
        picture.clone(),
    ];
    let bytes = Bytes::from(zip(&entries));
    let written = main_file(&upgraded(&bytes));
    assert!(written.len() < 200_000, "{} bytes", written.len());
    assert_eq!(skelform_pose::entry(&written, "skellina.skf"), b"PK");
    assert_eq!(skelform_pose::entry(&written, "thumbnail.png"), b"no picture");
    assert_eq!(skelform_pose::entry(&written, "atlas0.png"), PNG);
    for entry in [&bomb, &picture] {
        let found = written.windows(entry.packed.len()).any(|window| window == entry.packed);
        assert!(found, "{} was changed", entry.name);
    }
    let editor = text(&written, "editor.json");
    assert_eq!((&editor["camera"]["zoom"], &editor["mine"]), (&json!(5.5), &json!([1, 2])));
    assert_eq!(editor["styles"], json!([{"active": true, "note": "n"}, {"active": false}]));
    assert_eq!((&editor["bones"][0]["folded"], &editor["bones"][0]["locked"]), (&json!(true), &json!(false)));
    assert_eq!(
        (&editor["bones"][0]["group_color"]["r"], &editor["bones"][4]["folded"]),
        (&json!(9), &json!(false))
    );
    assert!(main_file(&upgraded(&written)) == written, "upgrading twice changes the file");
    // Invalid JSON is replaced, with a reported loss.
    let broken = packed(&old(), &[("atlas0.png", PNG), ("editor.json", b"{")]);
    let losses = upgraded(&broken).losses;
    assert!(losses.iter().any(|loss| loss.code == "editor-dropped"), "{losses:?}");
    // Unknown fields are dropped, with a reported loss.
    let mut odd = old();
    odd["bones"][2]["foo"] = json!(1);
    let losses = upgraded(&packed(&odd, &[("atlas0.png", PNG)])).losses;
    assert!(losses[0].code == "unknown-dropped" && losses[0].message.contains("/bones/2/foo"), "{losses:?}");
}

#[test]
fn animations_and_styles_can_be_chosen() {
    let mut armature = old();
    let go = armature["animations"][0].clone();
    let mut still = go.clone();
    still["name"] = json!("still");
    still["keyframes"] = json!([]);
    armature["animations"] = json!([go, still]);
    armature["styles"][0]["textures"] =
        json!([{"name": "box", "offset": {"x": 0, "y": 0}, "size": {"x": 2, "y": 2}, "atlas_idx": 0}]);
    let bytes = packed(&armature, &[("atlas0.png", PNG)]);
    let source = read(&bytes);
    let hat = source.model().find_skin("Hat");
    let mut keep = options("skelform", &Limits::default());
    (keep.animations, keep.skins) = (vec!["still".to_owned()], vec!["Hat".to_owned()]);
    let written = main_file(&converted(&bytes, &keep).expect("can be upgraded"));
    let found = read(&written);
    let names: Vec<&str> = found.model().animations().iter().map(|animation| animation.name.as_str()).collect();
    assert_eq!(names, ["still"]);
    assert_eq!(text(&written, "editor.json")["styles"], json!([{"active": true}, {"active": true}]));
    let (mut left, mut right) = (Pose::default(), Pose::default());
    evaluate(&source, &Cue { skins: hat.into_iter().collect(), ..Cue::default() }, &mut left);
    evaluate(&found, &Cue::default(), &mut right);
    assert!(left == right && bits(&source, &left) == bits(&found, &right));
    evaluate(&source, &Cue::default(), &mut left);
    assert!(bits(&source, &left) != bits(&found, &right), "the hat has another size");
}

// ---- The command.

#[test]
fn convert_preserves_the_contents_of_the_file() {
    let place = folder();
    let at = place.path();
    let bytes = packed(&old(), &[("atlas0.png", PNG)]);
    fs::write(at.join("old.skf"), &bytes).unwrap();
    let message =
        program::stderr(&fine(at, &["convert", "old.skf", "-o", "new.skf", "--loss-report", "loss.json"]));
    assert!(message.contains("keys-dropped") && message.contains("easing-dropped"), "{message}");
    assert!(fs::read(at.join("new.skf")).unwrap() == main_file(&upgraded(&bytes)));
    let report: Value = serde_json::from_slice(&fs::read(at.join("loss.json")).unwrap()).unwrap();
    assert_eq!((&report["from"], &report["to"]), (&json!("skelform"), &json!("skelform")));
    assert_eq!((&report["worst_error_px"], report.get("fps")), (&json!(0.0), None));
    // A current file loses nothing.
    let args = ["convert", "new.skf", "-o", "again.skf", "--loss-report", "loss.json", "--force"];
    let message = program::stderr(&fine(at, &args));
    assert!(message.starts_with("note: wrote ") && message.lines().count() == 1, "{message}");
    let report: Value = serde_json::from_slice(&fs::read(at.join("loss.json")).unwrap()).unwrap();
    assert_eq!(report["losses"], json!([]));
    assert!(fs::read(at.join("new.skf")).unwrap() == fs::read(at.join("again.skf")).unwrap());
    let message = fine(at, &["diff", "old.skf", "new.skf"]).stdout;
    assert!(String::from_utf8_lossy(&message).contains("same"), "the upgraded file does not differ");
    // Its own rate requires no sampling, another one does.
    fine(at, &["convert", "new.skf", "-o", "same.skf", "--fps", "12", "-q"]);
    assert!(fs::read(at.join("new.skf")).unwrap() == fs::read(at.join("same.skf")).unwrap());
    fine(at, &["convert", "new.skf", "-o", "baked.skf", "--fps", "24", "-q"]);
    let baked = text(&fs::read(at.join("baked.skf")).unwrap(), "armature.json");
    assert_eq!((&baked["animations"][0]["fps"], &baked["inverse_kinematics"]), (&json!(24), &json!([])));
    // Selected animations and styles.
    let message = refused(at, 2, &["convert", "new.skf", "-o", "x.skf", "--animation", "og"]);
    assert!(message.contains("`go`"), "{message}");
    fine(at, &["convert", "new.skf", "-o", "hat.skf", "--skin", "Hat", "--animation", "go", "-q"]);
    let hat = text(&fs::read(at.join("hat.skf")).unwrap(), "editor.json");
    assert_eq!(hat["styles"], json!([{"active": true}, {"active": true}]));
    // A missing image stays missing, with a warning of the reader.
    fs::write(at.join("bare.skf"), packed(&old(), &[])).unwrap();
    let message = program::stderr(&fine(at, &["convert", "bare.skf", "-o", "bare-new.skf"]));
    assert!(message.contains("missing-image"), "{message}");
}
