//! Spine behaviour that no golden covers, and files that are rejected.

use std::path::{Path, PathBuf};

use crate::common::memory::allocations;
use crate::common::ours;
use crate::common::random::Random;
use crate::common::spine_golden::read_spine;
use pchr::Character;
use pchr::diagnostics::{Diagnostics, Finding, Severity};
use pchr::formats::image::encode_png;
use pchr::formats::{Folder, Input, NO_SIDECARS, ReadOptions};
use pchr::limits::Limits;
use pchr::math::{Vec2, vec2};
use pchr::model::{AnimationId, Attachment, SkinId, Vertices};
use pchr::motion::{Cue, Direction, Evaluator, Fade, Layer, Mix, Position, Span, evaluate, for_each_event};
use pchr::pose::Pose;

fn folder() -> PathBuf {
    ours("spine/own")
}

fn fixture(name: &str) -> Character {
    read_spine(&folder().join(name).join(format!("{name}.json")), &mut Diagnostics::default())
}

/// Returns cues of random animations and skins at random times, some with a second animation.
fn cues(character: &Character, random: &mut Random, count: usize) -> Vec<Cue> {
    let model = character.model();
    let animations: Vec<AnimationId> = model.animation_ids().collect();
    let skins: Vec<SkinId> = model.skins().iter().filter_map(|skin| model.find_skin(&skin.name)).collect();
    let mut cue = || {
        let animation = animations[random.below(animations.len())];
        let seconds = f64::from(random.between(-0.5, 3.0)) * model.animation(animation).duration_secs();
        let layer = Layer {
            animation: Some(animations[random.below(animations.len())]),
            position: Position::Seconds(f64::from(random.between(0.0, 3.0))),
            hold: random.below(2) == 0,
            alpha: random.between(0.0, 1.0).into(),
            mix: [Mix::Setup, Mix::First, Mix::Replace, Mix::Add][random.below(4)],
            direction: [Direction::In, Direction::Out][random.below(2)],
            track: 0,
            fade: Fade::default(),
        };
        Cue {
            animation: (random.below(8) > 0).then_some(animation),
            position: Position::Seconds(seconds),
            hold: random.below(2) == 0,
            skins: skins.iter().copied().filter(|_| random.below(2) == 0).collect(),
            layers: if random.below(2) == 0 { vec![layer] } else { Vec::new() },
            ..Cue::default()
        }
    };
    (0..count).map(|_| cue()).collect()
}

#[test]
fn a_pose_depends_on_its_cue_alone() {
    let characters = ["meshes-skins", "interplay", "slots-events", "path-chain", "fuzz-03"].map(fixture);
    let mut random = Random(7);
    let (mut evaluator, mut used) = (Evaluator::default(), Pose::default());
    let mut count = 0;
    for round in 0..30 {
        let character = &characters[round % characters.len()];
        for cue in cues(character, &mut random, 5) {
            let mut fresh = Pose::default();
            evaluate(character, &cue, &mut fresh);
            // Independent of what it evaluated before.
            evaluator.evaluate(character, &cue, &mut used);
            assert!(fresh == used, "{cue:?}");
            count += usize::from(!fresh.world_from_bone.is_empty());
        }
    }
    assert_eq!(count, 150);
}

#[test]
fn nothing_is_allocated_after_the_first_pose() {
    for name in ["meshes-skins", "interplay", "slots-events", "path-chain", "ik", "transform-constraints"] {
        let character = fixture(name);
        let (mut evaluator, mut pose) = (Evaluator::default(), Pose::for_model(character.model()));
        let cues = cues(&character, &mut Random(3), 40);
        let mut show = || cues.iter().for_each(|cue| evaluator.evaluate(&character, cue, &mut pose));
        show();
        assert_eq!(allocations(show), 0, "{name}");
    }
}

fn pose_at(character: &Character, animation: &str, position: Position, hold: bool) -> Pose {
    let animation = character.model().find_animation(animation);
    assert!(animation.is_some());
    let mut pose = Pose::default();
    evaluate(character, &Cue { animation, position, hold, ..Cue::default() }, &mut pose);
    pose
}

#[test]
fn the_end_of_a_loop_is_its_beginning() {
    let character = fixture("fuzz-00");
    let duration = character.model().animation(character.model().find_animation("a0").unwrap()).duration_secs();
    let at = |seconds, hold| pose_at(&character, "a0", Position::Seconds(seconds), hold);
    let first = at(0.0, true);
    for loops in [1.0, 2.0, -1.0, -3.0] {
        assert!(at(duration * loops, false) == first, "after {loops}");
    }
    let last = at(duration, true);
    assert!(last != first);
    assert!(at(duration * 2.0, true) == last && at(duration + 1e-3, true) == last);
    assert!(at(-1.0, true) == first && at(f64::NAN, false) == first);
    // Frames are counted from the start, thirty per second.
    assert!(pose_at(&character, "a0", Position::frame(15), false) == at(0.5, false));
}

#[test]
fn events_of_a_loop_fire_once_per_iteration() {
    let character = fixture("slots-events");
    let animation = character.model().find_animation("events").unwrap();
    let fired = |from, to, looping| {
        let mut times = Vec::new();
        for_each_event(&character, animation, Span { from, to, looping }, |fired| times.push(fired.time));
        times
    };
    let whole = [0.0, 0.25, 0.25, 0.6667, 1.1, 1.1, 1.9];
    assert_eq!(fired(-1.0, 2.0, false), whole);
    assert_eq!(fired(0.0, 2.0, false), whole[1..], "events at the start of the span are excluded");
    assert_eq!(fired(1.0, 2.5, true), [1.1, 1.1, 1.9, 0.0, 0.25, 0.25]);
    assert_eq!(fired(0.25, 0.25, true), [0.0; 0]);
    // Whole iterations, of two seconds, are left out.
    assert_eq!(fired(0.5, 7.3, true), [0.6667, 1.1, 1.1]);
    assert_eq!(fired(1.8, 4.8, true), [1.9, 0.0, 0.25, 0.25, 0.6667]);
    assert_eq!(fired(-1.0, 2.1, true), whole[..1]);
    assert_eq!(fired(-1.0, 1.0, true), whole[..4]);
}

#[test]
fn skins_are_worn_together() {
    let character = fixture("meshes-skins");
    let model = character.model();
    let all: Vec<SkinId> = model.skins().iter().filter_map(|skin| model.find_skin(&skin.name)).collect();
    let shown = |skins: &[SkinId]| {
        let mut pose = Pose::default();
        evaluate(&character, &Cue { skins: skins.to_vec(), ..Cue::default() }, &mut pose);
        pose.slots.iter().map(|slot| slot.attachment).collect::<Vec<_>>()
    };
    let [_, a, b] = all[..] else { panic!("{all:?}") };
    let (with_a, with_b, with_both) = (shown(&[a]), shown(&[b]), shown(&[a, b]));
    let plain = shown(&[]);
    assert!(with_a != plain && with_b != plain && with_a != with_b);
    for (slot, both) in with_both.iter().enumerate() {
        let expected = if with_b[slot] == plain[slot] { with_a[slot] } else { with_b[slot] };
        assert_eq!(*both, expected, "slot {slot}");
    }
}

fn read(json: &str) -> Result<(Character, Diagnostics), pchr::Error> {
    let mut diagnostics = Diagnostics::default();
    let input = Input { bytes: json.as_bytes().to_vec().into(), sidecars: NO_SIDECARS };
    pchr::formats::spine::read_character(&input, &ReadOptions::default(), &mut diagnostics)
        .map(|read| (read, diagnostics))
}

/// Returns a skeleton with two bones, a slot, and `parts`.
fn with(parts: &str) -> String {
    let bones = r#"[{"name":"root"},{"name":"arm","parent":"root","length":10}]"#;
    format!(
        r#"{{"skeleton":{{"spine":"3.8.99"}},"bones":{bones},"slots":[{{"name":"s","bone":"arm","attachment":"a"}}]{parts}}}"#
    )
}

/// Returns a skeleton with one attachment in the default skin.
fn with_attachment(attachment: &str) -> String {
    with(&format!(r#","skins":[{{"name":"default","attachments":{{"s":{{"a":{attachment}}}}}}}]"#))
}

#[test]
fn errors_name_their_json_pointer() {
    let mesh = |rest: &str| with_attachment(&format!(r#"{{"type":"mesh","uvs":[0,0,1,0,1,1],{rest}}}"#));
    let triangle = r#""triangles":[0,1,2]"#;
    let mut faults = Vec::new();
    let animation = |rest: &str| with(&format!(r#","animations":{{"walk":{rest}}}"#));
    for (json, expected) in [
        ("".to_owned(), "byte 0: the file ends where a value should be (line 1, column 1)"),
        ("{\"bones\": [{}]}".into(), "/bones/0 (byte 11): missing field `name` (line 1, column 12)"),
        (
            r#"{"skeleton":{"spine":"4.4.24"},"bones":7}"#.into(),
            "/skeleton/spine: this is Spine 4.4.24; only Spine JSON 2.1 to 4.3 is supported: open the project in Spine \
             and export it as JSON, with `Version` set to 4.3 or 3.8",
        ),
        (
            r#"{"skeleton":{"spine":"1.9.18"}}"#.into(),
            "/skeleton/spine: this is Spine 1.9.18; only Spine JSON 2.1 to 4.3 is supported: open the project in Spine \
             and export it as JSON, with `Version` set to 4.3 or 3.8",
        ),
        (
            "\u{1}\u{7}3.8.75 and more".into(),
            "/skeleton/width (byte 16): the file ends too early: 4 bytes expected here, 1 left",
        ),
        (
            r#"{"bones":[{"name":"a","parent":"b"},{"name":"b","parent":"a"}]}"#.into(),
            "/bones/0/parent: bone `b` cannot be the parent of `a`: a parent must come before its children",
        ),
        (r#"{"bones":[{"name":"a","parent":"z"}]}"#.into(), "/bones/0/parent: no bone named `z`"),
        (r#"{"bones":[],"slots":[{"name":"s","bone":"z"}]}"#.into(), "/slots/0/bone: no bone named `z`"),
        (
            with(r#","ik":[{"name":"i","bones":["arm","root"],"target":"root"}]"#),
            "/ik/0/bones/1: the second bone, `root`, is not a child of the first, `arm`",
        ),
        (
            with(r#","transform":[{"name":"i","bones":["arm"],"target":"leg"}]"#),
            "/transform/0/target: no bone named `leg`",
        ),
        (
            with(r#","path":[{"name":"i","bones":[],"target":"s"}]"#),
            "/path/0/bones: a constraint must have at least one bone",
        ),
        (
            mesh(&format!(r#"{triangle},"vertices":[2,0,1,1,0.5]"#)),
            "/skins/0/attachments/s/a/vertices/0: vertex 0 has 2 bones, but the list has room for 1 to 1",
        ),
        (
            mesh(&format!(r#"{triangle},"vertices":[1,9,1,1,1, 1,0,1,1,1, 1,0,1,1,1]"#)),
            "/skins/0/attachments/s/a/vertices/1: bone 9 does not exist, the skeleton has 2",
        ),
        (
            mesh(r#""triangles":[0,1,3],"vertices":[0,0,1,0,1,1]"#),
            "/skins/0/attachments/s/a/triangles/2: vertex 3 does not exist, the mesh has 3",
        ),
        (
            with_attachment(r#"{"type":"linkedmesh","parent":"a"}"#),
            "/skins/0/attachments/s/a: the chain of linked meshes is longer than 64",
        ),
        (
            with_attachment(r#"{"type":"path","vertexCount":4,"vertices":[0,0,0,0,0,0,0,0],"lengths":[1]}"#),
            "/skins/0/attachments/s/a/vertexCount: 4 vertices; this type must have 6 to 65535",
        ),
        (
            with_attachment(r#"{"type":"clipping","end":"z","vertexCount":3,"vertices":[0,0,0,0,0,0]}"#),
            "/skins/0/attachments/s/a/end: no slot named `z`",
        ),
        (
            with_attachment(r#"{"width":1,"height":1,"color":"red"}"#),
            "/skins/0/attachments/s/a/color: `red` is not a colour; expected 6 or 8 hexadecimal digits",
        ),
        (
            animation(r#"{"bones":{"leg":{}}}"#),
            "/animations/walk/bones/leg: no bone named `leg`; available: `root`, `arm`",
        ),
        (
            animation(r#"{"drawOrder":[{"offsets":[{"slot":"s","offset":1}]}]}"#),
            "/animations/walk/drawOrder/0/offsets/0/offset: slot 0 cannot move by 1 places: that place is \
             taken or outside the 1 slots",
        ),
        (animation(r#"{"events":[{"name":"e"}]}"#), "/animations/walk/events/0/name: no event named `e`"),
        (
            animation(r#"{"bones":{"arm":{"rotate":[{"curve":"bouncy"}]}}}"#),
            "/animations/walk/bones/arm/rotate/0/curve (byte 210): invalid value: string \"bouncy\", expected a \
             number, a list of numbers, or `stepped` (line 1, column 211)",
        ),
    ] {
        let error = read(&json).expect_err(&json).to_string();
        if error != expected {
            faults.push(format!("{error}\n  expected {expected}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn oddities_are_reported_and_the_file_plays() {
    let json = with(
        r#","extra":1,"skins":[{"name":"default","attachments":{"s":{"a":{"type":"point","glow":2}}}}],"animations":{
            "walk":{"slots":{"s":{"attachment":[{"name":"hat"}]}},"bones":{"arm":{"rotate":[{"time":1},{"time":0}]}}}}"#,
    );
    let (character, diagnostics) = read(&json).unwrap();
    let found: Vec<String> = diagnostics.findings().iter().map(|finding| finding.fault.to_string()).collect();
    assert_eq!(
        found,
        [
            "/extra: unknown key; it is ignored",
            "/skins/0/attachments/s/a/glow: unknown key; it is ignored",
            "/animations/walk/slots/s/attachment/0/name: no skin has an attachment `hat` in this slot; nothing is drawn",
            "/animations/walk/bones/arm/rotate: the keys are not ordered by time; they are sorted",
        ]
    );
    assert!(matches!(character.model().attachments()[..], [Attachment::Point(_)]));
}

#[test]
fn older_forms_give_the_same_poses() {
    let json = std::fs::read_to_string(folder().join("fuzz-03/fuzz-03.json")).unwrap();
    let mut value: serde_json::Value = serde_json::from_str(&json).unwrap();
    let skins = value["skins"].as_array().unwrap().clone();
    value["skins"] = skins
        .iter()
        .map(|skin| (skin["name"].as_str().unwrap().to_owned(), skin["attachments"].clone()))
        .collect::<serde_json::Map<_, _>>()
        .into();
    value["skeleton"]["spine"] = "3.7.94".into();
    let mut curves = 0;
    older_curves(&mut value["animations"], &mut curves);
    assert!(curves > 10, "only {curves} curves");
    let older = read(&value.to_string()).unwrap().0;
    // Also with skins in alphabetical order.
    let newer = read(&serde_json::from_str::<serde_json::Value>(&json).unwrap().to_string()).unwrap().0;
    let mut poses = [Pose::default(), Pose::default()];
    for cue in cues(&newer, &mut Random(5), 20) {
        evaluate(&older, &cue, &mut poses[0]);
        evaluate(&newer, &cue, &mut poses[1]);
        assert!(poses[0] == poses[1], "{cue:?}");
    }
}

/// Returns the codes and paths of the findings for a skeleton that states `version`, or of its error.
fn findings_of(version: Option<&str>, parts: &str) -> String {
    let version = version.map_or(String::new(), |version| format!(r#""spine":"{version}""#));
    let json = with(parts).replace(r#""spine":"3.8.99""#, &version);
    match read(&json) {
        Ok((_, diagnostics)) => {
            // Without skins, the slot's attachment is unknown; ignore that finding.
            let of_slot = |found: &&Finding| found.fault.code == "unknown-attachment";
            let findings = diagnostics.findings().iter().filter(|found| !of_slot(found)).map(|found| {
                let severity = format!("{:?}", found.severity).to_lowercase();
                format!("{severity} {} {}", found.fault.code, found.fault.place.path)
            });
            findings.collect::<Vec<_>>().join(", ")
        }
        Err(error) => format!("{} at {}", error.code(), error.place().expect("a place").path),
    }
}

#[test]
fn unreleased_versions_are_read_by_their_contents() {
    let of_three =
        r#","animations":{"walk":{"bones":{"arm":{"rotate":[{"angle":3,"curve":[0.2,2,0.8,-1]},{"time":9}]}}}}"#;
    let odd = "note odd-version /skeleton/spine";
    for (version, expected) in [
        (Some("3.8.99"), ""),
        (Some("3.8"), ""),
        (Some("3.7.94"), ""),
        (Some("3.6.39-beta"), ""),
        (Some("3.8-from-4.0.64"), odd),
        (Some("Dev"), odd),
        (Some("0.0.00"), odd),
        (Some(""), odd),
        (Some("3.5.51"), ""),
        (Some("3.3.07"), odd),
        (Some("3.0.10"), odd),
        (None, "note no-version /skeleton/spine"),
        (Some("2.1.27"), ""),
        (Some("1.9.18"), "spine-version at /skeleton/spine"),
        (Some("3.9.00"), "spine-version at /skeleton/spine"),
        (Some("4.2.22"), "warning version-mismatch /animations/walk/bones/arm/rotate"),
        (Some("4.4.01"), "spine-version at /skeleton/spine"),
    ] {
        assert_eq!(findings_of(version, of_three), expected, "{version:?}");
    }
}

#[test]
fn keys_decide_the_version() {
    let arm = |keys: &str| format!(r#","animations":{{"walk":{{"bones":{{"arm":{keys}}}}}}}"#);
    for (parts, path) in [
        (arm(r#"{"rotate":[{"value":3}]}"#), "/animations/walk/bones/arm/rotate"),
        (arm(r#"{"translatex":[{"value":3}]}"#), "/animations/walk/bones/arm/translatex"),
        (arm(r#"{"rotate":[{"curve":[0.5,0,1.5,10]},{"time":2}]}"#), "/animations/walk/bones/arm/rotate"),
        (arm(r#"{"scale":[{"curve":[0.1,1,0.2,1,0.1,1,0.2,1]},{"time":2}]}"#), "/animations/walk/bones/arm/scale"),
        (r#","transform":[{"name":"t","bones":["arm"],"target":"root","mixX":0.5}]"#.into(), "/transform/0/mixX"),
        (
            r#","skins":[{"name":"default","attachments":{"s":{"a":{"type":"point","timelines":true}}}}]"#.into(),
            "/skins/0/attachments/s/a/timelines",
        ),
        (r#","physics":[{"name":"p","bone":"arm"}]"#.into(), "/physics"),
        (
            r#","animations":{"walk":{"slots":{"s":{"rgba":[{"color":"ffffffff"}]}}}}"#.into(),
            "/animations/walk/slots/s/rgba",
        ),
    ] {
        assert_eq!(findings_of(None, &parts), "note no-version /skeleton/spine", "{parts}");
        assert_eq!(findings_of(Some("Dev"), &parts), "note odd-version /skeleton/spine", "{parts}");
        assert_eq!(findings_of(Some("3.8.99"), &parts), format!("warning version-mismatch {path}"), "{parts}");
        assert_eq!(findings_of(Some("4.2.43"), &parts), "", "{parts}");
    }
    let flips = arm(r#"{"flipX":[{"x":true}]}"#);
    for (version, found) in [
        (None, "note no-version /skeleton/spine"),
        (Some("Dev"), "note odd-version /skeleton/spine"),
        (Some("3.8.99"), "warning version-mismatch /animations/walk/bones/arm/flipX"),
    ] {
        assert_eq!(findings_of(version, &flips), found);
    }
    let list = r#","constraints":[]"#;
    let found =
        [None, Some("Dev"), Some("3.8.99"), Some("4.2.43"), Some("4.3.05")].map(|it| findings_of(it, list));
    assert_eq!(found, ["note no-version /skeleton/spine", "note odd-version /skeleton/spine", "", "", ""]);
    // Unknown keys are warnings, but for one that other programs write.
    for version in [Some("3.8.99"), Some("4.2.43")] {
        let json =
            with("").replace(r#""spine":"3.8.99""#, &format!(r#""spine":"{}","name":"hero""#, version.unwrap()));
        let (_, diagnostics) = read(&json).expect("it is valid");
        assert!(diagnostics.findings().iter().all(|found| found.fault.code != "unknown-key"));
    }
    // Empty names stand for no attachment.
    let keys = r#","animations":{"walk":{"slots":{"s":{"attachment":[{"name":""},{"time":1,"name":"none"}]}}}}"#;
    let (_, diagnostics) = read(&with(keys)).expect("it is valid");
    let unknown = diagnostics.findings().iter().filter(|found| found.fault.code == "unknown-attachment");
    let places: Vec<&str> = unknown.map(|found| &*found.fault.place.path).collect();
    assert!(places.ends_with(&["/animations/walk/slots/s/attachment/1/name"]) && places.len() <= 2, "{places:?}");
    assert!(findings_of(None, r#","extra":1"#).starts_with("warning unknown-key /extra"));
}

/// What a draw order on a track does before its first key is a rule of each version before 4.0.
#[test]
fn a_draw_order_that_has_not_begun_is_one_of_its_version() {
    let order = |time: f32| format!(r#""drawOrder":[{{"time":{time},"offsets":[{{"slot":"s","offset":1}}]}}]"#);
    let parts = format!(r#","animations":{{"base":{{{}}},"late":{{{}}}}}"#, order(0.0), order(1.0));
    let slots = r#""slots":[{"name":"s","bone":"arm"},{"name":"t","bone":"arm"}]"#;
    let json = with(&parts).replace(r#""slots":[{"name":"s","bone":"arm","attachment":"a"}]"#, slots);
    for (version, stays_in, stays_out) in
        [("3.6.53", true, true), ("3.7.94", false, false), ("3.8.99", false, true), ("4.2.43", false, true)]
    {
        let (character, _) = read(&json.replace("3.8.99", version)).expect("it is valid");
        let find = |name: &str| character.model().find_animation(name).expect("an animation");
        for (direction, stays) in [(Direction::In, stays_in), (Direction::Out, stays_out)] {
            let layer = Layer {
                hold: true,
                mix: Mix::First,
                direction,
                ..Layer::new(find("late"), Position::Seconds(0.0))
            };
            let cue = Cue { animation: Some(find("base")), layers: vec![layer], ..Cue::default() };
            let mut pose = Pose::default();
            evaluate(&character, &cue, &mut pose);
            let is_reversed = pose.draw_order[0].index() == 1;
            assert_eq!(is_reversed, stays, "{version} {direction:?}");
        }
    }
}

/// In 3.6, the beginning of a curve is taken a ten-thousandth after it.
#[test]
fn a_path_begins_as_in_its_version() {
    let path =
        r#"{"type":"path","vertexCount":6,"lengths":[100,200],"vertices":[-50,0,0,0,50,0,100,0,150,0,200,0]}"#;
    let parts = format!(
        r#","path":[{{"name":"p","bones":["arm"],"target":"s"}}],"skins":{{"default":{{"s":{{"a":{path}}}}}}}"#
    );
    let json = with(&parts).replace(r#""name":"s","bone":"arm""#, r#""name":"s","bone":"root""#);
    for (version, is_late) in
        [("3.4.02", true), ("3.6.53", true), ("3.7.94", false), ("3.8.99", false), ("Dev", false)]
    {
        let (character, _) = read(&json.replace("3.8.99", version)).expect("it is valid");
        let mut pose = Pose::default();
        evaluate(&character, &Cue::default(), &mut pose);
        let x = pose.world_from_bone[1].translation.x;
        assert!(if is_late { (0.001..0.1).contains(&x) } else { x == 0.0 }, "{version}: {x}");
    }
}

/// The x and y axes of a bone in the setup pose.
fn axes(json: &str, bone: usize) -> [Vec2; 2] {
    let (character, _) = read(json).expect("it is valid");
    let mut pose = Pose::default();
    evaluate(&character, &Cue::default(), &mut pose);
    let matrix = pose.world_from_bone[bone].matrix2;
    [matrix.x_axis, matrix.y_axis]
}

/// Scale that is added takes the sign of the key before 4.0.
#[test]
fn added_scale_has_the_sign_of_its_version() {
    let (old, new) = (r#""scale":[{"x":-1.5}]"#, r#""scalex":[{"value":-1.5}]"#);
    for (version, keys, expected) in [("3.8.99", old, -1.25), ("4.0.64", new, -0.25), ("4.2.43", new, -0.25)] {
        let json = with(&format!(r#","animations":{{"walk":{{"bones":{{"arm":{{{keys}}}}}}}}}"#));
        let (character, _) = read(&json.replace("3.8.99", version)).expect("it is valid");
        let animation = character.model().animation_ids().next().expect("an animation");
        let layer = Layer { alpha: 0.5, mix: Mix::Add, ..Layer::new(animation, Position::Seconds(0.0)) };
        let mut pose = Pose::default();
        evaluate(&character, &Cue { layers: vec![layer], ..Cue::default() }, &mut pose);
        assert_eq!(pose.world_from_bone[1].matrix2.x_axis.x, expected, "{version}");
    }
}

/// Two bones that reach for their target are only stretched along it before 4.0.
#[test]
fn two_bones_stretch_as_in_their_version() {
    let json = r#"{"skeleton":{"spine":"3.8.99"},"bones":[{"name":"root"},
        {"name":"upper","parent":"root","length":100},{"name":"lower","parent":"upper","x":100,"length":100},
        {"name":"target","parent":"root","x":400}],
        "ik":[{"name":"reach","bones":["upper","lower"],"target":"target","stretch":true,"uniform":true}]}"#;
    for (version, height) in [("3.8.99", 1.0), ("Dev", 1.0), ("4.0.64", 2.0), ("4.1.24", 2.0), ("4.2.43", 2.0)] {
        let [x, y] = axes(&json.replace("3.8.99", version), 1).map(Vec2::length);
        assert!((x - 2.0).abs() < 1e-3 && (y - height).abs() < 1e-3, "{version}: {x} {y}");
    }
}

/// In 4.0, transform constraints do not scale y alone.
#[test]
fn scale_of_one_axis_is_copied_as_in_its_version() {
    let json = r#"{"skeleton":{"spine":"4.0.64"},"bones":[{"name":"root"},{"name":"arm","parent":"root"},
        {"name":"target","parent":"root","scaleX":3,"scaleY":3}],
        "transform":[{"name":"copy","bones":["arm"],"target":"target","mixScaleX":0,"mixScaleY":1}]}"#;
    for (version, height) in [("4.0.64", 1.0), ("4.1.24", 3.0), ("4.2.43", 3.0)] {
        let [x, y] = axes(&json.replace("4.0.64", version), 1).map(Vec2::length);
        assert!((x - 1.0).abs() < 1e-5 && (y - height).abs() < 1e-5, "{version}: {x} {y}");
    }
}

/// Since 4.2, transform constraints between local poses do not take the short way to a shear.
#[test]
fn local_shears_are_copied_as_in_their_version() {
    let json = r#"{"skeleton":{"spine":"4.1.24"},"bones":[{"name":"root"},{"name":"arm","parent":"root","shearY":-100},
        {"name":"target","parent":"root","shearY":100}],
        "transform":[{"name":"copy","bones":["arm"],"target":"target","local":true,"mixRotate":0,"mixX":0,"mixScaleX":0,
        "mixShearY":0.5}]}"#;
    for (version, up) in [("4.1.24", -1.0), ("4.2.43", 1.0)] {
        let [_, y] = axes(&json.replace("4.1.24", version), 1);
        assert!((y.y - up).abs() < 1e-5, "{version}: {y}");
    }
}

/// A bone that inverse kinematics compresses gets wider, by 1 / scale, and below 0.7 less than that: 4 without a length.
#[test]
fn compressed_bones_keep_their_area() {
    let json = r#"{"skeleton":{"spine":"4.3.00"},"bones":[{"name":"root"},{"name":"arm","parent":"root","length":100},
        {"name":"target","parent":"root","x":80}],
        "constraints":[{"type":"ik","name":"reach","bones":["arm"],"target":"target","compress":true,
        "scaleY":"volume"}]}"#;
    for (length, height) in [("80", 1.25), ("70", 1.0 / 0.7), ("52.042493", 1.710_691), ("0.001", 4.0)] {
        let [_, y] = axes(&json.replace("80", length), 1);
        assert!((y.length() - height).abs() < 2e-4, "{length}: {y}");
    }
}

/// A bone without a length takes the spacing as its share of a path, and does not count for the other shares.
#[test]
fn shares_of_a_path_depend_on_the_lengths_of_bones() {
    let json = r#"{"skeleton":{"spine":"4.2.43"},"bones":[{"name":"root"},{"name":"a","parent":"root","length":10},
        {"name":"b","parent":"root","length":0},{"name":"c","parent":"root","length":30},
        {"name":"d","parent":"root","length":40}],"slots":[{"name":"s","bone":"root","attachment":"p"}],
        "skins":[{"name":"default","attachments":{"s":{"p":{"type":"path","vertexCount":6,"lengths":[1000,1000],
        "vertices":[-9,0,0,0,300,0,700,0,1000,0,1009,0]}}}}],
        "path":[{"name":"k","bones":["a","b","c","d"],"target":"s","positionMode":"fixed","spacingMode":"proportional",
        "spacing":5}]}"#;
    let flat = ["10", "30", "40"]
        .iter()
        .fold(json.to_owned(), |json, length| json.replace(&format!(r#""length":{length}"#), r#""length":0"#));
    for (json, expected) in [(json, [0.0, 1250.0, 1875.0, 5625.0]), (&flat, [0.0, 1250.0, 2500.0, 3750.0])] {
        let (character, _) = read(json).expect("it is valid");
        let mut pose = Pose::default();
        evaluate(&character, &Cue::default(), &mut pose);
        let found = pose.world_from_bone[1..].iter().map(|bone| bone.translation.x);
        assert!(found.clone().zip(expected).all(|(x, expected)| (x - expected).abs() < 1e-2), "{found:?}");
    }
}

/// A bone whose parent the same local constraint changes later stays before 4.3, and then follows it.
#[test]
fn locally_constrained_bones_follow_as_in_their_version() {
    let bones = r#""bones":[{"name":"root"},{"name":"mid","parent":"root"},{"name":"arm","parent":"mid","x":10},
        {"name":"target","parent":"root","x":5}]"#;
    let before = format!(
        r#"{{"skeleton":{{"spine":"4.1.24"}},{bones},"transform":[{{"name":"k","bones":["arm","mid"],"target":"target",
        "local":true,"relative":true,"mixRotate":0,"mixX":1,"mixScaleX":0,"mixShearY":0}}]}}"#
    );
    let since = format!(
        r#"{{"skeleton":{{"spine":"4.3.00"}},{bones},"constraints":[{{"type":"transform","name":"k",
        "bones":["arm","mid"],"source":"target","localSource":true,"localTarget":true,"additive":true,"mixX":1,
        "properties":{{"x":{{"to":{{"x":{{}}}}}}}}}}]}}"#
    );
    for (json, expected) in [(before, 15.0), (since, 20.0)] {
        let (character, _) = read(&json).expect("it is valid");
        let mut pose = Pose::default();
        evaluate(&character, &Cue::default(), &mut pose);
        assert_eq!(pose.world_from_bone[2].translation.x, expected, "{json}");
    }
}

/// Meshes of two slots: `m`, two that are linked to it, and `z`, which is not.
fn linked(version: &str, animations: &str) -> Character {
    let mesh = r#""uvs":[0,0,1,0,1,1],"triangles":[0,1,2],"vertices":[0,0,9,0,9,9]"#;
    let source = if version >= "4.3" { "source" } else { "parent" };
    let link = |slot: &str| format!(r#"{{"type":"linkedmesh","{source}":"m"{slot}}}"#);
    let other =
        if version >= "4.3" { format!(r#","t":{{"l":{}}}"#, link(r#","slot":"s""#)) } else { String::new() };
    let attachments = format!(
        r#"{{"s":{{"m":{{"type":"mesh",{mesh}}},"n":{},"z":{{"type":"mesh",{mesh}}}}}{other}}}"#,
        link("")
    );
    let skins = match version < "3.8" {
        true => format!(r#"{{"default":{attachments}}}"#),
        false => format!(r#"[{{"name":"default","attachments":{attachments}}}]"#),
    };
    let json = format!(
        r#"{{"skeleton":{{"spine":"{version}"}},"bones":[{{"name":"root"}},{{"name":"side"}}],"slots":[
        {{"name":"s","bone":"root","attachment":"m"}},{{"name":"t","bone":"side","attachment":"l"}}],
        "skins":{skins},"animations":{animations}}}"#
    );
    read(&json).expect("it is valid").0
}

/// In 4.3, keys deform a mesh and the meshes of other slots that are linked to it, on the bones of these slots.
#[test]
fn linked_meshes_of_other_slots_are_deformed() {
    let keys = r#"{"walk":{"attachments":{"default":{"s":{"m":{"deform":[{"vertices":[0,60,0,60,0,60]}]}}}}}}"#;
    let character = linked("4.3.00", keys);
    let cue = Cue { animation: character.model().find_animation("walk"), ..Cue::default() };
    let mut pose = Pose::default();
    evaluate(&character, &cue, &mut pose);
    for (slot, bone) in pose.slots.iter().zip(0..) {
        assert_eq!(pose.deform_of(slot), [Vec2::new(0.0, 60.0); 3]);
        let shown = character.model().attachment(slot.attachment.expect("an attachment"));
        let Attachment::Mesh(mesh) = shown else { panic!("{shown:?}") };
        let Vertices::SkinN(vertices) = &mesh.vertices else { panic!("{mesh:?}") };
        assert!(vertices.influences().iter().all(|influence| influence.bone == bone), "{vertices:?}");
    }
}

/// Since 4.0, a deformation stays if a mesh is replaced by one that shares its timelines.
#[test]
fn shared_deformations_stay() {
    let keys = r#"{"bend":{"deform":{"default":{"s":{"m":[{"vertices":[0,60,0,60,0,60]}]}}}},
        "link":{"slots":{"s":{"attachment":[{"name":"n"}]}}},"other":{"slots":{"s":{"attachment":[{"name":"z"}]}}}}"#;
    for (version, kept) in [("3.7.94", 0), ("3.8.99", 0), ("4.0.64", 3)] {
        let character = linked(version, keys);
        let find = |name| character.model().find_animation(name).expect("an animation");
        for (name, count) in [("link", kept), ("other", 0)] {
            let layer = |name, mix| Layer { mix, ..Layer::new(find(name), Position::Seconds(0.0)) };
            let layers = vec![layer("bend", Mix::Setup), layer(name, Mix::Replace)];
            let mut pose = Pose::default();
            evaluate(&character, &Cue { layers, ..Cue::default() }, &mut pose);
            assert_eq!(pose.deform_of(&pose.slots[0]).len(), count, "{version} {name}");
        }
    }
}

/// The x axis of the bone `arm` at `seconds`.
fn arm_at(json: &str, seconds: f64) -> [f32; 2] {
    let (character, _) = read(json).expect("it is valid");
    let animation = character.model().animation_ids().next();
    let cue = Cue { animation, position: Position::Seconds(seconds), ..Cue::default() };
    let mut pose = Pose::default();
    evaluate(&character, &cue, &mut pose);
    pose.world_from_bone[1].matrix2.x_axis.into()
}

#[test]
fn keys_of_other_versions_do_nothing() {
    let of = |version: &str, parts: &str| with(parts).replace("3.8.99", version);
    let arm =
        |keys: &str, more: &str| format!(r#","animations":{{"walk":{{"bones":{{"arm":{{{keys}}}}}{more}}}}}"#);
    // With one key of its own, a file is of the version that it states.
    let [own_4, own_3] = [
        r#","slots":{"s":{"rgba":[{"color":"ffffffff"}]}}"#,
        r#","slots":{"s":{"color":[{"color":"ffffffff"}]}}"#,
    ];
    let rest = [1.0, 0.0];
    let turned = arm_at(&of("3.8.99", &arm(r#""rotate":[{"angle":30}]"#, "")), 0.0);
    assert!((turned[1] - 0.5).abs() < 1e-5, "{turned:?}");
    for (version, keys, own, expected) in [
        ("4.2.43", r#""rotate":[{"angle":30}]"#, "", turned),
        ("4.2.43", r#""rotate":[{"angle":30}]"#, own_4, rest),
        ("4.2.43", r#""rotate":[{"angle":60,"value":30}]"#, own_4, turned),
        ("3.8.99", r#""rotate":[{"value":30}]"#, "", turned),
        ("3.8.99", r#""rotate":[{"value":30}]"#, own_3, rest),
        ("3.8.99", r#""rotate":[{"angle":30}],"scalex":[{"value":2}]"#, own_3, turned),
    ] {
        assert_eq!(arm_at(&of(version, &arm(keys, own)), 0.0), expected, "{version} {keys} {own}");
    }
    // A curve of 3.8 would make the character disappear in 4.2. It is played as it was meant, for all values alike.
    let curve = r#""curve":0.25,"c3":0.75"#;
    let scaled = |value: &str, curve: &str| {
        format!(
            r#""rotate":[{{"{value}":0,{curve}}},{{"time":2,"{value}":30}}],"scale":[{{"x":1,{curve}}},{{"time":2,"x":3}}]"#
        )
    };
    let meant = of("4.2.43", &arm(&scaled("value", curve), own_4));
    let older = of("3.8.99", &arm(&scaled("angle", curve), own_3));
    for seconds in [0.0, 0.3, 1.0, 1.7, 2.0] {
        let [found, expected] = [&meant, &older].map(|json| arm_at(json, seconds));
        assert!(
            (0..2).all(|axis| (found[axis] - expected[axis]).abs() < 1e-5),
            "{seconds}: {found:?} {expected:?}"
        );
    }
    assert_eq!(
        findings_of(Some("4.2.43"), &arm(&scaled("value", curve), own_4)).matches("other-version").count(),
        2
    );
    // Skins as an object would be refused.
    let skins = r#","skins":{"default":{"s":{"a":{"type":"point"}}}}"#;
    assert_eq!(findings_of(Some("4.2.43"), &(arm("", own_4) + skins)), "warning other-version /skins");
    let (character, _) = read(&of("4.2.43", &(arm("", own_4) + skins))).expect("it is valid");
    assert_eq!(character.model().attachments().len(), 1);
}

/// Curves of 4.0, with handles for each value in seconds and units, are played as they were meant in a file whose other
/// keys are of 3.8.
#[test]
fn handles_of_several_values_are_played_in_older_files() {
    let scale =
        r#""scale":[{"curve":[0.5,1,1.5,3,0.2,1,1.9,1.5]},{"time":2,"x":3,"y":2,"curve":"stepped"},{"time":3}]"#;
    let of = |version: &str, color: &str| {
        let color = format!(r#""slots":{{"s":{{"{color}":[{{"color":"ffffffff"}}]}}}}"#);
        let json = with(&format!(r#","animations":{{"walk":{{"bones":{{"arm":{{{scale}}}}},{color}}}}}"#));
        read(&json.replace("3.8.99", version)).expect("it is valid")
    };
    let ((older, found), (newer, _)) = (of("3.8.99", "color"), of("4.2.43", "rgba"));
    let odd = found.findings().iter().find(|found| found.fault.code == "other-version").expect("a finding");
    assert_eq!(odd.fault.place.path, "/animations/walk/bones/arm/scale");
    for seconds in [0.0, 0.3, 1.0, 1.7, 2.0, 2.5, 3.0] {
        let [played, meant] = [&older, &newer].map(|character| {
            pose_at(character, "walk", Position::Seconds(seconds), true).world_from_bone[1].matrix2
        });
        assert!(played.abs_diff_eq(meant, 1e-4), "{seconds}: {played:?} {meant:?}");
    }
}

#[test]
fn files_before_3_6_have_their_own_keys() {
    for (parts, path) in [
        (r#","animations":{"walk":{"bones":{"arm":{"flipX":[{"x":true}]}}}}"#, "/animations/walk/bones/arm/flipX"),
        (r#","animations":{"walk":{"bones":{"arm":{"flipY":[{"y":true}]}}}}"#, "/animations/walk/bones/arm/flipY"),
    ] {
        assert_eq!(findings_of(Some("3.4.02"), parts), format!("warning version-mismatch {path}"));
        assert_eq!(findings_of(Some("2.1.27"), parts), "");
    }
    // Keys of other programs are ignored.
    for (parts, path) in
        [(r#","skinsName":["a"]"#, "/skinsName"), (r#","events":{"a":{"glow":2}}"#, "/events/a/glow")]
    {
        assert_eq!(findings_of(Some("3.4.02"), parts), format!("note foreign-key {path}"));
    }
    let inherits = |switches: &str| {
        let json = with("").replace(r#""3.8.99""#, r#""3.4.02""#);
        read(&json.replace(r#""name":"arm","#, &format!(r#""name":"arm",{switches},"#)))
    };
    for (switches, mode) in [
        (r#""inheritScale":false"#, "only translation and rotation"),
        (r#""inheritRotation":false"#, "only translation and scale"),
        (r#""inheritRotation":false,"inheritScale":true"#, "only translation and scale"),
        (r#""inheritRotation":false,"inheritScale":false"#, "only translation"),
        (r#""inheritRotation":true,"inheritScale":true"#, "everything"),
    ] {
        let (character, _) = inherits(switches).unwrap_or_else(|error| panic!("{error}: {switches}"));
        let arm = character.model().skeleton().find("arm").expect("a bone");
        assert_eq!(pchr::motion::inheritance(&character, arm), Some(mode), "{switches}");
    }
}

#[test]
fn older_names_are_synonyms() {
    let mesh =
        r#""uvs":[0,0,1,0,1,1],"triangles":[0,1,2],"vertices":[1,0,0,0,1, 2,0,5,0,0.5,1,5,0,0.5, 1,1,9,9,1]"#;
    let newer = with(&format!(
        r#","transform":[{{"name":"t","bones":["arm"],"target":"root","x":3,"rotateMix":0.5}}],"skins":{{"default":{{"s":{{
            "a":{{"type":"mesh",{mesh}}},"b":{{"type":"linkedmesh","parent":"a","deform":false}}}}}}}},"animations":{{"walk":{{
            "deform":{{"default":{{"s":{{"a":[{{"vertices":[1,2,3]}},{{"time":1}}]}}}}}}}}}}"#
    ))
    .replace(r#""name":"arm","#, r#""name":"arm","transform":"onlyTranslation","#);
    let older = newer
        .replace("3.8.99", "3.2.01")
        .replace(r#""type":"mesh""#, r#""type":"weightedmesh""#)
        .replace(r#""type":"linkedmesh""#, r#""type":"weightedlinkedmesh""#)
        .replace(r#""deform":false"#, r#""ffd":false"#)
        .replace(r#""deform":{"#, r#""ffd":{"#)
        .replace(r#""bones":["arm"]"#, r#""bone":"arm""#)
        .replace(r#""transform":"onlyTranslation""#, r#""inheritRotation":false,"inheritScale":false"#);
    let oldest = older.replace("weightedmesh", "skinnedmesh").replace(r#""spine":"3.2.01""#, "");
    for (older, version) in [(&older, "3.6.53"), (&oldest, "3.6.53")] {
        let newer = read(&newer.replace("3.8.99", version)).expect("it is valid").0;
        let older = read(older).unwrap_or_else(|error| panic!("{error}: {older}")).0;
        assert_eq!(older.model().attachments().len(), 2);
        let mut poses = [Pose::default(), Pose::default()];
        for cue in cues(&newer, &mut Random(5), 20) {
            evaluate(&older, &cue, &mut poses[0]);
            evaluate(&newer, &cue, &mut poses[1]);
            assert!(poses[0] == poses[1], "{cue:?}");
        }
    }
    // In later versions these names have no meaning.
    let found = findings_of(Some("3.8.99"), r#","animations":{"walk":{"ffd":{}}}"#);
    assert_eq!(found, "note foreign-key /animations/walk/ffd");
    let keys = r#","animations":{"walk":{"ffd":{"default":{}}}}"#;
    assert_eq!(findings_of(Some("3.8.99"), keys), "warning version-mismatch /animations/walk/ffd");
}

#[test]
fn keys_that_change_nothing_are_one_note() {
    let empty: String =
        (0..20).map(|at| format!(r#","k{at}":{}"#, ["{}", "[]", "\"\"", "null"][at % 4])).collect();
    let json = with(&empty).replace(r#""spine":"3.8.99""#, r#""author":"somebody","spine":"3.8.99""#);
    let (_, diagnostics) = read(&json).expect("it is valid");
    let is_about_keys = |found: &&Finding| found.fault.code != "unknown-attachment";
    let found: Vec<&Finding> = diagnostics.findings().iter().filter(is_about_keys).collect();
    assert!(found.len() == 1 && found[0].severity == Severity::Note, "{found:?}");
    let message = found[0].fault.to_string();
    assert!(message.starts_with("/skeleton/author: ") && message.ends_with(" and 13 more"), "{message}");
    // Content may have been meant to change something, and numbers beside the marks of an author.
    for (from, to, place) in [
        (r#""skins""#, r#""skinz":{"a":1},"skins""#, "/skinz"),
        (r#""skins""#, r#""skinz":"a","skins""#, "/skinz"),
        (r#""spine":"3.8.99""#, r#""spine":"3.8.99","referenceScal":50"#, "/skeleton/referenceScal"),
        (r#""name":"arm","#, r#""name":"arm","inheritScale":false,"#, "/bones/1/inheritScale"),
    ] {
        let json = with(r#","skins":[]"#).replacen(from, to, 1);
        let (_, diagnostics) = read(&json).expect("it is valid");
        let unknown = diagnostics.warnings().filter(|fault| fault.code == "unknown-key");
        assert_eq!(unknown.map(|fault| &*fault.place.path).collect::<Vec<_>>(), [place], "{to}");
    }
    let json = with("").replace(r#""name":"arm","#, r#""name":"arm","inheritScale":true,"#);
    let (_, diagnostics) = read(&json).expect("it is valid");
    assert!(diagnostics.warnings().all(|fault| fault.code != "unknown-key"), "{diagnostics:?}");
}

#[test]
fn negative_weights_count() {
    let attachment = r#"{"type":"mesh","uvs":[0,0,1,0,1,1],"triangles":[0,1,2],
        "vertices":[2,0,10,0,1.5,1,0,0,-0.5, 1,0,0,0,1, 1,0,5,5,1]}"#;
    let json = with_attachment(attachment).replace(r#""length":10"#, r#""length":10,"x":4,"rotation":90"#);
    let (character, diagnostics) = read(&json).expect("it is valid");
    assert!(diagnostics.warnings().all(|fault| fault.code != "negative-weight"), "{diagnostics:?}");
    let (mut pose, mut matrices) = (Pose::default(), Vec::new());
    evaluate(&character, &Cue::default(), &mut pose);
    pchr::pose::palette(character.model(), &pose, &mut matrices);
    let mesh = character.model().attachments()[0].mesh().expect("a mesh");
    let first = pchr::pose::deformed_world_position(&mesh.vertices, 0, &[], &matrices).expect("a vertex");
    // 1.5 · (10, 0) - 0.5 · (4, 0)
    assert!(first.distance(pchr::math::vec2(13.0, 0.0)) < 1e-5, "{first}");
    // Farther out than either bone alone would place it, but within the bounds.
    let bounds = pchr::pose::bounds(character.model(), &pose, &matrices);
    assert!((bounds.max.x - 13.0).abs() < 1e-5, "{bounds:?}");
}

/// Stores the four numbers of curves separately, as up to 3.7.
fn older_curves(value: &mut serde_json::Value, count: &mut usize) {
    match value {
        serde_json::Value::Object(object) => {
            if object.get("curve").is_some_and(serde_json::Value::is_number) {
                let mut or = |key, default: f64| object.remove(key).unwrap_or(default.into());
                let (c2, c3, c4) = (or("c2", 0.0), or("c3", 1.0), or("c4", 1.0));
                object["curve"] = serde_json::Value::from(vec![object["curve"].clone(), c2, c3, c4]);
                *count += 1;
            }
            object.values_mut().for_each(|value| older_curves(value, count));
        }
        serde_json::Value::Array(list) => list.iter_mut().for_each(|value| older_curves(value, count)),
        _ => {}
    }
}

#[test]
fn limits_are_enforced() {
    let json = with_attachment(r#"{"width":1,"height":1}"#);
    let read_within = |name: &str, value| {
        let mut limits = Limits::default();
        assert!(limits.set(name, value));
        let options = ReadOptions { limits, ..ReadOptions::default() };
        let input = Input { bytes: json.as_bytes().to_vec().into(), sidecars: NO_SIDECARS };
        pchr::formats::spine::read_character(&input, &options, &mut Diagnostics::default()).map(|_| ())
    };
    for (name, enough) in
        [("records", 5), ("json-depth", 6), ("file-bytes", json.len() as u64), ("memory-bytes", 10_000)]
    {
        read_within(name, enough).unwrap_or_else(|error| panic!("{name}: {error}"));
        let little = if name == "memory-bytes" { 1_000 } else { enough - 1 };
        let error = read_within(name, little).expect_err(name);
        assert_eq!(error.code(), "limit-exceeded", "{name}: {error}");
    }
    let bones: Vec<String> = (0..3000).map(|bone| format!(r#"{{"name":"{bone}"}}"#)).collect();
    let ik: Vec<String> = (0..6000).map(|ik| format!(r#"{{"name":"{ik}","bones":["1"],"target":"2"}}"#)).collect();
    let error = read(&format!(r#"{{"bones":[{}],"ik":[{}]}}"#, bones.join(","), ik.join(","))).unwrap_err();
    assert_eq!(error.code(), "too-many", "{error}");
}

/// A page of 64 × 32 pixels with a rotated picture of 20 × 10, trimmed by 4 pixels on the left and 2 below.
const ATLAS: &str =
    "page.png\nsize: 64, 32\npma: true\nhat\nbounds: 2, 4, 16, 8\noffsets: 4, 2, 20, 10\nrotate: 90\n";

/// Returns the character at `path`, and the findings.
fn first_mesh(path: &Path, options: &ReadOptions) -> (Character, Vec<String>) {
    let mut diagnostics = Diagnostics::default();
    let bytes = std::fs::read(path).expect("a readable file").into();
    let input = Input { bytes, sidecars: &Folder::of(path) };
    let character = pchr::formats::spine::read_character(&input, options, &mut diagnostics).expect("a valid file");
    let found = diagnostics.findings().iter().map(|finding| finding.fault.to_string()).collect();
    (character, found)
}

fn corners(character: &Character) -> Vec<([f32; 2], [f32; 2])> {
    let mesh = character.model().attachments()[0].mesh().expect("a mesh");
    let Vertices::SkinN(vertices) = &mesh.vertices else { panic!("lists") };
    vertices.iter().map(|vertex| (vertex.influences[0].position.to_array(), vertex.uv.to_array())).collect()
}

#[test]
fn pictures_are_in_an_atlas_or_loose() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let json = with_attachment(r#"{"path":"hat","width":40,"height":20,"x":100}"#);
    let json = json.replace(r#""spine":"3.8.99""#, r#""spine":"3.8.99","images":"./images/""#);
    std::fs::write(file("hero-pro.json"), json).unwrap();
    let png =
        |width: u32, height: u32| encode_png(width, height, &vec![255; (width * height * 4) as usize]).unwrap();
    let plain = ReadOptions::default();

    let (character, found) = first_mesh(&file("hero-pro.json"), &plain);
    let missing = "/skins/0/attachments/s/a: `images/hat.png` does not exist; it is drawn in a neutral colour";
    assert_eq!((found, character.model().pages().len()), (vec![missing.to_owned()], 0));

    std::fs::create_dir(file("images")).unwrap();
    std::fs::write(file("images/hat.png"), png(20, 10)).unwrap();
    let (character, found) = first_mesh(&file("hero-pro.json"), &plain);
    assert!(found.is_empty(), "{found:?}");
    assert_eq!((character.model().pages()[0].width, character.model().pages()[0].is_premultiplied), (20, false));
    assert_eq!(corners(&character)[0], ([80.0, -10.0], [0.0, 1.0]));

    // Found by the file name without its suffix. Regions are in pixels of the actual picture, whatever size the
    // atlas states.
    std::fs::write(file("hero.atlas"), ATLAS).unwrap();
    std::fs::write(file("other.atlas"), "other.png\n").unwrap();
    let (character, found) = first_mesh(&file("hero-pro.json"), &plain);
    let missing = "hero.atlas: line 1: `page.png` does not exist; its attachments have no image";
    assert_eq!((found, character.model().pages().len()), (vec![missing.to_owned()], 0));
    std::fs::write(file("page.png"), png(128, 64)).unwrap();
    let (character, found) = first_mesh(&file("hero-pro.json"), &plain);
    let other_size =
        "hero.atlas: line 1: the atlas states 64×32 for `page.png`, but it is 128×64; regions use the actual size";
    assert_eq!(found, [other_size]);
    assert!(character.model().pages()[0].is_premultiplied);
    // Twice as large as in the atlas, 8 and 4 pixels of the whole trimmed; lower left is lower right on the page.
    let at = |x: f32, y: f32| [x / 128.0, y / 64.0];
    let expected = [
        ([88.0, -6.0], at(10.0, 20.0)),
        ([88.0, 10.0], at(2.0, 20.0)),
        ([120.0, 10.0], at(2.0, 4.0)),
        ([120.0, -6.0], at(10.0, 4.0)),
    ];
    assert_eq!(corners(&character), expected);

    let elsewhere = tempfile::tempdir().unwrap();
    let options = ReadOptions { atlases: vec![elsewhere.path().join("any.atlas")], ..ReadOptions::default() };
    std::fs::write(elsewhere.path().join("any.atlas"), "far.png\ncap\nbounds: 0, 0, 2, 2\n").unwrap();
    std::fs::write(elsewhere.path().join("far.png"), png(2, 2)).unwrap();
    let (character, found) = first_mesh(&file("hero-pro.json"), &options);
    let missing = "/skins/0/attachments/s/a: the atlas has no region `hat`; it is drawn in a neutral colour";
    assert_eq!((found, &*character.model().pages()[0].name), (vec![missing.to_owned()], "far.png"));
}

/// What a linked mesh copies is charged for each copy.
#[test]
fn linked_meshes_are_charged_for_their_triangles() {
    let triangles = vec!["0"; 90_000].join(",");
    let mesh = format!(
        r#""a":{{"type":"mesh","uvs":[0,0,1,0,0,1],"vertices":[0,0,1,0,0,1],"triangles":[{triangles}],"hull":3}}"#
    );
    let with_links = |count: usize| {
        let link = |index| format!(r#","l{index}":{{"type":"linkedmesh","parent":"a"}}"#);
        let links: String = (0..count).map(link).collect();
        with(&format!(r#","skins":[{{"name":"default","attachments":{{"s":{{{mesh}{links}}}}}}}]"#))
    };
    let read = |json: String| {
        let mut options = ReadOptions::default();
        options.limits.memory_bytes = 4 << 20;
        let input = Input { bytes: json.into_bytes().into(), sidecars: NO_SIDECARS };
        pchr::formats::spine::read_character(&input, &options, &mut Diagnostics::default())
    };
    assert!(read(with_links(2)).is_ok());
    let error = read(with_links(100)).expect_err("it is beyond the limit");
    assert_eq!(error.code(), "limit-exceeded", "{error}");
}

#[test]
fn names_of_modes_may_begin_with_a_capital_letter() {
    let json = with("").replace(r#""3.8.99""#, r#""4.2.43""#);
    let inherits = |mode: &str| {
        let json = json.replace(r#""name":"arm","#, &format!(r#""name":"arm","inherit":"{mode}","#));
        let character = read(&json).unwrap_or_else(|error| panic!("{mode}: {error}")).0;
        let arm = character.model().skeleton().find("arm").expect("a bone");
        pchr::motion::inheritance(&character, arm)
    };
    for mode in ["normal", "onlyTranslation", "noRotationOrReflection", "noScale", "noScaleOrReflection"] {
        let capital = mode[..1].to_uppercase() + &mode[1..];
        assert_eq!(inherits(mode), inherits(&capital), "{mode}");
    }
}

/// Two bones, each of which points at a target, the second one's constraint first.
fn reaching(version: &str, mix: &str) -> Character {
    let text = format!(
        r#"{{"skeleton":{{"spine":"{version}"}},"bones":[{{"name":"root"}},{{"name":"upper","parent":"root","length":10}},
        {{"name":"lower","parent":"upper","x":10,"length":10}},{{"name":"goal","parent":"root","x":-100}}],
        "ik":[{{"name":"second","bones":["lower"],"target":"goal","mix":{mix}}},
        {{"name":"first","bones":["upper"],"target":"goal","mix":{mix}}}]}}"#
    );
    read(&text).expect("it is valid").0
}

#[test]
fn constraints_of_early_versions_are_applied_from_the_root_on_and_of_2_1_as_listed() {
    for (version, expected) in [("2.1.27", ["second", "first"]), ("3.1.07", ["first", "second"])] {
        let character = reaching(version, "1");
        let names = character.model().constraints().iter().map(|it| &*it.name);
        assert_eq!(names.collect::<Vec<_>>(), expected, "{version}");
    }
}

#[test]
fn inverse_kinematics_of_3_1_turns_counter_clockwise_to_what_is_exactly_behind() {
    let upper = |version: &str| {
        let character = reaching(version, "0.5");
        let mut pose = Pose::default();
        evaluate(&character, &Cue::default(), &mut pose);
        pose.world_from_bone[1].matrix2.x_axis
    };
    assert!(upper("3.1.07").abs_diff_eq(vec2(0.0, 1.0), 1e-6), "{}", upper("3.1.07"));
}
