//! PCHR converted to Spine, compared by the visible result with our own reader and evaluator on both sides.

use std::path::{Path, PathBuf};

use crate::common;
use crate::common::outcome::{distance, draw, frame, shown, view_of};
use crate::common::v1::{Animation, BoneTransform, File};
use crate::common::{conformance_files, files_in, read, say, tiny};
use pchr::Character;
use pchr::diagnostics::Diagnostics;
use pchr::formats::image::encode_png;
use pchr::formats::spine::rewrite::Form;
use pchr::formats::spine::write::{Written, write};
use pchr::formats::{ReadOptions, open};
use pchr::limits::{Budget, Limits};

/// Tolerance in world pixels. Other readers with lower precision get a larger one.
const NEAR: f32 = 0.05;

fn json_3_8() -> Form {
    Form::of_target("spine38").expect("a target")
}

/// Writes a character and reads it back with our reader.
fn through_spine(character: &Character) -> (Written, Character) {
    let place = tempfile::tempdir().expect("a temporary folder");
    let pages = character.model().pages();
    let names: Vec<String> = (0..pages.len()).map(|index| format!("page-{index}.png")).collect();
    let written =
        write(character, &names, json_3_8(), &mut Budget::new(&Limits::default())).expect("can be written");
    for (page, name) in pages.iter().zip(&names) {
        let png = encode_png(page.width, page.height, &page.pixels).expect("a picture");
        std::fs::write(place.path().join(name), png).expect("can be written");
    }
    let json = place.path().join("it.json");
    std::fs::write(&json, &written.bytes).expect("can be written");
    if let Some(atlas) = &written.atlas {
        std::fs::write(place.path().join("it.atlas"), atlas).expect("can be written");
    }
    let mut diagnostics = Diagnostics::default();
    let read = open(&json, &ReadOptions::default(), &mut diagnostics).expect("our reader takes it");
    if character.model().attachments().iter().all(|item| item.mesh().is_some_and(|mesh| mesh.page.is_some())) {
        assert!(diagnostics.is_empty(), "{:?}", diagnostics.findings());
    }
    (written, read)
}

/// Compares every stored frame. Returns the largest distance of a corner.
#[track_caller]
fn assert_same(source: &Character, back: &Character, what: &str) -> f32 {
    let mut worst = 0.0_f32;
    for id in source.model().motions() {
        let animation = source.model().animation(id);
        let frames = if animation.fps() > 0.0 { animation.frame_count() } else { animation.frame_count().min(1) };
        let found = back.model().find_animation(&animation.name);
        let Some(found) = found else { continue };
        if frames > 0 && animation.fps() > 0.0 {
            assert_eq!(back.model().animation(found).frame_count(), frames, "{what}: {}", animation.name);
        }
        for at in 0..frames {
            let what = format!("{what}: {} frame {at}", animation.name);
            let a = shown(source, &frame(source, &animation.name, at));
            let b = shown(back, &frame(back, &animation.name, at));
            let far = distance(&a, &b, &what);
            assert!(far <= NEAR, "{what}: {far} px");
            worst = worst.max(far);
        }
    }
    worst
}

fn open_quietly(path: &Path) -> Option<Character> {
    open(path, &ReadOptions::default(), &mut Diagnostics::default()).ok()
}

fn knight() -> Character {
    Character::open(Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/paper-knight.pchr")).expect("the knight")
}

#[test]
fn the_knight_keeps_every_pose_and_every_picture() {
    let knight = knight();
    let (written, back) = through_spine(&knight);
    let worst = assert_same(&knight, &back, "knight");
    say(&format!("knight through Spine: worst {worst:.6} px, {} bytes of JSON", written.bytes.len()));
    for id in knight.model().motions() {
        let name = &knight.model().animation(id).name;
        for at in [0, 5] {
            let cue = frame(&knight, name, at);
            let view = view_of(&knight, &cue, 160);
            let (a, b) = (draw(&knight, &cue, &view), draw(&back, &frame(&back, name, at), &view));
            // The rasterizer rounds positions to 1/256 pixel, which is visible at edges.
            let differing = a.pixels().chunks(4).zip(b.pixels().chunks(4));
            let far = differing.filter(|(a, b)| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 2)).count();
            assert!(far <= 160 * 160 / 200, "{name} frame {at}: {far} pixels differ");
        }
    }
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
        let Some(character) = open_quietly(&file) else { continue };
        let (_, back) = through_spine(&character);
        assert_same(&character, &back, &file.display().to_string());
        count += 1;
    }
    assert!(count > 40, "only {count} fixtures could be read");
}

#[test]
fn conformance_pchr_keeps_every_pose() {
    let files = conformance_files("pchr", ".pchr");
    assert!(files.len() > 5, "{files:?}");
    for file in files {
        let character = open_quietly(&file).expect("a conforming file");
        let (written, back) = through_spine(&character);
        let worst = assert_same(&character, &back, &file.display().to_string());
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        say(&format!("{name} through Spine: worst {worst:.6} px, {} bytes of JSON", written.bytes.len()));
    }
}

fn at(x: f32, rotation: f32, flags: u8, z_order: i16) -> BoneTransform {
    BoneTransform { x, rotation, flags, z_order, ..BoneTransform::default() }
}

/// Two flags on two bones, with the frames of the animation `play`.
fn two_flags(looping: bool, frames: &[[BoneTransform; 2]]) -> File {
    let mut file = tiny();
    let mut second = file.meshes[0].clone();
    "second".clone_into(&mut second.name);
    let vertices = common::triangle(0);
    second.vertices = crate::common::v1::Mesh::new("", 0, &vertices, &[]).vertices;
    file.meshes.push(second);
    file.animations.truncate(1);
    let frames: Vec<Vec<BoneTransform>> = frames.iter().map(|frame| frame.to_vec()).collect();
    file.animations.push(Animation::new("play", looping, &frames));
    file
}

fn json(written: &Written) -> serde_json::Value {
    serde_json::from_slice(&written.bytes).expect("JSON")
}

#[test]
fn linear_motion_becomes_two_keys_and_rotations_are_split() {
    let frames: Vec<[BoneTransform; 2]> =
        (0..=40).map(|i| [at(i as f32 * 2.0, 0.0, 1, 0), at(0.0, i as f32 * 10.0, 1, 0)]).collect();
    let character = read(&two_flags(false, &frames));
    let (written, back) = through_spine(&character);
    assert_same(&character, &back, "lines");
    let json = json(&written);
    let bones = &json["animations"]["play"]["bones"];
    assert_eq!(bones["root"]["translate"].as_array().map(Vec::len), Some(2), "{bones}");
    let turns = bones["tip"]["rotate"].as_array().map(Vec::len);
    // 400° in steps of at most 170°, and a key at the end of the last frame.
    assert!(turns.is_some_and(|turns| (4..=5).contains(&turns)), "{bones}");
    assert!(bones["root"].get("scale").is_none() && bones["tip"].get("scale").is_none(), "{bones}");
}

#[test]
fn visibility_and_draw_order_are_keyed() {
    let frames = [
        [at(0.0, 0.0, 1, 5), at(0.0, 0.0, 1, 1)],
        [at(0.0, 0.0, 1, 5), at(0.0, 0.0, 0, 1)],
        [at(0.0, 0.0, 1, 0), at(0.0, 0.0, 1, 1)],
        [at(0.0, 0.0, 0, 0), at(0.0, 0.0, 1, 1)],
    ];
    for looping in [false, true] {
        let character = read(&two_flags(looping, &frames));
        let (written, back) = through_spine(&character);
        assert_same(&character, &back, "order");
        let message: Vec<_> = written.losses.iter().map(|loss| loss.code).collect();
        assert_eq!(message, if looping { vec![] } else { vec!["plays-once"] });
        let json = json(&written);
        assert_eq!(json["slots"][0]["name"], "flag", "the tip is behind in the first frame");
        let order = json["animations"]["play"]["drawOrder"].as_array().expect("keys of the order");
        assert_eq!(order.len(), 2, "{order:?}");
        assert!(order[0].get("offsets").is_none());
    }
}

#[test]
fn keys_are_charged_before_they_are_created() {
    let frames: Vec<[BoneTransform; 2]> =
        (0..100).map(|i| [at(0.0, 0.0, i % 2, 0), at(0.0, 0.0, 1, i16::from(i))]).collect();
    let mut file = two_flags(true, &frames);
    file.meshes = vec![file.meshes[1].clone(); 100];
    let limits = Limits { memory_bytes: 1 << 20, ..Limits::default() };
    let error = write(&read(&file), &["page.png".to_owned()], json_3_8(), &mut Budget::new(&limits))
        .expect_err("10000 keys are too many");
    assert!(error.to_string().contains("memory-bytes"), "{error}");
    let error = pchr::formats::skelform::write::write(&read(&file), &[[0_u8; 0]], &mut Budget::new(&limits))
        .expect_err("here too");
    assert!(error.to_string().contains("memory-bytes"), "{error}");
}

#[test]
fn a_bone_that_is_flat_at_rest_can_grow() {
    let grown = |scale_y| BoneTransform { scale_y, ..at(0.0, 0.0, 1, 0) };
    let mut file = two_flags(true, &[[grown(0.0), grown(1.0)], [grown(0.5), grown(2.0)]]);
    file.animations[0] = Animation::new("bind", false, &[vec![grown(0.0), grown(1.0)]]);
    let character = read(&file);
    let (_, back) = through_spine(&character);
    assert_same(&character, &back, "flat");
}
