//! Adobe Animate's texture atlases in other formats: what our player shows of the result, at every frame.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use pchr::Character;
use pchr::convert::{ConvertError, ConvertOptions, Converted, open};
use pchr::diagnostics::Diagnostics;
use pchr::formats::table::target;
use pchr::formats::{Folder, Input, ReadOptions};
use pchr::math::Affine2;
use pchr::model::{Attachment, SlotId};
use pchr::motion::{Cue, Position, evaluate};
use pchr::pose::{Pose, clip_polygon, palette};

use crate::common::corpus::conformance_files;
use crate::common::{root, say};

/// Distance in pixels: the goldens of these atlases are rounded to as much.
const NEAR: f32 = 0.01;
/// Colours of keys have 8 bits.
const COLOR: f32 = 0.005;

const SPINE: [&str; 10] =
    ["spine38", "spine40", "spine41", "spine42", "spine43", "skel38", "skel40", "skel41", "skel42", "skel43"];

/// The robot in both spellings, and all rigs.
fn atlases() -> Vec<PathBuf> {
    let robot = root().join("tests/fixtures/paper-robot");
    let robots = ["Animation.json", "long/Animation.json"].map(|name| robot.join(name));
    let rigs = conformance_files("animate/rigs", ".json").into_iter();
    let rigs = rigs.filter(|path| path.ends_with("Animation.json") && !path.to_string_lossy().contains("LIBRARY"));
    let all: Vec<PathBuf> = robots.into_iter().chain(rigs).collect();
    assert!(all.len() >= 23, "{} atlases", all.len());
    all
}

/// Converts a file, and returns the result, opened from `place`, and the findings about the source.
fn converted(path: &Path, to: &str, place: &Path) -> Result<(Converted, Character, Diagnostics), ConvertError> {
    let sidecars = Folder::of(path);
    let input = Input { bytes: fs::read(path).expect("a file").into(), sidecars: &sidecars };
    let mut found = Diagnostics::default();
    let opened = open(input, &ReadOptions::default(), &mut found).expect("it opens");
    let to = target(to).expect("a target");
    let main = format!("it.{}", to.extension);
    let converted = opened.convert(&ConvertOptions::new(to, main.clone()))?;
    fs::create_dir_all(place).expect("a folder");
    for file in converted.files.files.iter().chain(&converted.files.pictures) {
        let mut bytes = Vec::new();
        file.write_to(&mut bytes).expect("memory");
        fs::write(place.join(&file.name), bytes).expect("space");
    }
    let result = Character::open(place.join(main)).expect("the result opens");
    Ok((converted, result, found))
}

/// One picture that is drawn.
struct Drawn {
    corners: Vec<[f32; 4]>,
    light: [f32; 4],
    dark: [f32; 3],
    blend: &'static str,
    /// Corners of the mask.
    clip: Vec<[f32; 2]>,
}

/// Returns what a frame draws, back to front.
fn drawn(character: &Character, name: &str, seconds: f64) -> Vec<Drawn> {
    let model = character.model();
    let id = model.find_animation(name).expect("the animation");
    let cue = Cue { animation: Some(id), position: Position::Seconds(seconds), ..Cue::default() };
    let (mut pose, mut matrices) = (Pose::default(), Vec::new());
    evaluate(character, &cue, &mut pose);
    palette(model, &pose, &mut matrices);
    let (mut clip, mut end, mut all) = (Vec::new(), None, Vec::new());
    for &slot in &pose.draw_order {
        let state = &pose.slots[slot.index()];
        match state.attachment.filter(|_| pose.is_slot_active(model, slot)).map(|shown| model.attachment(shown)) {
            Some(Attachment::ClipMask(mask)) if end.is_none() => {
                let mut corners = Vec::new();
                clip_polygon(model, &pose, slot, &matrices, &mut corners);
                let bones = mask.polygon.vertices.influences().iter().map(|corner| corner.bone as usize);
                let shown = bones.map(|bone| pose.world_from_bone[bone] != Affine2::ZERO);
                let weighted = mask.polygon.vertices.influences().len() == corners.len();
                let kept = corners.iter().zip(shown).filter(|(_, is)| *is || !weighted);
                (clip, end) = (kept.map(|(corner, _)| corner.to_array()).collect(), mask.end);
            }
            Some(Attachment::Region(mesh) | Attachment::Mesh(mesh)) if !mesh.indices.is_empty() => {
                let mut corners = Vec::new();
                pchr::pose::for_each_deformed_vertex(&mesh.vertices, &[], &matrices, |at, uv| {
                    corners.push([at.x, at.y, uv.x, uv.y]);
                });
                let light = std::array::from_fn(|channel| state.tint.light[channel] * mesh.tint[channel]);
                let (dark, blend) = (state.tint.dark.unwrap_or_default(), model.slot(slot).blend.name());
                all.push(Drawn { corners, light, dark, blend, clip: clip.clone() });
            }
            _ => {}
        }
        let ended: Option<SlotId> = end.filter(|end| *end == slot);
        if ended.is_some() {
            (clip, end) = (Vec::new(), None);
        }
    }
    all
}

fn far<const N: usize>(a: &[[f32; N]], b: &[[f32; N]], by: f32) -> bool {
    let near = |a: &[f32; N], b: &[f32; N]| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= by);
    let covers = |a: &[[f32; N]], b: &[[f32; N]]| a.iter().all(|a| b.iter().any(|b| near(a, b)));
    !covers(a, b) || !covers(b, a)
}

/// Returns what differs between two frames.
fn differences(found: &[Drawn], expected: &[Drawn], is_spine: bool) -> Vec<String> {
    if found.len() != expected.len() {
        return vec![format!("{} pictures, expected {}", found.len(), expected.len())];
    }
    let pairs = found.iter().zip(expected).enumerate();
    let one = |(at, (found, expected)): (usize, (&Drawn, &Drawn))| {
        let mut wrong = Vec::new();
        if far(&found.corners, &expected.corners, NEAR) {
            wrong.push(format!("picture {at}: {:?}, expected {:?}", found.corners, expected.corners));
        }
        if is_spine {
            let tints =
                far(&[found.light], &[expected.light], COLOR) || far(&[found.dark], &[expected.dark], COLOR);
            if tints {
                wrong.push(format!(
                    "picture {at}: {:?} {:?}, expected {:?}",
                    found.light, found.dark, expected.light
                ));
            }
            if found.blend != expected.blend {
                wrong.push(format!("picture {at}: {}, expected {}", found.blend, expected.blend));
            }
            if far(&found.clip, &expected.clip, NEAR) {
                wrong.push(format!("picture {at}: mask {:?}, expected {:?}", found.clip, expected.clip));
            }
        }
        wrong
    };
    pairs.flat_map(one).collect()
}

/// Parts of a frame after its start.
const WITHIN: [f64; 3] = [0.0, 0.5, 0.999];

/// Compares all frames of all animations at these times within a frame. Returns the number of pictures.
fn compare(
    [result, source]: [&Character; 2],
    within: &[f64],
    is_spine: bool,
    what: &str,
    wrong: &mut Vec<String>,
) -> usize {
    let mut count = 0;
    for animation in source.model().animations() {
        for frame in 0..animation.frame_count() {
            for part in within {
                let at =
                    |character| drawn(character, &animation.name, animation.seconds_at(f64::from(frame) + part));
                let (found, expected) = (at(result), at(source));
                count += expected.len();
                let frame = format!("{what}: {} frame {frame}+{part}", animation.name);
                let faults = differences(&found, &expected, is_spine);
                wrong.extend(faults.into_iter().map(|fault| format!("{frame}: {fault}")));
            }
        }
    }
    count
}

fn codes(losses: &[pchr::formats::Loss]) -> BTreeSet<&str> {
    losses.iter().map(|loss| loss.code).collect()
}

#[test]
fn spine_shows_every_frame_exactly() {
    let place = tempfile::tempdir().expect("a folder");
    let (mut count, mut keys, mut wrong) = (0, 0, Vec::new());
    for (number, path) in atlases().iter().enumerate() {
        let source = Character::open(path).expect("it opens");
        for to in SPINE {
            let folder = place.path().join(format!("{number}-{to}"));
            let (converted, result, _) = converted(path, to, &folder).expect("it can be converted");
            let what = format!("{} as {to}", path.display());
            assert_eq!(codes(&converted.losses), BTreeSet::new(), "{what}");
            if to == "spine42" {
                let json: serde_json::Value =
                    serde_json::from_slice(&fs::read(folder.join("it.json")).expect("a file")).expect("JSON");
                keys += keys_that_change(&json["animations"], &what);
            }
            count += compare([&result, &source], &WITHIN, true, &what, &mut wrong);
        }
    }
    say(&format!("{count} pictures, {keys} keys, {} differences", wrong.len()));
    assert!(keys > 100, "{keys} keys");
    assert!(wrong.is_empty(), "{}", wrong[..wrong.len().min(20)].join("\n"));
    assert!(count > 10_000, "{count} pictures");
}

/// Keys are stepped, and no key repeats the one before, but the last one of the root, at the end of the animation. Returns
/// the number of keys.
fn keys_that_change(animations: &serde_json::Value, what: &str) -> usize {
    let mut count = 0;
    for (name, animation) in animations.as_object().into_iter().flatten() {
        for group in ["bones", "slots"] {
            for (part, timelines) in
                animation[group].as_object().into_iter().flatten().filter(|(part, _)| *part != "root")
            {
                for (property, keys) in timelines.as_object().into_iter().flatten() {
                    let keys = keys.as_array().expect("keys");
                    let values: Vec<serde_json::Value> = keys
                        .iter()
                        .map(|key| {
                            let mut key = key.clone();
                            let fields = key.as_object_mut().expect("a key");
                            fields.remove("time");
                            fields.remove("curve");
                            key
                        })
                        .collect();
                    let at = format!("{what}: {name}/{part}/{property}");
                    assert!(values.windows(2).all(|pair| pair[0] != pair[1]), "{at}: {keys:?}");
                    let is_stepped =
                        |key: &serde_json::Value| property == "attachment" || key["curve"] == "stepped";
                    assert!(keys.iter().rev().skip(1).all(is_stepped), "{at}: {keys:?}");
                    count += keys.len();
                }
            }
        }
    }
    count
}

/// The codes of what stored frames cannot represent of a character.
fn expected_losses(source: &Character) -> BTreeSet<&'static str> {
    let mut codes = BTreeSet::new();
    for animation in source.model().animations() {
        for frame in 0..animation.frame_count() {
            for picture in drawn(source, &animation.name, animation.seconds_at(f64::from(frame) + 0.5)) {
                let is_tinted = picture.light != [1.0; 4] || picture.dark != [0.0; 3];
                let kinds = [
                    ("blend-dropped", picture.blend != "normal"),
                    ("clip-dropped", !picture.clip.is_empty()),
                    ("tint-dropped", is_tinted),
                ];
                codes.extend(kinds.into_iter().filter(|(_, is)| *is).map(|(code, _)| code));
            }
        }
    }
    codes
}

#[test]
fn stored_frames_keep_shear_and_order_and_name_their_losses() {
    let place = tempfile::tempdir().expect("a folder");
    let (mut count, mut wrong, mut lost) = (0, Vec::new(), BTreeSet::new());
    for (number, path) in atlases().iter().enumerate() {
        let source = Character::open(path).expect("it opens");
        let expected = expected_losses(&source);
        for to in ["pchr", "pchr-json", "pachario", "skelform"] {
            let folder = place.path().join(format!("{number}-{to}"));
            let (converted, result, _) = converted(path, to, &folder).expect("it can be converted");
            let what = format!("{} as {to}", path.display());
            let mut found = codes(&converted.losses);
            if to == "skelform" {
                // Sheared bones and those below them.
                found.remove("bone-detached");
                found.remove("plays-once");
            }
            assert_eq!(found, expected, "{what}");
            lost.extend(expected.iter().copied());
            // Keys of SkelForm are interpolated.
            let within = if to == "skelform" { &WITHIN[..1] } else { &WITHIN };
            count += compare([&result, &source], within, false, &what, &mut wrong);
        }
    }
    say(&format!("{count} pictures, {} differences, {lost:?}", wrong.len()));
    assert!(wrong.is_empty(), "{}", wrong[..wrong.len().min(20)].join("\n"));
    assert_eq!(lost.len(), 3, "{lost:?}");
    assert!(count > 4000, "{count} pictures");
}

#[test]
fn what_the_reader_cannot_show_is_found() {
    let rig = |name: &str| {
        let mut rigs = atlases().into_iter();
        rigs.find(|path| path.to_string_lossy().contains(name)).expect("the rig")
    };
    let fixture = |name: &str| root().join("tests/fixtures/animate").join(name).join("Animation.json");
    let place = tempfile::tempdir().expect("a folder");
    for (path, code) in [
        (rig("18-blend-filter"), "not-drawn"),
        (rig("08-colours"), "clamped-color"),
        (fixture("mask-in-mask"), "nested-mask"),
        (fixture("keyframe-effects"), "not-drawn"),
    ] {
        let (_, _, found) = converted(&path, "spine42", place.path()).expect("it can be converted");
        let found: Vec<&str> = found.warnings().map(|fault| fault.code).collect();
        assert!(found.contains(&code), "{}: {found:?}", path.display());
    }
    let error = converted(&rig("01-nesting"), "sheet", place.path()).expect_err("it is no sheet");
    assert!(matches!(error, ConvertError::Input(error) if error.code() == "other-format"));
    let path = fixture("spritemap-missing");
    let error = converted(&path, "spine42", place.path()).map(|_| ()).err();
    assert!(matches!(&error, Some(ConvertError::Incomplete(_))), "{error:?}");
}
