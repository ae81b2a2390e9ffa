//! What is keyed in an animation, curves of bones, the distance between first and last instant, and ranges.

use std::path::Path;

use pchr::Animator;
use pchr::Character;
use pchr::diagnostics::Diagnostics;
use pchr::formats::{Files, ReadOptions};
use pchr::model::AnimationId;
use pchr::motion::{KeyChannel, KeyRow, KeyTarget, bone_curve, keys, labels_in, loop_gap, loop_gap_in};
use pchr::player::{EventKind, LoopMode};

fn load(name: &str) -> Character {
    Character::open(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).expect("the character is valid")
}

fn animation(character: &Character, name: &str) -> AnimationId {
    character.model().find_animation(name).expect("the animation exists")
}

/// Returns the rows as text: target, channel, positions.
fn listed(character: &Character, name: &str) -> Vec<String> {
    let model = character.model();
    let text = |row: &KeyRow| {
        let target = match row.target {
            KeyTarget::Bone(id) => format!("bone {}", model.skeleton().bones()[id.index()].name),
            KeyTarget::Slot(id) => format!("slot {}", model.slot(id).name),
            KeyTarget::Constraint(at) => format!("constraint {}", model.constraint(at).name),
            other => format!("{other:?}"),
        };
        let times: Vec<String> = row.times.iter().map(|at| format!("{at:.0}")).collect();
        format!("{target}, {}: {}", row.channel.name(), times.join(" "))
    };
    keys(character, animation(character, name)).iter().map(text).collect()
}

fn spine(version: &str) -> Character {
    let json = format!(
        r#"{{"skeleton": {{"spine": "{version}"}},
        "bones": [{{"name": "root"}}, {{"name": "arm", "parent": "root"}}, {{"name": "goal", "parent": "root"}}],
        "slots": [{{"name": "hand", "bone": "arm", "attachment": "open"}}, {{"name": "back", "bone": "root"}}],
        "ik": [{{"name": "reach", "bones": ["arm"], "target": "goal"}}],
        "events": {{"step": {{}}}},
        "skins": [{{"name": "default", "attachments": {{"hand": {{
            "open": {{"type": "point"}}, "shut": {{"type": "point"}}}}}}}}],
        "animations": {{"wave": {{
            "bones": {{"arm": {{
                "rotate": [{{"angle": 10, "value": 10}}, {{"time": 0.5, "angle": 20, "value": 20}}, {{"time": 1}}],
                "translate": [{{"time": 0.2, "x": 4}}]}}}},
            "slots": {{"hand": {{"attachment": [{{"name": "open"}}, {{"time": 0.7, "name": "shut"}}]}}}},
            "ik": {{"reach": [{{"time": 0.3, "mix": 0.5}}]}},
            "drawOrder": [{{"time": 0.4, "offsets": [{{"slot": "hand", "offset": 1}}]}}],
            "{events}": [{{"time": 0.1, "name": "step"}}, {{"time": 0.9, "name": "step"}}]}}}}}}"#,
        events = "events"
    );
    Character::from_bytes(json.into_bytes()).expect("the character is valid")
}

#[test]
fn spine_lists_keys_of_bones_slots_constraints_order_and_events() {
    for version in ["3.8.99", "4.2.33"] {
        assert_eq!(
            listed(&spine(version), "wave"),
            [
                "bone arm, Rotation: 0 15 30",
                "bone arm, Translation: 6",
                "slot hand, Attachment: 0 21",
                "constraint reach, IK: 9",
                "DrawOrder, Draw order: 12",
                "Events, Events: 3 27",
            ],
            "{version}"
        );
    }
}

#[test]
fn skelform_lists_keys_at_its_frames() {
    let puppet = load("tests/fixtures/skelform/quirks/puppet/input.skf");
    assert_eq!(listed(&puppet, "go"), ["bone root, Translation X: 0 12 23", "bone goal, Translation Y: 0 23"]);
}

#[test]
fn keys_of_stored_frames_are_those_at_which_a_value_changes() {
    let knight = load("assets/paper-knight.pchr");
    let model = knight.model();
    let walk = animation(&knight, "walk");
    let frames = model.animation(walk).frame_count();
    let rows = keys(&knight, walk);
    assert!(!rows.is_empty());
    for row in &rows {
        let (KeyTarget::Bone(bone), KeyChannel::Rotation) = (row.target, row.channel) else { continue };
        let curve = bone_curve(&knight, walk, &[], bone, (0..frames).map(f64::from));
        let changes =
            curve.windows(2).filter(|pair| (pair[0].rotation_degrees - pair[1].rotation_degrees).abs() > 1e-3);
        let changes: Vec<f64> = changes.map(|pair| pair[1].position).collect();
        let listed: Vec<f64> = row.times.iter().collect();
        assert_eq!(listed[0], 0.0);
        assert!(changes.iter().all(|frame| listed.contains(frame)), "{changes:?} {listed:?}");
    }
    // A bone that never moves has no row.
    let moving = |bone| rows.iter().any(|row| row.target == KeyTarget::Bone(bone));
    for bone in model.skeleton().bone_ids().filter(|bone| !moving(*bone)) {
        let curve = bone_curve(&knight, walk, &[], bone, (0..frames).map(f64::from));
        let first = curve[0];
        let is_still = |x: f32, y: f32| (x - y).abs() < 1e-3;
        assert!(curve.iter().all(|point| is_still(point.rotation_degrees, first.rotation_degrees)), "{bone:?}");
        assert!(curve.iter().all(|point| is_still(point.translation.x, first.translation.x)), "{bone:?}");
    }
}

#[test]
fn an_atlas_lists_the_frames_at_which_keyframes_change_something() {
    let instance = |symbol: &str, first: u32, x: u32| {
        format!(r#"{{"SI": {{"SN": "{symbol}", "ST": "G", "FF": {first}, "LP": "LP", "MX": [1,0,0,1,{x},0]}}}}"#)
    };
    let sprite = |name: &str| format!(r#"{{"ASI": {{"N": "{name}", "MX": [1,0,0,1,0,0]}}}}"#);
    let layer = |name: &str, keys: &[(&str, [u32; 2], String)]| {
        let key = |(label, [first, count], elements): &(&str, [u32; 2], String)| {
            format!(r#"{{"N": "{label}", "I": {first}, "DU": {count}, "E": [{elements}]}}"#)
        };
        let keys: Vec<String> = keys.iter().map(key).collect();
        format!(r#"{{"LN": "{name}", "FR": [{}]}}"#, keys.join(","))
    };
    let [leg, foot] = ["leg", "foot"].map(|name| instance(name, 0, 0));
    let main = [
        layer("labels", &[("walk", [0, 4], String::new()), ("stop", [4, 2], String::new())]),
        // The second keyframe only plays on, the third starts again.
        layer(
            "art",
            &[
                ("", [0, 2], instance("arm", 0, 0)),
                ("", [2, 2], instance("arm", 2, 5)),
                ("", [4, 2], instance("arm", 0, 5)),
            ],
        ),
        layer("prop", &[("", [0, 1], sprite("0")), ("", [1, 2], sprite("1"))]),
        layer("pair", &[("", [0, 3], format!("{leg},{foot}")), ("", [3, 3], format!("{foot},{leg}"))]),
    ];
    let symbol = |name: &str, layer: String| format!(r#"{{"SN": "{name}", "TL": {{"L": [{layer}]}}}}"#);
    let symbols = [
        symbol("arm", layer("a", &[("", [0, 1], sprite("0")), ("", [1, 2], sprite("1"))])),
        symbol("leg", layer("l", &[("", [0, 1], sprite("0"))])),
        symbol("foot", layer("f", &[("", [0, 1], sprite("0"))])),
    ];
    let (main, symbols) = (main.join(","), symbols.join(","));
    let text = format!(
        r#"{{"AN": {{"SN": "hero", "TL": {{"L": [{main}]}}}}, "SD": {{"S": [{symbols}]}}, "MD": {{"FRT": 10}}}}"#
    );
    let map = r#"{"ATLAS": {"SPRITES": [{"SPRITE": {"name": "0", "x": 0, "y": 0, "w": 1, "h": 1, "rotated": false}},
        {"SPRITE": {"name": "1", "x": 1, "y": 0, "w": 1, "h": 1, "rotated": false}}]}, "meta": {"image": "a.png"}}"#;
    let files = Files::new([("Animation.json", text.into_bytes()), ("spritemap1.json", map.as_bytes().to_vec())]);
    let options = ReadOptions { symbols: vec!["hero".into()], ..ReadOptions::default() };
    let hero = files.open_with("Animation.json", &options, &mut Diagnostics::default()).expect("an atlas");
    assert_eq!(
        listed(&hero, "symbol:hero"),
        [
            "bone arm, Translation: 0 2",
            "bone arm, Frame: 0 4",
            "slot prop, Attachment: 0 1 3",
            "slot a, Attachment: 0 1 3 5",
            "DrawOrder, Draw order: 0 3",
        ]
    );
    assert_eq!(listed(&hero, "stop"), ["slot a, Attachment: 0 1"]);
    assert_eq!(labels_in(&hero, animation(&hero, "symbol:hero")), [("walk", 0..4), ("stop", 4..6)]);
    assert_eq!(labels_in(&hero, animation(&hero, "stop")), [("stop", 0..2)]);
}

#[test]
fn a_sheet_lists_the_frames_at_which_another_picture_appears() {
    let sheet = r#"{"frames": {
        "a": {"frame": {"x": 0, "y": 0, "w": 1, "h": 1}, "duration": 50},
        "b": {"frame": {"x": 1, "y": 0, "w": 1, "h": 1}, "duration": 150},
        "c": {"frame": {"x": 2, "y": 0, "w": 1, "h": 1}, "duration": 50}},
        "meta": {"size": {"w": 3, "h": 1}, "frameTags": [{"name": "go", "from": 0, "to": 2, "direction": "pingpong"}]}}"#;
    let folder = tempfile::tempdir().unwrap();
    let page = pchr::formats::image::encode_png(3, 1, &[255; 12]).unwrap();
    std::fs::write(folder.path().join("strip.png"), page).unwrap();
    let sheet = sheet.replace("\"meta\": {", "\"meta\": {\"image\": \"strip.png\", ");
    std::fs::write(folder.path().join("strip.json"), sheet).unwrap();
    let sheet = Character::open(folder.path().join("strip.json")).unwrap();
    let rows = listed(&sheet, "go");
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert!(rows[0].ends_with("Attachment: 0 1 2 3"), "{rows:?}");
    let go = animation(&sheet, "go");
    assert_eq!(sheet.model().animation(go).seconds_at(2.0), 0.2);
    assert!(loop_gap(&sheet, go, &[]).is_none(), "other pictures cannot be compared");
}

#[test]
fn a_curve_continues_beyond_a_full_turn() {
    let json = r#"{"skeleton": {"spine": "4.2.33"}, "bones": [{"name": "root"}, {"name": "wheel", "parent": "root"}],
        "animations": {"spin": {"bones": {"wheel": {"rotate": [{}, {"time": 1, "value": 1080}],
            "scale": [{"x": 1, "y": 1}, {"time": 1, "x": 3, "y": -1}]}}}}}"#;
    let spinner = Character::from_bytes(json.as_bytes().to_vec()).unwrap();
    let (spin, wheel) = (animation(&spinner, "spin"), spinner.model().skeleton().find("wheel").unwrap());
    let curve = bone_curve(&spinner, spin, &[], wheel, (0..=300).map(|at| f64::from(at) * 0.1));
    assert_eq!(curve.len(), 301);
    let last = curve[300];
    assert!((last.rotation_degrees - 1080.0).abs() < 0.1, "{last:?}");
    assert!((last.scale.x - 3.0).abs() < 1e-3 && (last.scale.y + 1.0).abs() < 1e-3, "{last:?}");
    let steepest = curve.windows(2).map(|pair| (pair[1].rotation_degrees - pair[0].rotation_degrees).abs());
    assert!(steepest.fold(0.0, f32::max) < 10.0);
}

#[test]
fn the_loop_gap_names_the_bone_and_tells_stored_from_keyed() {
    let lamp = load("assets/paper-lamp.json");
    let idle = loop_gap(&lamp, animation(&lamp, "idle"), &[]).unwrap();
    assert!(idle.distance < 0.01 && idle.step.is_none(), "{idle:?}");
    let knight = load("assets/paper-knight.pchr");
    let walk = loop_gap(&knight, animation(&knight, "walk"), &[]).unwrap();
    let step = walk.step.expect("stored frames have steps");
    assert!(walk.distance > 0.0 && walk.distance < 3.0 * step, "{walk:?}");
    assert!(walk.bone.index() < knight.model().skeleton().authored_bones().len());
}

#[test]
fn the_loop_gap_of_a_range_is_that_of_its_ends() {
    let lamp = load("assets/paper-lamp.json");
    let idle = animation(&lamp, "idle");
    let whole = loop_gap(&lamp, idle, &[]).unwrap();
    assert_eq!(loop_gap_in(&lamp, idle, &[], Some(0..=1000)), Some(whole), "the part beyond the end is ignored");
    let half = loop_gap_in(&lamp, idle, &[], Some(0..=23)).unwrap();
    assert!(half.distance > 1.0, "{half:?}");
    assert!(loop_gap_in(&lamp, idle, &[], Some(90..=1000)).is_none());
    let knight = load("assets/paper-knight.pchr");
    let walk = animation(&knight, "walk");
    let two = loop_gap_in(&knight, walk, &[], Some(3..=4)).unwrap();
    assert_eq!(Some(two.distance), two.step, "a single step");
    assert!(loop_gap_in(&knight, walk, &[], Some(3..=3)).is_none(), "a single frame");
}

#[test]
fn events_of_a_range_are_fired_once_per_loop() {
    let mut animator = Animator::new(spine("4.2.33"));
    animator.play("wave").unwrap().set_loop_mode(LoopMode::Loop).set_range(Some(3..=26)).seek(3.0);
    let mut fired = |secs: f64| {
        let mut times = Vec::new();
        for _ in 0..(secs * 100.0) as usize {
            times.extend(animator.update(0.01).filter_map(|event| match event.kind {
                EventKind::Fired(fired) => Some(fired.time),
                _ => None,
            }));
        }
        times
    };
    // The one at frame 3 is the first instant of the range; the one at frame 27 is after it.
    assert_eq!(fired(0.7), [0.1]);
    assert_eq!(fired(0.2), [0.1]);
    assert_eq!(fired(1.6), [0.1, 0.1]);
}
