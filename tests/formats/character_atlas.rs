//! Characters whose pictures are a texture atlas of Adobe Animate, beyond the conformance data.

use pchr::Character;
use pchr::Error;
use pchr::diagnostics::Diagnostics;
use pchr::formats::{Files, ReadOptions};
use pchr::motion::{Cue, Position, evaluate};
use pchr::pose::Pose;

/// A label and a symbol have the same name; the symbol is two frames long, the label three.
const ANIMATION: &str = r#"{"AN": {"SN": "main", "TL": {"L": [
    {"LN": "labels", "FR": [{"N": "same", "I": 0, "DU": 3, "E": []}, {"N": "late", "I": 3, "DU": 2, "E": []}]},
    {"LN": "art", "FR": [{"I": 0, "DU": 5, "E": [{"SI": {"SN": "same", "ST": "G", "FF": 0, "LP": "LP", "MX": [1,0,0,1,0,0]}}]}]}]}},
    "SD": {"S": [{"SN": "same", "TL": {"L": [{"LN": "a", "FR": [
        {"I": 0, "DU": 1, "E": [{"ASI": {"N": "0", "MX": [1,0,0,1,3,4]}}]},
        {"I": 1, "DU": 1, "E": [{"ASI": {"N": "1", "MX": [1,0,0,1,3,4]}}]}]}]}}]}, "MD": {"FRT": 30}}"#;
const SPRITEMAP: &str = r#"{"ATLAS": {"SPRITES": [
    {"SPRITE": {"name": "0", "x": 0, "y": 0, "w": 2, "h": 2, "rotated": false}},
    {"SPRITE": {"name": "1", "x": 2, "y": 0, "w": 2, "h": 2, "rotated": false}}]}, "meta": {"image": "a.png"}}"#;

fn read(character: &str) -> Result<(Character, Vec<String>), Error> {
    let files = Files::new([
        ("game/data/characters/hero.json", character.as_bytes().to_vec()),
        ("game/images/characters/hero/Animation.json", ANIMATION.as_bytes().to_vec()),
        ("game/images/characters/hero/spritemap1.json", SPRITEMAP.as_bytes().to_vec()),
    ]);
    let mut diagnostics = Diagnostics::default();
    let character = files.open_with("game/data/characters/hero.json", &ReadOptions::default(), &mut diagnostics);
    let findings = diagnostics.findings().iter().map(|it| format!("{}", it.fault)).collect();
    character.map(|character| (character, findings))
}

fn vslice(animations: &str, more: &str) -> String {
    format!(
        r#"{{"version": "1.0.0", "renderType": "animateatlas", "assetPath": "characters/hero", {more} "animations": [{animations}]}}"#
    )
}

/// The matrix and the name of the only sprite in a frame.
fn sprite(character: &Character, name: &str, frame: u32) -> ([f32; 6], String) {
    let model = character.model();
    let cue = Cue { animation: model.find_animation(name), position: Position::frame(frame), ..Cue::default() };
    let mut pose = Pose::default();
    evaluate(character, &cue, &mut pose);
    let shown = pose.draw_order.iter().find_map(|&slot| Some((slot, pose.slots[slot.index()].attachment?)));
    let (slot, attachment) = shown.expect("a sprite");
    let bone = model.slot(slot).bone.expect("a bone");
    (pose.world_from_bone[bone.index()].to_cols_array(), model.attachment(attachment).name().to_owned())
}

#[test]
fn animations_are_labels_or_symbols() {
    let text = vslice(
        r#"{"name": "label", "prefix": "same"}, {"name": "symbol", "prefix": "same", "animType": "symbol", "frameRate": 12},
           {"name": "back", "prefix": "late", "frameIndices": [1, 0, 0, 7], "looped": true}"#,
        r#""startingAnimation": "symbol","#,
    );
    let (character, findings) = read(&text).expect("a character");
    let animations = character.model().animations();
    let found: Vec<(&str, u32, f64, bool)> =
        animations.iter().map(|it| (&*it.name, it.frame_count(), it.fps(), it.looping)).collect();
    assert_eq!(found, [("label", 3, 24.0, false), ("symbol", 2, 12.0, false), ("back", 3, 24.0, true)]);
    assert_eq!([0, 1, 2].map(|frame| sprite(&character, "back", frame).1), ["0", "1", "1"]);
    let skipped = "1 of the indices of `back` have no frame";
    assert!(findings.iter().any(|it| it.contains("/animations/2") && it.contains(skipped)), "{findings:?}");
    let first = pchr::motion::first_animation(&character, u64::MAX).expect("an animation");
    assert_eq!(character.model().animation(first).name, "symbol");
}

#[test]
fn pictures_are_moved_scaled_and_mirrored() {
    let text = vslice(
        r#"{"name": "a", "prefix": "same", "offsets": [10, 20]}, {"name": "b", "prefix": "same", "flipX": true}"#,
        r#""scale": 2, "isPixel": true,"#,
    );
    let (character, _) = read(&text).expect("a character");
    // The sprite is at 3,4, y down.
    assert_eq!(sprite(&character, "a", 0).0, [2.0, 0.0, 0.0, 2.0, 6.0 - 10.0, -8.0 + 20.0]);
    assert_eq!(sprite(&character, "b", 0).0, [-2.0, 0.0, 0.0, 2.0, -6.0, -8.0]);
}

#[test]
fn what_does_not_exist_is_reported() {
    let text = vslice(
        r#"{"name": "a", "prefix": "same"}, {"name": "b", "prefix": "Same"}, {"name": "c", "prefix": "same", "assetPath": "other"}"#,
        "",
    );
    let (character, findings) = read(&text).expect("a character");
    assert_eq!(character.model().animations().len(), 1);
    for expected in ["/animations/1", "/animations/2"] {
        assert!(findings.iter().any(|it| it.contains(expected) && it.contains("left out")), "{findings:?}");
    }
    let Err(error) = read(&vslice(r#"{"name": "b", "prefix": "x"}"#, "")) else { panic!("it is not refused") };
    assert_eq!(error.code(), "no-frames");
}
