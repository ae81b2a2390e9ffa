//! The paper robot, the project's own atlas of Adobe Animate: its files match the program that makes them, and both spellings
//! play the same.

#[path = "../../examples/make_paper_robot/main.rs"]
#[allow(dead_code, reason = "its main is not run here")]
mod robot;

use std::path::{Path, PathBuf};

use pchr::Character;
use pchr::diagnostics::Diagnostics;
use pchr::draw::{DrawList, View};
use pchr::formats::{ReadOptions, open};
use pchr::math::vec2;
use pchr::motion::{BoneOverride, Cue, Evaluator, Position, evaluate};
use pchr::pose::Pose;

use crate::common::memory::allocations;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/paper-robot")
}

fn open_robot(name: &str, symbols: &[&str]) -> Character {
    let mut diagnostics = Diagnostics::default();
    let symbols = symbols.iter().map(|name| format!("symbol:{name}")).collect::<Vec<_>>();
    let options = ReadOptions::default().playing(&symbols);
    let robot = open(&folder().join(name), &options, &mut diagnostics).unwrap();
    assert_eq!(diagnostics.warnings().count(), 0, "{:?}", diagnostics.findings());
    robot
}

fn cue(robot: &Character, animation: &str, frame: u32) -> Cue {
    let animation = Some(robot.model().find_animation(animation).expect(animation));
    Cue { animation, position: Position::frame(frame), ..Cue::default() }
}

#[test]
fn the_files_match_the_program_that_makes_them() {
    for (name, bytes) in robot::files().unwrap() {
        let stored = std::fs::read(folder().join(name)).unwrap_or_default();
        assert!(stored == bytes, "{name}: run `cargo run --release --example make_paper_robot`");
    }
}

#[test]
fn both_spellings_play_the_same() {
    let [short, long] = ["Animation.json", "long/Animation.json"].map(|name| open_robot(name, &[]));
    let (mut a, mut b) = (Pose::default(), Pose::default());
    for animation in ["idle", "wave"] {
        for frame in 0..12 {
            evaluate(&short, &cue(&short, animation, frame), &mut a);
            evaluate(&long, &cue(&long, animation, frame), &mut b);
            assert!(a == b, "{animation} {frame}");
            assert!(a.visible_attachments(short.model()).count() >= 8, "{animation} {frame}");
        }
    }
}

#[test]
fn symbols_are_played_by_name_where_they_stand() {
    let robot = open_robot("Animation.json", &["arm", "robot"]);
    let names: Vec<&str> = robot.model().animations().iter().map(|animation| &*animation.name).collect();
    assert_eq!(names, ["idle", "wave", "symbol:arm", "symbol:robot"]);
    let mut pose = Pose::default();
    evaluate(&robot, &cue(&robot, "symbol:arm", 3), &mut pose);
    assert_eq!(pose.visible_attachments(robot.model()).count(), 1);
    let options = ReadOptions::default().playing(&["symbol:leg".to_owned()]);
    let error = open(&folder().join("Animation.json"), &options, &mut Diagnostics::default()).unwrap_err();
    assert_eq!(error.code(), "unknown-name");
    assert!(error.to_string().contains("available: `robot`"), "{error}");
}

#[test]
fn parts_can_be_moved_and_take_what_is_on_them_along() {
    let robot = open_robot("Animation.json", &[]);
    let bone = robot.model().skeleton().find("head").expect("a head");
    let (mut before, mut after) = (Pose::default(), Pose::default());
    let still = cue(&robot, "idle", 0);
    evaluate(&robot, &still, &mut before);
    let overrides = vec![BoneOverride::at(bone, vec2(100.0, 50.0))];
    evaluate(&robot, &Cue { bones: overrides, ..still }, &mut after);
    assert!(after.world_from_bone[bone.index()].translation.distance(vec2(100.0, 50.0)) < 1e-3);
    let child = robot.model().skeleton().bones().iter().position(|it| it.parent == Some(bone)).expect("eyes");
    let moved = after.world_from_bone[child].translation - before.world_from_bone[child].translation;
    let of_head =
        after.world_from_bone[bone.index()].translation - before.world_from_bone[bone.index()].translation;
    assert!(moved.distance(of_head) < 1e-3, "{moved}, {of_head}");
}

#[test]
fn playing_allocates_nothing_after_the_first_frames() {
    let robot = open_robot("Animation.json", &[]);
    let (mut evaluator, mut pose, mut list) = (Evaluator::default(), Pose::default(), DrawList::default());
    let view = View::new(64, 64, vec2(-64.0, 64.0), 0.5);
    let mut frame = cue(&robot, "wave", 0);
    let mut play = || {
        for index in 0..12 {
            frame.position = Position::frame(index);
            evaluator.evaluate(&robot, &frame, &mut pose);
            list.build(robot.model(), &pose, &view);
        }
    };
    play();
    assert_eq!(allocations(play), 0);
}
