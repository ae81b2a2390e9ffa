//! Overlays of every format, frame after frame.

use std::path::Path;

use pchr::Character;
use pchr::draw::{Command, DrawList, Onion, Overlay, Overlays, View};
use pchr::export::{GhostPoser, RenderOptions};
use pchr::math::{Rect, Vec2, vec2};
use pchr::model::ConstraintTarget;
use pchr::motion::{Cue, Evaluator, Position};
use pchr::pose::{Pose, bounds, palette};

use crate::common::memory::allocations;
use crate::common::ours;

/// Bone names that are too long, or have characters without a glyph.
const NAMES: &str = r#"{
    "skeleton": {"spine": "4.2.43"},
    "bones": [
        {"name": "root"},
        {"name": "a long name that does not fit into a label of forty columns", "parent": "root", "x": 20},
        {"name": "名前😀", "parent": "root", "y": 20}
    ]
}"#;

fn open(file: &str) -> Character {
    Character::open(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).expect("a valid character")
}

fn skelform(name: &str) -> Character {
    Character::open(ours("skelform/samples").join(format!("{name}.skf"))).expect("a sample")
}

/// Returns a view of the character at rest, with room for labels.
fn view_of(character: &Character) -> View {
    let (mut pose, mut matrices) = (Pose::default(), Vec::new());
    Evaluator::default().evaluate(character, &Cue::default(), &mut pose);
    palette(character.model(), &pose, &mut matrices);
    let world = bounds(character.model(), &pose, &matrices);
    let size = world.size().max_element();
    if size.is_finite() && size > 0.0 {
        let corner = vec2(world.min.x, world.max.y);
        return View::new(300, 300, corner, 280.0 / size);
    }
    View::new(300, 300, vec2(-100.0, 150.0), 1.0)
}

#[test]
fn nothing_is_allocated_after_the_first_frames() {
    let files = ["assets/paper-knight.pchr", "assets/paper-lamp.json", "tests/fixtures/overlays/marks.json"];
    for character in files.into_iter().map(open).chain([names(), skelform("synth-ik")]) {
        let model = character.model();
        let view = view_of(&character);
        let mut overlays: Overlays = Overlay::ALL.into_iter().collect();
        overlays.bone = model.skeleton().bone_ids().nth(1);
        overlays.onion = Onion { before: 2, after: 1 };
        let (mut evaluator, mut pose) = (Evaluator::default(), Pose::default());
        let (mut list, mut ghosts) = (DrawList::default(), GhostPoser::new(true));
        let animation = model.default_animation();
        let mut frame = |frame: u32| {
            let cue = Cue { animation, position: Position::frame(frame), ..Cue::default() };
            evaluator.evaluate(&character, &cue, &mut pose);
            list.build(model, &pose, &view);
            ghosts.add(&character, &cue, None, overlays, &view, &mut list);
            list.add_overlays(model, &pose, &view, overlays);
            assert!(list.overlay.len() > 1000);
        };
        // All sizes are known after the first round.
        (0..8).for_each(&mut frame);
        let count = allocations(|| (0..8).for_each(&mut frame));
        assert_eq!(count, 0, "with {} bones", model.skeleton().bones().len());
    }
}

/// Returns the positions of the triangles of an overlay.
fn marks(character: &Character, overlay: Overlay) -> Vec<Vec2> {
    let (model, view) = (character.model(), view_of(character));
    let (mut pose, mut list) = (Pose::default(), DrawList::default());
    Evaluator::default().evaluate(character, &Cue::default(), &mut pose);
    list.build(model, &pose, &view);
    list.add_overlays(model, &pose, &view, overlay.into());
    let Some(Command::Overlay(range)) = list.commands.last() else { panic!("no marks") };
    list.overlay[range.start as usize..range.end as usize].iter().map(|vertex| vertex.position).collect()
}

#[test]
fn ik_of_skelform_is_marked_at_its_targets() {
    let character = skelform("synth-ik");
    let model = character.model();
    let mut pose = Pose::default();
    Evaluator::default().evaluate(&character, &Cue::default(), &mut pose);
    let found = marks(&character, Overlay::Ik);
    assert!(model.constraints().len() >= 5);
    for constraint in model.constraints() {
        assert!(!constraint.name.is_empty() && constraint.bones.len() > 1, "{constraint:?}");
        let Some(ConstraintTarget::Bone(target)) = constraint.target else { panic!("{constraint:?}") };
        // Rings and diamonds are a few picture pixels wide.
        let near = 10.0 / view_of(&character).scale();
        for joint in constraint.bones.iter().copied().chain([target]) {
            let at = pose.world_from_bone[joint.index()].translation;
            assert!(found.iter().any(|mark| mark.distance(at) < near), "{constraint:?}");
        }
    }
    assert!(marks(&skelform("synth-mesh"), Overlay::Ik).is_empty());
}

fn names() -> Character {
    Character::from_bytes(NAMES.as_bytes().to_vec()).expect("a valid character")
}

#[test]
fn labels_stay_in_the_picture() {
    let character = names();
    let (mut pose, mut list) = (Pose::default(), DrawList::default());
    Evaluator::default().evaluate(&character, &Cue::default(), &mut pose);
    // The joints are at the left, right and upper edges.
    let view = View::new(300, 300, vec2(0.0, 20.0), 14.9);
    list.build(character.model(), &pose, &view);
    list.add_overlays(character.model(), &pose, &view, Overlay::Names.into());
    let drawn = list.overlay.iter().map(|vertex| view.pixel_from_world(vertex.position));
    let drawn = drawn.fold(Rect::NOTHING, Rect::include);
    assert!(drawn.min.cmpge(Vec2::splat(-0.01)).all() && drawn.max.cmple(Vec2::splat(300.01)).all(), "{drawn:?}");
    assert!(drawn.min.x < 10.0 && drawn.min.y < 5.0 && drawn.max.x > 290.0, "{drawn:?}");
}

#[test]
fn a_skeleton_without_pictures_is_fitted_to_its_joints() {
    let fit =
        |character: &Character| RenderOptions::default().plan(character, &[], &[]).expect("it is small").area;
    assert_eq!(fit(&names()), Rect { min: vec2(-2.0, -2.0), max: vec2(22.0, 22.0) });
    let lonely = br#"{"skeleton": {"spine": "4.2.43"}, "bones": [{"name": "root", "x": 9}]}"#;
    let lonely = Character::from_bytes(lonely.to_vec()).expect("a valid character");
    assert_eq!(fit(&lonely), Rect { min: vec2(0.0, 0.0), max: vec2(1.0, 1.0) });
}
