//! Compares Adobe Animate's texture atlases with the conformance data: the sprites of every frame, back to front, with
//! matrices, colours, blend modes and masks.
//!
//! Input: `animate/rigs/*/expected*.json` and the atlases beside them.

use std::collections::BTreeSet;
use std::path::Path;

use pchr::Character;
use pchr::diagnostics::Diagnostics;
use pchr::formats::{MovieClips, ReadOptions, open};
use pchr::math::Affine2;
use pchr::model::Attachment;
use pchr::motion::{Cue, Evaluator, Position};
use pchr::pose::Pose;
use serde_json::Value;

use crate::common::corpus::conformance_files;
use crate::common::say;

/// Rounding of the goldens, in pixels.
const MATRIX: f64 = 0.01;
/// Rounding of the goldens, of 1.
const COLOR: f64 = 0.005;
/// Frames with colours that a tint cannot hold.
const BEYOND_TINTS: [(&str, usize); 3] = [("08-colours", 4), ("08-colours", 6), ("08-colours", 7)];

/// Reads an atlas with the whole root timeline as its last animation.
fn read(path: &Path, movie_clips: MovieClips) -> Character {
    let text = std::fs::read(path.with_file_name("Animation.json")).expect("the atlas");
    let text = String::from_utf8_lossy(&text);
    let json: Value = serde_json::from_str(text.trim_start_matches('\u{feff}')).expect("JSON");
    let main = json.get("AN").unwrap_or_else(|| &json["ANIMATION"]);
    let name = main.get("SN").unwrap_or_else(|| &main["SYMBOL_name"]).as_str().expect("a name").to_owned();
    let options = ReadOptions { movie_clips, symbols: vec![name], ..ReadOptions::default() };
    open(path, &options, &mut Diagnostics::default()).expect("an atlas that can be read")
}

/// Returns a matrix with y down.
fn matrix(matrix: &Affine2) -> [f64; 6] {
    let [a, b, c, d, x, y] = matrix.to_cols_array().map(f64::from);
    [a, -b, -c, d, x, -y]
}

fn numbers(value: &Value, len: usize) -> Vec<f64> {
    let list = value.as_array().map(Vec::as_slice).unwrap_or_default();
    let list: Vec<f64> = list.iter().map(|number| number.as_f64().expect("a number")).collect();
    assert_eq!(list.len(), len);
    list
}

fn differ(found: &[f64], expected: &[f64], by: f64) -> bool {
    found.len() != expected.len() || found.iter().zip(expected).any(|(a, b)| (a - b).abs() > by)
}

/// Goldens also list what covers no area, and empty pictures, which are millions of pixels away.
fn is_drawn(sprite: &&Value) -> bool {
    let [a, b, c, d, x, y] = numbers(&sprite["m"], 6)[..] else { return false };
    a * d - b * c != 0.0 && x.abs().max(y.abs()) <= 1e6
}

/// Compares what is drawn with a frame of a golden.
fn faults(character: &Character, pose: &Pose, expected: &[Value], has_colors: bool) -> Vec<String> {
    let model = character.model();
    let (mut mask, mut end, mut drawn) = (Vec::new(), None, Vec::new());
    for &id in &pose.draw_order {
        match pose.slots[id.index()].attachment.map(|shown| model.attachment(shown)) {
            Some(Attachment::ClipMask(it)) if end.is_none() => {
                let bones: BTreeSet<u32> = it.polygon.vertices.influences().iter().map(|it| it.bone).collect();
                let bones = bones.into_iter().map(|bone| &pose.world_from_bone[bone as usize]);
                mask = bones.filter(|bone| **bone != Affine2::ZERO).map(matrix).collect();
                end = it.end;
            }
            Some(Attachment::Region(mesh)) => drawn.push((id, mesh, mask.clone())),
            _ => {}
        }
        if end == Some(id) {
            (mask, end) = (Vec::new(), None);
        }
    }
    let names: Vec<&str> = drawn.iter().map(|(_, mesh, _)| &*mesh.name).collect();
    let wanted: Vec<&str> = expected.iter().map(|it| it["sprite"].as_str().expect("a name")).collect();
    if names != wanted {
        return vec![format!("sprites {names:?}, expected {wanted:?}")];
    }
    let mut faults = Vec::new();
    for ((id, mesh, mask), it) in drawn.into_iter().zip(expected) {
        let slot = model.slot(id);
        let bone = slot.bone.expect("a bone");
        let found = matrix(&pose.world_from_bone[bone.index()]);
        if differ(&found, &numbers(&it["m"], 6), MATRIX) {
            faults.push(format!("{}: matrix {found:?}, expected {}", mesh.name, it["m"]));
        }
        let tint = pose.slots[id.index()].tint;
        let color = it.get("c").map_or_else(|| vec![1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0], |it| numbers(it, 8));
        let dark = tint.dark.unwrap_or_default().map(f64::from);
        let mut found: Vec<f64> = tint.light.iter().map(|it| f64::from(*it)).chain(dark).collect();
        (0..3).for_each(|channel| found[channel] -= dark[channel]);
        let color: Vec<f64> = color[..4].iter().copied().chain(color[4..7].iter().map(|it| it / 255.0)).collect();
        if has_colors && differ(&found, &color, COLOR) {
            faults.push(format!("{}: colour {found:?}, expected {color:?}", mesh.name));
        }
        let blend = match it.get("blend").and_then(Value::as_str) {
            Some("add") => "additive",
            Some(known @ ("multiply" | "screen")) => known,
            _ => "normal",
        };
        if slot.blend.name() != blend {
            faults.push(format!("{}: blend mode {}, expected {blend}", mesh.name, slot.blend.name()));
        }
        // Of several masks the inner one cuts.
        let clip = it.get("clip").and_then(Value::as_array).and_then(|clips| clips.last());
        let clip = clip.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let wanted: Vec<Vec<f64>> = clip.iter().map(|it| numbers(&it["m"], 6)).collect();
        if mask.len() != wanted.len() || mask.iter().zip(&wanted).any(|(a, b)| differ(a, b, MATRIX)) {
            faults.push(format!("{}: mask {mask:?}, expected {wanted:?}", mesh.name));
        }
    }
    faults
}

/// Compares all frames; returns their number and that of all sprites.
fn check(golden: &Path, atlas: &Path, movie_clips: MovieClips, faults_found: &mut Vec<String>) -> [usize; 2] {
    let golden_text = std::fs::read(golden).expect("a golden");
    let expected: Value = serde_json::from_slice(&golden_text).expect("JSON");
    let character = read(atlas, movie_clips);
    let rig = golden.parent().and_then(Path::file_name).expect("a folder").to_string_lossy();
    let whole = character.model().animations().last().expect("the root timeline");
    let id = character.model().find_animation(&whole.name);
    let frames = expected["frames"].as_array().expect("frames");
    assert_eq!(whole.frame_count() as usize, frames.len(), "{rig}");
    assert_eq!(whole.fps(), expected["frameRate"].as_f64().expect("a rate"), "{rig}");
    let (mut evaluator, mut pose) = (Evaluator::default(), Pose::default());
    let mut at = |frame: usize, pose: &mut Pose| {
        let cue = Cue { animation: id, position: Position::frame(frame as u32), ..Cue::default() };
        evaluator.evaluate(&character, &cue, pose);
    };
    let mut sprites = 0;
    for (frame, expected) in frames.iter().enumerate() {
        at(frame, &mut pose);
        let expected: Vec<Value> =
            expected.as_array().expect("sprites").iter().filter(is_drawn).cloned().collect();
        sprites += expected.len();
        let has_colors = !BEYOND_TINTS.contains(&(&*rig, frame));
        let found = faults(&character, &pose, &expected, has_colors);
        faults_found.extend(found.into_iter().map(|fault| format!("{rig} frame {frame}: {fault}")));
    }
    // Scrubbing back gives the same poses.
    for frame in (0..frames.len()).rev() {
        let mut again = Pose::default();
        pchr::motion::evaluate(
            &character,
            &Cue { animation: id, position: Position::frame(frame as u32), ..Cue::default() },
            &mut again,
        );
        at(frame, &mut pose);
        assert!(again == pose, "{rig} frame {frame} depends on earlier frames");
    }
    labels(&character, &expected, &rig);
    [frames.len(), sprites]
}

/// Every label is an animation of the frames of all its keyframes.
fn labels(character: &Character, expected: &Value, rig: &str) {
    let mut lengths: Vec<(String, u64)> = Vec::new();
    for label in expected["labels"].as_array().expect("labels") {
        let (name, frames) = (label["name"].as_str().expect("a name"), label["frames"].as_u64().expect("frames"));
        match lengths.iter_mut().find(|(known, _)| known == name) {
            Some((_, length)) => *length += frames,
            None => lengths.push((name.to_owned(), frames)),
        }
    }
    let animations = character.model().animations();
    let found: Vec<(String, u64)> = animations
        .iter()
        .map(|it| (it.name.clone(), it.frame_count().into()))
        .take(animations.len() - 1)
        .collect();
    if !lengths.is_empty() {
        assert_eq!(found, lengths, "{rig}");
    }
}

#[test]
fn conformance_animate() {
    let (mut all, mut faults, mut rigs) = ([0, 0], Vec::new(), 0);
    for golden in conformance_files("animate/rigs", ".json") {
        let name = golden.file_name().expect("a name").to_string_lossy().into_owned();
        let movie_clips = match &*name {
            "expected.json" => MovieClips::First,
            "expected.swf.json" => MovieClips::Play,
            _ => continue,
        };
        let folder = golden.parent().expect("a folder");
        for atlas in ["Animation.json", "Animation.zip", "atlas.zip"] {
            let atlas = folder.join(atlas);
            if atlas.exists() {
                let counts = check(&golden, &atlas, movie_clips, &mut faults);
                (all, rigs) = ([all[0] + counts[0], all[1] + counts[1]], rigs + 1);
            }
        }
    }
    say(&format!("animate: {rigs} atlases, {} frames, {} sprites, {} faults", all[0], all[1], faults.len()));
    assert!(rigs >= 25, "{rigs} atlases");
    assert!(faults.is_empty(), "{} differ:\n{}", faults.len(), faults.join("\n"));
}
