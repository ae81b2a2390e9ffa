//! SkelForm behaviour that no golden covers, and files that are rejected.

use std::path::{Path, PathBuf};

use crate::common;
use crate::common::converted::{converted, main_file, options};
use crate::common::memory::allocations;
use crate::common::random::Random;
use crate::common::skelform_golden::read_skelform;
use crate::common::zip::{Entry, entries, zip};
use crate::quirks;
use pchr::Animator;
use pchr::diagnostics::{Diagnostics, Severity};
use pchr::formats::{Input, NO_SIDECARS, ReadOptions, examine, format_name, from_bytes};
use pchr::limits::Limits;
use pchr::math::{Vec2, vec2};
use pchr::model::{AnimationId, Attachment};
use pchr::motion::{BoneOverride, Cue, Direction, Dynamics, Evaluator, Forces, Layer, Mix, Position, evaluate};
use pchr::pose::{Pose, for_each_deformed_vertex, palette};
use pchr::{Character, Error};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/skelform")
}

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(common::ours("skelform/samples").join(format!("{name}.skf"))).expect("a fixture")
}

#[test]
fn every_quirk_is_reported_as_its_fixture_expects() {
    let fixtures = quirks::skelform::fixtures();
    for fixture in &fixtures {
        let expect = fixture.folder.join("expect.txt");
        if std::env::var_os("PCHR_UPDATE").is_some() {
            std::fs::create_dir_all(&fixture.folder).expect("a folder");
            for (name, bytes) in &fixture.files {
                std::fs::write(fixture.folder.join(name), bytes).expect("a fixture");
            }
            std::fs::write(&expect, fixture.report()).expect("a fixture");
        }
        for (name, bytes) in &fixture.files {
            let stored = std::fs::read(fixture.folder.join(name)).expect("a fixture");
            assert!(
                stored == *bytes,
                "{} differs from what the generator makes; update with PCHR_UPDATE=1",
                fixture.folder.display()
            );
        }
        assert_eq!(fixture.expected().replace("\r\n", "\n"), fixture.report(), "{}", expect.display());
    }
    let folders = std::fs::read_dir(folder().join("quirks")).expect("the fixtures").count();
    assert_eq!(folders, fixtures.len(), "a fixture without a generator");
}

/// Returns cues of random animations at random times, some with a second animation.
fn cues(character: &Character, random: &mut Random, count: usize) -> Vec<Cue> {
    let model = character.model();
    let animations: Vec<AnimationId> = model.animation_ids().collect();
    let mut cue = || {
        let mut animation = || animations[random.below(animations.len())];
        let (first, second) = (animation(), animation());
        let position = Position::Seconds(random.between(0.0, 3.0).into());
        let layer = Layer {
            hold: random.below(2) == 0,
            alpha: random.between(0.0, 1.0).into(),
            mix: [Mix::Setup, Mix::First, Mix::Replace, Mix::Add, Mix::Fade][random.below(5)],
            direction: [Direction::In, Direction::Out][random.below(2)],
            ..Layer::new(second, position)
        };
        Cue {
            animation: (random.below(8) > 0).then_some(first),
            position: Position::Seconds(random.between(-0.5, 4.0).into()),
            hold: random.below(2) == 0,
            skins: model.skins().iter().filter_map(|skin| model.find_skin(&skin.name)).collect(),
            layers: if random.below(2) == 0 { vec![layer] } else { Vec::new() },
            ..Cue::default()
        }
    };
    (0..count).map(|_| cue()).collect()
}

#[test]
fn a_pose_depends_on_its_cue_alone() {
    let names = ["synth-hierarchy", "synth-ik", "synth-mesh", "synth-physics", "synth-blend", "synth-curves"];
    let characters = names.map(|name| read_skelform(&sample(name)));
    let (mut random, mut evaluator, mut used) = (Random(7), Evaluator::default(), Pose::default());
    for round in 0..60 {
        let character = &characters[round % characters.len()];
        for cue in cues(character, &mut random, 3) {
            let mut fresh = Pose::default();
            evaluate(character, &cue, &mut fresh);
            // Independent of what it evaluated before.
            evaluator.evaluate(character, &cue, &mut used);
            assert!(fresh == used && !fresh.world_from_bone.is_empty(), "{cue:?}");
        }
    }
}

#[test]
fn nothing_is_allocated_after_the_first_pose() {
    for name in ["synth-hierarchy", "synth-ik", "synth-mesh", "synth-physics"] {
        let character = read_skelform(&sample(name));
        let cues = cues(&character, &mut Random(3), 20);
        let mut pose = Pose::default();
        let (mut evaluator, mut dynamics) = (Evaluator::default(), Dynamics::default());
        let mut all = || {
            cues.iter().for_each(|cue| evaluator.evaluate(&character, cue, &mut pose));
            cues.iter().for_each(|cue| dynamics.step(&character, cue, &mut pose));
        };
        all();
        assert_eq!(allocations(all), 0, "{name}");
    }
}

#[test]
fn an_instant_between_frames_is_between_their_poses() {
    let character = read_skelform(&sample("synth-curves"));
    let at = |fraction| {
        let mut pose = Pose::default();
        let animation = character.model().default_animation();
        let position = Position::Frame { frame: 3, fraction };
        evaluate(&character, &Cue { animation, position, ..Cue::default() }, &mut pose);
        pose.world_from_bone
    };
    let [before, middle, after] = [0.0, 0.5, 1.0].map(at);
    let moved = before.iter().zip(&after).filter(|(before, after)| before != after).count();
    assert!(moved > 3, "{moved} bones move");
    for ((before, middle), after) in before.iter().zip(&middle).zip(&after) {
        let (low, high) = (before.translation.min(after.translation), before.translation.max(after.translation));
        let is_between = middle.translation.cmpge(low - 0.5).all() && middle.translation.cmple(high + 0.5).all();
        assert!(is_between, "{before:?} {middle:?} {after:?}");
    }
}

#[test]
fn a_chain_reaches_for_a_dragged_target() {
    let character = read_skelform(&sample("synth-ik"));
    let skeleton = character.model().skeleton();
    let bytes = sample("synth-ik");
    let armature = entries(&bytes).into_iter().find(|entry| entry.name == "armature.json").expect("it is there");
    let armature: serde_json::Value = serde_json::from_slice(&armature.packed).expect("JSON");
    let mut pose = Pose::default();
    evaluate(&character, &Cue::default(), &mut pose);
    let mut reached = 0;
    for family in armature["inverse_kinematics"].as_array().expect("a list") {
        let Some(target) = family["target_id"].as_u64() else { continue };
        let members: Vec<usize> = family["bone_ids"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|id| id.as_u64().unwrap() as usize)
            .collect();
        let ([root, .., tip], "FABRIK", "None") =
            (&members[..], family["mode"].as_str().unwrap(), family["constraint"].as_str().unwrap())
        else {
            continue;
        };
        let length = (pose.world_from_bone[*tip].translation - pose.world_from_bone[*root].translation).length();
        let mouse = pose.world_from_bone[*root].translation + vec2(0.3, 0.4) * length;
        let name = &skeleton.bones()[target as usize].name;
        let overrides = vec![BoneOverride::at(skeleton.find(name).expect("a bone"), mouse)];
        let mut dragged = Pose::default();
        evaluate(&character, &Cue { bones: overrides, ..Cue::default() }, &mut dragged);
        let place = dragged.world_from_bone[target as usize].translation;
        assert!(place.distance(mouse) < 1e-2, "the target is at {place}, expected at {mouse}");
        reached += usize::from(dragged.world_from_bone[*tip].translation.distance(mouse) < 0.05 * length);
    }
    assert!(reached >= 1, "no chain reached its target");
}

#[test]
fn bone_overrides_win() {
    let character = read_skelform(&sample("synth-hierarchy"));
    for (index, bone) in character.model().skeleton().authored_bones().iter().enumerate() {
        let id = character.model().skeleton().find(&bone.name).expect("a bone");
        let put = BoneOverride { rotation_radians: Some(0.25), ..BoneOverride::at(id, vec2(31.0, -7.0)) };
        let mut pose = Pose::default();
        evaluate(&character, &Cue { bones: vec![put], ..Cue::default() }, &mut pose);
        if id.index() == index {
            let place = pose.world_from_bone[index].translation;
            assert!(place.distance(vec2(31.0, -7.0)) < 1e-3, "{} is at {place}", bone.name);
        }
    }
}

#[test]
fn physics_at_a_position_do_not_depend_on_the_path_to_it() {
    let character = read_skelform(&sample("synth-physics"));
    let animation = character.model().default_animation();
    let started = || {
        let mut animator = Animator::new(character.clone());
        animator.set_interpolate(true);
        animator.show(animation);
        animator
    };
    let mut played = started();
    // At display rate, sometimes with two steps at once.
    (0..30).for_each(|_| _ = played.update(1.0 / 60.0));
    let mut sought = started();
    sought.seek(played.playback(0).position());
    sought.refresh();
    let (played, pose) = (played.pose().clone(), sought.pose().clone());
    let mut still = Pose::default();
    evaluate(&character, sought.cue(), &mut still);
    let off = |a: &Pose, b: &Pose| {
        let pairs = a.world_from_bone.iter().zip(&b.world_from_bone);
        pairs.map(|(a, b)| a.translation.distance(b.translation)).fold(0.0, f32::max)
    };
    assert!(off(&played, &pose) < 1e-2, "{} px", off(&played, &pose));
    assert!(off(&pose, &still) > 1.0, "physics have no effect");
    // Seeking again from here gives the same bits.
    sought.seek(sought.playback(0).position());
    sought.refresh();
    assert!(*sought.pose() == pose);
    // Evaluating twice does not advance the physics.
    sought.set_interpolate(true);
    sought.refresh();
    assert!(off(sought.pose(), &pose) < 1e-3);
}

#[test]
fn continuing_equals_replaying() {
    let character = read_skelform(&sample("synth-physics"));
    let other = read_skelform(&sample("synth-physics"));
    let animation = character.model().default_animation();
    let cue = |position| Cue { animation, position, ..Cue::default() };
    let frame = |frame| cue(Position::frame(frame));
    let secs = |secs| cue(Position::Seconds(secs));
    let bone = character.model().skeleton().find(&character.model().skeleton().bones()[3].name).expect("a bone");
    let put = Cue { bones: vec![BoneOverride::at(bone, vec2(50.0, 9.0))], ..frame(12) };
    let cues = [
        frame(0),
        frame(1),
        frame(5),
        frame(4),
        secs(0.0712),
        frame(30),
        put,
        frame(31),
        // Longer than is replayed in one piece.
        secs(59.9),
        secs(60.4),
        secs(60.5),
        secs(1e300),
        secs(f64::NAN),
        secs(-3.0),
        frame(7),
    ];
    let mut going_on = Dynamics::default();
    let (mut found, mut expected) = (Pose::default(), Pose::default());
    let mut swung = 0;
    for (cue, of) in cues
        .iter()
        .flat_map(|cue| [(cue, &character), (cue, &other)])
        .chain(cues.iter().map(|cue| (cue, &character)))
    {
        going_on.replay(of, cue, &mut found);
        Dynamics::default().replay(of, cue, &mut expected);
        assert!(found == expected, "{cue:?}");
        evaluate(of, cue, &mut expected);
        swung += usize::from(found != expected);
    }
    assert!(swung > 20, "{swung}");
    // Steps of another character do not count.
    going_on.replay(&character, &frame(3), &mut found);
    (0..20).for_each(|_| going_on.step(&character, &frame(3), &mut found));
    going_on.replay(&character, &frame(4), &mut found);
    Dynamics::default().replay(&character, &frame(4), &mut expected);
    assert!(found == expected);
}

#[test]
fn a_mix_weakens_physics() {
    let character = read_skelform(&sample("synth-physics"));
    let of = |mix: f32| {
        let forces = Forces { mix, ..Forces::default() };
        let (animation, mut pose) = (character.model().default_animation(), Pose::default());
        let cue = Cue { animation, position: Position::frame(12), forces, ..Cue::default() };
        Dynamics::default().replay(&character, &cue, &mut pose);
        (pose, cue)
    };
    let ((whole, _), (half, _), (none, cue)) = (of(1.0), of(0.5), of(0.0));
    let mut still = Pose::default();
    evaluate(&character, &cue, &mut still);
    let off = |a: &Pose, b: &Pose| {
        let pairs = a.world_from_bone.iter().zip(&b.world_from_bone);
        pairs.map(|(a, b)| a.translation.distance(b.translation)).fold(0.0, f32::max)
    };
    assert!(off(&none, &still) < 1e-3, "{}", off(&none, &still));
    let (swung, left) = (off(&whole, &still), off(&half, &still));
    assert!(swung > 1.0 && (0.2..0.8).contains(&(left / swung)), "{left} of {swung} px");
}

#[test]
fn chains_list_their_targets() {
    let character = read_skelform(&sample("synth-ik"));
    let targets = pchr::motion::ik_targets(&character);
    let names: Vec<&str> =
        targets.iter().map(|bone| &*character.model().skeleton().bones()[bone.index()].name).collect();
    assert!(names.len() >= 5 && names.iter().all(|name| !name.is_empty()), "{names:?}");
    assert!(targets.iter().enumerate().all(|(at, bone)| !targets[..at].contains(bone)), "each once");
    assert!(pchr::motion::ik_targets(&read_skelform(&sample("synth-mesh"))).is_empty());
}

// ---- Small files.

/// One bone with one picture, in the newer form.
const TINY: &str = r#"{"version": "0.7.0",
  "bones": [
    {"id": 0, "name": "root", "parent_id": -1, "pos": {"x": 1, "y": 2}, "visuals_id": 0},
    {"id": 1, "name": "tip", "parent_id": 0, "pos": {"x": 10, "y": 0}, "visuals_id": -1}
  ],
  "visuals": [{"tex": "box", "zindex": 0}],
  "animations": [{"name": "go", "fps": 10, "keyframes": [
    {"frame": 0, "bone_id": 0, "element": "PositionX", "value": 0},
    {"frame": 10, "bone_id": 0, "element": "PositionX", "value": 20}
  ]}],
  "atlases": [{"filename": "atlas0.png", "size": {"x": 1, "y": 1}}],
  "styles": [
    {"name": "Hat", "textures": [{"name": "box", "offset": {"x": 0, "y": 0}, "size": {"x": 2, "y": 2}, "atlas_idx": 0}]},
    {"name": "default", "textures": [{"name": "box", "offset": {"x": 0, "y": 0}, "size": {"x": 4, "y": 4}, "atlas_idx": 0}]},
    {"name": "Coat", "textures": []}
  ]}"#;

const PNG: &[u8] = include_bytes!("../fixtures/pchr-json/description/atlas.png");

/// Returns [`TINY`] with `from` replaced by `to`.
fn tiny(from: &str, to: &str) -> Vec<u8> {
    assert!(TINY.contains(from), "`{from}`");
    packed(&TINY.replace(from, to))
}

fn packed(text: &str) -> Vec<u8> {
    zip(&[Entry::stored("armature.json", text.as_bytes()), Entry::stored("atlas0.png", PNG)])
}

fn refused(bytes: Vec<u8>) -> Error {
    let read = from_bytes(bytes.clone(), &ReadOptions::default(), &mut Diagnostics::default());
    let error = read.err().unwrap_or_else(|| panic!("it was read"));
    let input = Input { bytes: bytes.into(), sidecars: NO_SIDECARS };
    match examine(&input, &ReadOptions::default()) {
        Ok(found) => assert_eq!(found.findings().last().expect("a finding").fault.code, error.code()),
        Err(examined) => assert_eq!(examined.code(), error.code()),
    }
    error
}

#[test]
fn a_small_file_is_read_from_any_archive() {
    use std::io::Write;
    let mut deflating = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    deflating.write_all(TINY.as_bytes()).unwrap();
    let deflated = Entry::deflated("armature.json", TINY.as_bytes(), deflating.finish().unwrap());
    let stray = Entry::stored("skellina.skf", b"PK");
    for bytes in [packed(TINY), zip(&[Entry::stored("atlas0.png", PNG), deflated, stray])] {
        assert_eq!(format_name(&bytes), Some("SkelForm"));
        let mut diagnostics = Diagnostics::default();
        let character = from_bytes(bytes, &ReadOptions::default(), &mut diagnostics).expect("it is valid");
        assert!(diagnostics.is_empty(), "{:?}", diagnostics.findings());
        let model = character.model();
        assert_eq!((model.pages().len(), model.slots().len(), model.skins().len()), (1, 1, 3));
        let go = &model.animations()[0];
        assert_eq!((go.frame_count(), go.fps(), go.looping, go.duration_secs()), (11, 10.0, true, 1.1));
    }
}

/// Returns the width of what the only slot shows.
fn width(character: &Character, skins: &[&str]) -> f32 {
    let model = character.model();
    let skins = skins.iter().map(|name| model.find_skin(name).expect("a skin")).collect();
    let (mut pose, mut matrices, mut corners) = (Pose::default(), Vec::new(), Vec::new());
    evaluate(character, &Cue { skins, ..Cue::default() }, &mut pose);
    palette(model, &pose, &mut matrices);
    let Some(id) = pose.slots[0].attachment else { return 0.0 };
    let mesh = model.attachment(id).mesh().expect("it is drawn");
    for_each_deformed_vertex(&mesh.vertices, &[], &matrices, |corner, _| corners.push(corner));
    corners[1].x - corners[0].x
}

#[test]
fn styles_are_worn_as_stated_and_the_first_one_wins() {
    let character = |editor: Option<&str>, text: &str| {
        let mut entries = vec![Entry::stored("armature.json", text.as_bytes()), Entry::stored("atlas0.png", PNG)];
        entries.extend(editor.map(|editor| Entry::stored("editor.json", editor.as_bytes())));
        read_skelform(&zip(&entries))
    };
    // Selected by its name, whose capitalization varies.
    let plain = character(None, TINY);
    assert_eq!([width(&plain, &[]), width(&plain, &["Hat"]), width(&plain, &["Coat"])], [4.0, 2.0, 4.0]);
    let both = character(Some(r#"{"styles": [{"active": true}, {"active": true}, {"active": false}]}"#), TINY);
    assert_eq!([width(&both, &[]), width(&both, &["Hat", "default"])], [2.0, 4.0]);
    let none = character(Some(r#"{"styles": [{"active": false}, {"active": false}]}"#), TINY);
    assert_eq!([width(&none, &[]), width(&none, &["default"])], [0.0, 4.0]);
    // Invalid JSON is treated as missing.
    assert_eq!(width(&character(Some("{"), TINY), &[]), 4.0);
    // Without a style of that name, the last one is worn, which has no textures here.
    assert_eq!(width(&character(None, &TINY.replace("\"default\"", "\"other\"")), &[]), 0.0);
}

#[test]
fn an_early_file_is_drawn_from_its_only_picture() {
    let bytes = std::fs::read(folder().join("quirks/one-picture-and-no-atlases/input.skf")).expect("a fixture");
    let upgraded =
        converted(&bytes.clone().into(), &options("skelform", &Limits::default())).expect("it upgrades");
    for bytes in [bytes, main_file(&upgraded).into()] {
        let character = read_skelform(&bytes);
        let model = character.model();
        assert_eq!(model.pages().iter().map(|page| &*page.name).collect::<Vec<_>>(), ["textures.png"]);
        let attachment = model.skins()[0].entries[0].attachment;
        let Attachment::Region(region) = model.attachment(attachment) else { panic!("no region") };
        assert!(region.page.is_some());
    }
}

#[test]
fn jpeg_pictures_are_read_and_their_clear_colour_removed() {
    let jpeg = std::fs::read(folder().join("pictures/red-and-green.jpg")).expect("a fixture");
    let text = TINY.replace("atlas0.png", "atlas0.jpg").replacen(
        '{',
        r#"{"clear_color": {"r": 0, "g": 255, "b": 0, "a": 255},"#,
        1,
    );
    let bytes = zip(&[Entry::stored("armature.json", text.as_bytes()), Entry::stored("atlas0.jpg", &jpeg)]);
    let character = read_skelform(&bytes);
    let page = &character.model().pages()[0];
    assert_eq!((page.width, page.height), (16, 8));
    let pixel = |x: usize| &page.pixels[4 * x..4 * x + 4];
    let (red, clear) = (pixel(2), pixel(12));
    assert!(red[0] > 240 && red[1] < 60 && red[3] == 255, "{red:?}");
    assert_eq!(clear, [0; 4]);
    let cut = zip(&[Entry::stored("armature.json", text.as_bytes()), Entry::stored("atlas0.jpg", &jpeg[..40])]);
    assert_eq!(refused(cut).code(), "bad-jpeg");
}

#[test]
fn weights_of_any_size_are_applied_in_sequence() {
    // Weights above 1 and below 0 are unusual, but well-defined.
    let visual = r#"{"tex": "box", "vertices": [{"init_pos": {"x": 3, "y": 1}, "uv": {"x": 0, "y": 0}}, {}, {}], "indices": [0, 1, 2],
        "binds": [{"bone_id": 1, "verts": [{"id": 0, "weight": 1.5}]}, {"bone_id": 0, "verts": [{"id": 0, "weight": -0.25}]}]}"#;
    let character = read_skelform(&tiny(r#"{"tex": "box", "zindex": 0}"#, visual));
    let (mut pose, mut matrices, mut found) = (Pose::default(), Vec::new(), Vec::new());
    evaluate(&character, &Cue::default(), &mut pose);
    palette(character.model(), &pose, &mut matrices);
    let mesh = character.model().attachments()[0].mesh().expect("a mesh");
    for_each_deformed_vertex(&mesh.vertices, &[], &matrices, |position, _| found.push(position));
    let at = |offset: Vec2| vec2(3.0, 1.0) + offset;
    let (owner, tip) = (at(vec2(1.0, 2.0)), at(vec2(11.0, 2.0)));
    let first = owner + (tip - owner) * 1.5;
    assert!(found[0].distance(first + (owner - first) * -0.25) < 1e-4, "{:?}", found[0]);
    assert!(character.model().skeleton().bones().len() > character.model().skeleton().authored_bones().len());
}

#[test]
fn errors_name_their_place() {
    for (from, to, expected) in [
        (
            r#""parent_id": 0"#,
            r#""parent_id": 1"#,
            "armature.json#/bones/1/parent_id: bone 1 cannot be the parent of `tip`: a parent must come before its children",
        ),
        (
            r#""visuals_id": 0"#,
            r#""visuals_id": 3"#,
            "armature.json#/bones/0/visuals_id: 3 does not exist, there are 1; use -1 for none",
        ),
        (
            r#""id": 1"#,
            r#""id": 4"#,
            "armature.json#/bones/1/id: the bone has the id 4, expected 1; ids number the bones from 0",
        ),
        (
            r#""frame": 10, "bone_id": 0"#,
            r#""frame": 10, "bone_id": 9"#,
            "armature.json#/animations/0/keyframes/1/bone_id: bone 9 does not exist, the skeleton has 2",
        ),
        (
            r#""frame": 10"#,
            r#""frame": 1e9"#,
            "armature.json#/animations/0/keyframes/1/frame: frame 1000000000 is beyond 1000000, the last supported one",
        ),
        (
            r#""size": {"x": 4, "y": 4}, "atlas_idx": 0"#,
            r#""atlas_idx": 1"#,
            "armature.json#/styles/1/textures/0/atlas_idx: atlas 1 does not exist, there are 1",
        ),
        (
            r#"{"tex": "box", "zindex": 0}"#,
            r#"{"tex": "box", "vertices": [{}, {}, {}], "indices": [0, 1, 3]}"#,
            "armature.json#/visuals/0/indices/2: vertex 3 does not exist, there are 3",
        ),
        (
            r#"{"tex": "box", "zindex": 0}"#,
            r#"{"tex": "box", "vertices": [{}, {}, {}], "indices": [0, 1]}"#,
            "armature.json#/visuals/0/indices: 2 is not a multiple of 3; a triangle has three indices",
        ),
        (
            r#"{"tex": "box", "zindex": 0}"#,
            r#"{"tex": "box", "vertices": [{}], "binds": [{"bone_id": 1, "verts": [{"id": 1}]}]}"#,
            "armature.json#/visuals/0/binds/0/verts/0/id: vertex 1 does not exist, there are 1",
        ),
        (
            r#""value": 20"#,
            r#""value": 1e39"#,
            "armature.json#/animations/0/keyframes/1/value (byte 450): the number does not fit in 32 bits (line 9, column 69)",
        ),
        (r#""bones": ["#, r#""bonez": ["#, "armature.json#: the list `bones` is missing; every armature has one"),
    ] {
        let error = refused(tiny(from, to)).to_string();
        let without_digits = |text: &str| text.replace(|letter: char| letter.is_ascii_digit(), "");
        // Offsets and columns are compared too if the expected text contains them.
        let same = if expected.contains("(byte") {
            without_digits(&error) == without_digits(expected)
        } else {
            error == expected
        };
        assert!(same, "found    {error}\nexpected {expected}");
    }
    let old = packed(r#"{"texture_size": {"x": 1, "y": 1}, "armature": {"bones": []}}"#);
    assert_eq!(refused(old).code(), "skelform-version");
    assert_eq!(refused(zip(&[Entry::stored("other.json", b"{}")])).code(), "missing-entry");
}

#[test]
fn bad_archives_are_refused() {
    let armature = Entry::stored("armature.json", TINY.as_bytes());
    let picture = Entry::stored("atlas0.png", PNG);
    let with = |entry: Entry| refused(zip(&[armature.clone(), picture.clone(), entry]));
    for name in ["../x", "a/../../x", "/etc/x", "C:\\x", "..\\x", "a\0b"] {
        assert_eq!(with(Entry::stored(name, b"")).code(), "entry-leads-out", "{name}");
    }
    assert_eq!(with(armature.clone()).code(), "duplicate-entry");
    assert_eq!(with(Entry { flags: 1, ..Entry::stored("x", b"") }).code(), "packed-otherwise");
    assert_eq!(with(Entry { method: 12, ..Entry::stored("x", b"") }).code(), "packed-otherwise");
    let wrong = Entry { crc: 1, ..armature.clone() };
    assert_eq!(refused(zip(&[wrong, picture.clone()])).code(), "bad-zip");
    // The entry claims a larger size than its data unpacks to.
    let bomb = Entry { size: 1 << 30, ..Entry::deflated("armature.json", b"", vec![3, 0]) };
    assert_eq!(refused(zip(&[bomb])).code(), "bad-zip");
    // The entry unpacks to more than it claims.
    let liar = Entry {
        size: 5,
        ..Entry::deflated("armature.json", b"12345678", vec![0x33, 0x34, 0x32, 0x36, 0x31, 0x35, 0x33, 0xb7, 0, 0])
    };
    assert_eq!(refused(zip(&[liar])).code(), "bad-zip");
    let whole = packed(TINY);
    for cut in [whole.len() - 1, whole.len() / 2, 30, 5, 4] {
        assert_eq!(refused(whole[..cut].to_vec()).code(), "bad-zip", "{cut} bytes");
    }
    // The second entry overlaps the first.
    let mut overlapping = whole.clone();
    let listed = overlapping.windows(4).rposition(|bytes| bytes == b"PK\x01\x02").expect("it is listed");
    overlapping[listed + 42..listed + 46].fill(0);
    assert_eq!(refused(overlapping).code(), "bad-zip");
}

#[test]
fn limits_are_enforced() {
    let refuses = |bytes: Vec<u8>, set: fn(&mut Limits)| {
        let mut options = ReadOptions::default();
        set(&mut options.limits);
        let error = from_bytes(bytes, &options, &mut Diagnostics::default()).expect_err("too much");
        assert_eq!(error.code(), "limit-exceeded", "{error}");
    };
    refuses(packed(TINY), |limits| limits.file_bytes = 100);
    refuses(packed(TINY), |limits| limits.pixels = 0);
    refuses(packed(TINY), |limits| limits.records = 5);
    refuses(packed(TINY), |limits| limits.json_depth = 3);
    refuses(packed(TINY), |limits| limits.memory_bytes = 1000);
    // A small text with many bones.
    let bones = vec!["{}"; 300_000].join(",");
    refuses(packed(&format!(r#"{{"bones": [{bones}], "visuals": []}}"#)), |limits| limits.memory_bytes = 1 << 20);
}

#[test]
fn oddities_are_reported_and_the_file_plays() {
    for (from, to, code, severity) in [
        (
            r#""element": "PositionX", "value": 0"#,
            r#""element": "Glow", "value": 0"#,
            "unknown-element",
            Severity::Warning,
        ),
        (r#""fps": 10"#, r#""fps": 0"#, "zero-fps", Severity::Warning),
        (r#""fps": 10"#, r#""fps": 10, "colour": 1"#, "unknown-key", Severity::Warning),
        (r#""tex": "box""#, r#""tex": "nothing""#, "missing-texture", Severity::Note),
        (r#""filename": "atlas0.png""#, r#""filename": "atlas1.png""#, "missing-image", Severity::Warning),
    ] {
        let mut diagnostics = Diagnostics::default();
        from_bytes(tiny(from, to), &ReadOptions::default(), &mut diagnostics).expect("it plays");
        let found: Vec<_> =
            diagnostics.findings().iter().map(|found| (found.fault.code, found.severity)).collect();
        assert_eq!(found, [(code, severity)], "{to}");
    }
}

#[test]
fn conformance_real_files_have_nothing_unknown() {
    let files = common::conformance_files("skelform/samples", ".skf");
    for file in &files {
        let mut diagnostics = Diagnostics::default();
        pchr::formats::open(file, &ReadOptions::default(), &mut diagnostics).expect("a sample is valid");
        let warnings: Vec<String> = diagnostics.warnings().map(ToString::to_string).collect();
        assert!(warnings.is_empty(), "{}: {warnings:?}", file.display());
    }
    assert!(!files.is_empty(), "there are no samples");
}

#[test]
fn the_older_form_is_converted_to_the_newer_one() {
    let older = r#"{"version": "0.2.0", "ik_root_ids": [1],
      "bones": [
        {"id": 0, "name": "root", "parent_id": -1, "pos": {"x": 0, "y": 0}, "tex": "box", "zindex": 3, "is_hidden": 0},
        {"id": 1, "name": "a", "parent_id": 0, "pos": {"x": 10, "y": 0}, "ik_constraint": 1, "ik_constraint_str": "None",
         "ik_mode": 0, "ik_mode_str": "FABRIK", "ik_target_id": 4, "ik_bone_ids": [1, 2, 3], "ik_family_id": 7},
        {"id": 2, "name": "b", "parent_id": 1, "pos": {"x": 10, "y": 0}},
        {"id": 3, "name": "c", "parent_id": 2, "pos": {"x": 10, "y": 0}},
        {"id": 4, "name": "target", "parent_id": -1, "pos": {"x": 15, "y": 12}, "is_hidden": true}
      ],
      "animations": [{"name": "go", "fps": 24, "keyframes": [
        {"frame": -1, "bone_id": 0, "element": 0, "element_str": "PositionX", "value": 5, "transition": "Linear"}]}],
      "atlases": [{"filename": "atlas0.png", "size": {"x": 1, "y": 1}}],
      "styles": [{"name": "x", "textures": [{"name": "box", "size": {"x": 1, "y": 1}, "atlas_idx": 0}]}]}"#;
    let mut diagnostics = Diagnostics::default();
    let character = from_bytes(packed(older), &ReadOptions::default(), &mut diagnostics).expect("it is valid");
    assert!(diagnostics.is_empty(), "{:?}", diagnostics.findings());
    let mut pose = Pose::default();
    evaluate(&character, &Cue::default(), &mut pose);
    let tip = pose.world_from_bone[3].translation;
    assert!(tip.distance(vec2(15.0, 12.0)) < 0.1, "the chain is at {tip}");
    assert!(matches!(character.model().attachments()[0], Attachment::Region(_)));
    let animation = character.model().default_animation();
    evaluate(&character, &Cue { animation, ..Cue::default() }, &mut pose);
    assert_eq!(pose.world_from_bone[0].translation.x, 5.0);
}

#[test]
fn names_of_chains_count_as_memory() {
    let name = "n".repeat(1 << 16);
    let read = |chains: usize, is_named: bool| {
        let own = if is_named { r#""name": "reach", "# } else { "" };
        let chain =
            format!(r#"{{{own}"mode": "FABRIK", "constraint": "None", "target_id": 0, "bone_ids": [0, 1]}}"#);
        let chains = vec![chain; chains].join(", ");
        let text = TINY.replace("\"root\"", &format!("\"{name}\""));
        let text = text.replacen("\"visuals\":", &format!("\"inverse_kinematics\": [{chains}], \"visuals\":"), 1);
        let mut options = ReadOptions::default();
        options.limits.memory_bytes = 8 << 20;
        from_bytes(packed(&text), &options, &mut Diagnostics::default())
    };
    let few = read(2, false).expect("there is enough memory");
    let names = few.model().constraints().iter().map(|constraint| constraint.name.len());
    assert_eq!(names.collect::<Vec<_>>(), [1 << 16; 2], "named after their target");
    assert_eq!(&*read(2, true).expect("it is valid").model().constraints()[1].name, "reach");
    assert!(read(1000, true).is_ok());
    let error = read(1000, false).expect_err("64 MiB of names");
    assert!(error.to_string().contains("memory-bytes"), "{error}");
}
