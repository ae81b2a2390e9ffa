//! PCHR converted to SkelForm, compared by the visible result.

use std::path::{Path, PathBuf};

use crate::common;
use crate::common::outcome::{distance, frame, shown};
use crate::common::skelform_pose;
use crate::common::v1::{Animation, BoneTransform, File, Mesh, Vertex};
use crate::common::{bone, conformance_files, files_in, read, say, tiny, vertex};
use pchr::Character;
use pchr::diagnostics::Diagnostics;
use pchr::formats::image::encode_png;
use pchr::formats::skelform::write::{Written, write};
use pchr::formats::{ReadOptions, open};
use pchr::limits::{Budget, Limits};
use serde_json::Value;

/// Tolerance in world pixels.
const NEAR: f32 = 0.05;

fn through_skelform(character: &Character) -> (Written, Value) {
    let pages = character.model().pages().iter();
    let pages: Vec<Vec<u8>> =
        pages.map(|page| encode_png(page.width, page.height, &page.pixels).expect("a picture")).collect();
    let written = write(character, &pages, &mut Budget::new(&Limits::default())).expect("can be written");
    let armature = serde_json::from_slice(&skelform_pose::entry(&written.bytes, "armature.json")).expect("JSON");
    (written, armature)
}

/// Compares every stored frame, in both interpretations of mirrored bones. Returns the largest distance of a
/// corner.
#[track_caller]
fn assert_same(source: &Character, armature: &Value, what: &str) -> f32 {
    let mut worst = 0.0_f32;
    let mut seen = std::collections::HashSet::new();
    for id in source.model().motions() {
        let animation = source.model().animation(id);
        // Duplicate names: only the first can be found.
        if !seen.insert(&animation.name) || animation.name.is_empty() {
            continue;
        }
        let frames = if animation.fps() > 0.0 { animation.frame_count() } else { animation.frame_count().min(1) };
        for at in 0..frames {
            let what = format!("{what}: {} frame {at}", animation.name);
            let mut a = shown(source, &frame(source, &animation.name, at));
            a.retain(|(name, _)| has_picture(source, name));
            for mirrors in [false, true] {
                let far = distance(&a, &skelform_pose::shown(armature, Some(&animation.name), at, mirrors), &what);
                assert!(far <= NEAR, "{what}: {far} px");
                worst = worst.max(far);
            }
        }
        if frames > 1 {
            let found = armature["animations"].as_array().into_iter().flatten();
            let found = found.into_iter().find(|found| found["name"] == animation.name.as_str()).expect("it");
            let last = found["keyframes"].as_array().and_then(|keys| keys.last()).map(|key| key["frame"].clone());
            assert_eq!(last, Some((frames - 1).into()), "{what}: {}", animation.name);
        }
    }
    worst
}

fn has_picture(character: &Character, mesh: &str) -> bool {
    let meshes = character.model().attachments().iter().filter_map(|attachment| attachment.mesh());
    let named = |found: &&pchr::model::Mesh| *found.name == *mesh || (mesh == "mesh" && found.name.is_empty());
    meshes.into_iter().find(named).is_some_and(|mesh| mesh.page.is_some())
}

#[test]
fn the_knight_keeps_every_pose() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/paper-knight.pchr");
    let knight = Character::open(file).expect("the knight");
    let (written, armature) = through_skelform(&knight);
    let worst = assert_same(&knight, &armature, "knight");
    let bones = armature["bones"].as_array().map_or(0, Vec::len);
    say(&format!("knight through SkelForm: worst {worst:.6} px, {bones} bones, {} bytes", written.bytes.len()));
}

#[test]
fn fixtures_keep_every_pose() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut files: Vec<PathBuf> = Vec::new();
    for form in ["pchr", "pchr-json", "pchr-packed"] {
        for entry in std::fs::read_dir(root.join(form)).expect("the fixtures") {
            let folder = entry.expect("an entry").path();
            if folder.is_dir() {
                files.extend(files_in(&folder, "input.pchr"));
                files.extend(files_in(&folder, "input.json"));
            }
        }
    }
    let mut count = 0;
    for file in files {
        let Ok(character) = open(&file, &ReadOptions::default(), &mut Diagnostics::default()) else { continue };
        let (_, armature) = through_skelform(&character);
        assert_same(&character, &armature, &file.display().to_string());
        count += 1;
    }
    assert!(count > 40, "only {count} fixtures could be read");
}

#[test]
fn conformance_pchr_keeps_every_pose() {
    let files = conformance_files("pchr", ".pchr");
    assert!(files.len() > 5, "{files:?}");
    for file in files {
        let character =
            open(&file, &ReadOptions::default(), &mut Diagnostics::default()).expect("a conforming file");
        let (written, armature) = through_skelform(&character);
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let worst = assert_same(&character, &armature, &name);
        let bones = armature["bones"].as_array().map_or(0, Vec::len);
        let message: Vec<_> = written.losses.iter().map(|loss| loss.code).collect();
        say(&format!(
            "{name} through SkelForm: worst {worst:.6} px, {bones} bones for {}, {} bytes {message:?}",
            character.model().skeleton().bones().len(),
            written.bytes.len()
        ));
    }
}

fn at(x: f32, y: f32, rotation: f32, scale_x: f32, scale_y: f32) -> BoneTransform {
    BoneTransform { x, y, rotation, scale_x, scale_y, ..BoneTransform::default() }
}

/// A chain of three bones, with a mesh on the last that all of them influence.
fn arm(bind: [BoneTransform; 3], frames: &[[BoneTransform; 3]], weights: [f32; 4]) -> File {
    let mut file = tiny();
    file.bones = vec![bone("a", -1), bone("b", 0), bone("c", 1)];
    let corner = |x, y| Vertex { bone_ids: [0, 1, 2, 2], bone_weights: weights, ..vertex(x, y, 0) };
    file.meshes =
        vec![Mesh::new("arm", 0, &[corner(0.0, 0.0), corner(30.0, 10.0), corner(-20.0, 40.0)], &[0, 1, 2])];
    let frames: Vec<Vec<BoneTransform>> = frames.iter().map(|frame| frame.to_vec()).collect();
    file.animations = vec![Animation::new("bind", false, &[bind.to_vec()]), Animation::new("play", true, &frames)];
    file
}

const BIND: [[f32; 5]; 3] =
    [[1.0, 2.0, 10.0, 1.0, 1.0], [0.0, 20.0, 30.0, 1.0, 1.0], [0.0, 15.0, -70.0, 1.0, 1.0]];

fn bones([a, b, c]: [[f32; 5]; 3]) -> [BoneTransform; 3] {
    [a, b, c].map(|[x, y, rotation, scale_x, scale_y]| at(x, y, rotation, scale_x, scale_y))
}

#[test]
fn uniform_scales_need_one_unkeyed_helper_per_bone() {
    let frames = [BIND, [[5.0, 2.0, 50.0, 2.0, 2.0], [0.0, 20.0, -30.0, 0.5, 0.5], [0.0, 15.0, 70.0, 1.5, 1.5]]];
    let character = read(&arm(bones(BIND), &frames.map(bones), [0.25, 0.25, 0.5, 0.0]));
    let (written, armature) = through_skelform(&character);
    assert_same(&character, &armature, "even");
    assert!(written.losses.is_empty(), "{:?}", written.losses);
    let names: Vec<_> = armature["bones"].as_array().expect("bones").iter().map(|bone| &bone["name"]).collect();
    assert_eq!(names, ["a", "b", "c", "a bind", "b bind", "c bind", "arm"]);
    let keys = armature["animations"][0]["keyframes"].as_array().expect("keys");
    assert!(keys.iter().all(|key| key["bone_id"].as_u64() < Some(3)), "{keys:?}");
}

#[test]
fn shear_needs_two_helpers() {
    let frames =
        [BIND, [[5.0, 2.0, 50.0, 2.0, 1.0], [0.0, 20.0, -30.0, 0.5, -3.0], [0.0, 15.0, 200.0, -1.5, 0.5]]];
    for weights in [[0.25, 0.25, 0.5, 0.0], [0.0, 0.0, 1.0, 0.0], [0.1, 0.2, 0.3, 0.1], [0.5, 0.5, 0.5, 0.5]] {
        let character = read(&arm(bones(BIND), &frames.map(bones), weights));
        let (written, armature) = through_skelform(&character);
        assert_same(&character, &armature, &format!("{weights:?}"));
        assert_eq!(written.losses[0].code, "bone-detached");
        let names: Vec<_> =
            armature["bones"].as_array().expect("bones").iter().map(|bone| &bone["name"]).collect();
        assert!(names.iter().any(|name| **name == "c bind mirroring"), "{names:?}");
    }
}

#[test]
fn a_bone_with_nonuniform_scale_at_rest() {
    let bind = [[1.0, 2.0, 10.0, 1.0, 3.0], BIND[1], BIND[2]];
    let character = read(&arm(bones(bind), &[BIND, bind].map(bones), [0.25, 0.25, 0.5, 0.0]));
    let (_, armature) = through_skelform(&character);
    assert_same(&character, &armature, "uneven");
    // In the rest pose everything is as authored.
    let rest = skelform_pose::shown(&armature, None, 0, true);
    assert!(rest[0].1[1].distance(pchr::math::vec2(30.0, 10.0)) < 0.001, "{rest:?}");
}

#[test]
fn children_of_hidden_bones_are_visible() {
    let mut file = tiny();
    file.meshes.push(Mesh { name: "trunk".to_owned(), ..Mesh::new("", 0, &common::triangle(0), &[0, 1, 2]) });
    let hidden = BoneTransform { flags: 0, ..at(0.0, 0.0, 0.0, 1.0, 1.0) };
    let seen = BoneTransform { z_order: -3, ..at(0.0, 10.0, 0.0, 1.0, 1.0) };
    file.animations.push(Animation::new(
        "hide",
        true,
        &[vec![seen, seen], vec![hidden, seen], vec![seen, hidden]],
    ));
    let character = read(&file);
    let (_, armature) = through_skelform(&character);
    assert_same(&character, &armature, "hidden");
}
