//! Bone overrides: positions computed by hand, constraints that are applied afterwards, and no other effects.

use std::f32::consts::{FRAC_PI_2, PI};

use crate::common::memory::allocations;
use crate::common::ours;
use crate::common::v1::{Animation, BoneTransform, File};
use crate::common::{bone, read, read_with, tiny};
use pchr::Character;
use pchr::diagnostics::Diagnostics;
use pchr::formats::{Folder, Input, NO_SIDECARS, ReadOptions};
use pchr::math::{Affine2, Vec2, vec2};
use pchr::model::BoneId;
use pchr::motion::{BoneOverride, BonePlace, Cue, Evaluator, Position, evaluate};
use pchr::pose::Pose;

/// Returns a character of the fixtures.
fn fixture(name: &str) -> Character {
    let path = ours(&format!("spine/own/{name}/{name}.json"));
    let input = Input { bytes: std::fs::read(&path).unwrap().into(), sidecars: &Folder::of(&path) };
    pchr::formats::from_input(&input, &ReadOptions::default(), &mut Diagnostics::default()).unwrap()
}

/// Returns a rotated root, an arm of two bones that reaches for `goal`, and a hand at its tip.
fn arm() -> Character {
    let text = r#"{"skeleton":{"spine":"3.8.99"},"bones":[
        {"name":"root","x":10,"y":20,"rotation":90},
        {"name":"upper","parent":"root","length":50},
        {"name":"lower","parent":"upper","length":50,"x":50},
        {"name":"hand","parent":"lower","x":50},
        {"name":"goal","parent":"root","x":90}],
        "ik":[{"name":"reach","bones":["upper","lower"],"target":"goal"}]}"#;
    let input = Input { bytes: text.as_bytes().to_vec().into(), sidecars: NO_SIDECARS };
    pchr::formats::from_input(&input, &ReadOptions::default(), &mut Diagnostics::default()).unwrap()
}

fn find(character: &Character, name: &str) -> BoneId {
    character.model().skeleton().find(name).expect("a bone")
}

fn posed(character: &Character, cue: &Cue) -> Pose {
    let mut pose = Pose::default();
    evaluate(character, cue, &mut pose);
    pose
}

fn with(character: &Character, overrides: Vec<BoneOverride>) -> Pose {
    posed(character, &Cue { bones: overrides, ..Cue::default() })
}

fn place(pose: &Pose, bone: BoneId) -> Vec2 {
    pose.world_from_bone[bone.index()].translation
}

#[track_caller]
fn assert_near(found: Vec2, expected: Vec2) {
    assert!(found.distance(expected) < 2e-3, "found {found}, expected {expected}");
}

#[test]
fn an_arm_reaches_for_a_target_that_is_dragged() {
    let arm = arm();
    let (hand, goal) = (find(&arm, "hand"), find(&arm, "goal"));
    assert_near(place(&with(&arm, vec![]), hand), vec2(10.0, 110.0));
    for target in [vec2(60.0, 40.0), vec2(-30.0, 55.5), vec2(10.0, -60.0)] {
        let pose = with(&arm, vec![BoneOverride::at(goal, target)]);
        assert_near(place(&pose, goal), target);
        assert_near(place(&pose, hand), target);
    }
    // Out of reach: the arm is fully extended.
    let pose = with(&arm, vec![BoneOverride::at(goal, vec2(1010.0, 20.0))]);
    assert_near(place(&pose, hand), vec2(110.0, 20.0));
    // In the space of the rotated parent.
    let local = BoneOverride { position: Some(BonePlace::Local(vec2(0.0, 60.0))), ..BoneOverride::new(goal) };
    assert_near(place(&with(&arm, vec![local]), hand), vec2(-50.0, 20.0));
}

#[test]
fn unset_fields_are_kept_and_the_last_override_wins() {
    let arm = arm();
    let (hand, root) = (find(&arm, "hand"), find(&arm, "root"));
    // The goal follows the root, so relative to the root the arm stays the same.
    let turned = BoneOverride { rotation_radians: Some(0.0), ..BoneOverride::new(root) };
    assert_near(place(&with(&arm, vec![turned]), hand), vec2(100.0, 20.0));
    let scaled = BoneOverride { scale: Some(vec2(2.0, 1.0)), ..turned };
    assert_near(place(&with(&arm, vec![scaled]), hand), vec2(190.0, 20.0));
    let moved = BoneOverride { position: Some(BonePlace::Local(vec2(1.0, 2.0))), ..BoneOverride::new(root) };
    assert_near(place(&with(&arm, vec![scaled, moved]), hand), vec2(181.0, 2.0));
    let again = BoneOverride::at(root, vec2(0.0, 0.0));
    assert_near(place(&with(&arm, vec![moved, again]), hand), vec2(0.0, 90.0));
    assert_near(place(&with(&arm, vec![again, moved]), hand), vec2(1.0, 92.0));
}

#[test]
fn empty_and_invalid_overrides_change_nothing() {
    let nan = f32::NAN;
    for name in ["ik", "path-chain", "transform-constraints", "interplay", "fuzz-05"] {
        let character = fixture(name);
        let animation = character.model().animation_ids().next();
        let cue = Cue { animation, position: Position::Seconds(0.4), ..Cue::default() };
        let plain = posed(&character, &cue);
        let bones = || (0..character.model().skeleton().bones().len()).map(|at| id(&character, at));
        let overrides = bones().flat_map(|bone| {
            let unfinished = BoneOverride {
                position: Some(BonePlace::World(vec2(nan, 0.0))),
                rotation_radians: Some(f32::INFINITY),
                scale: Some(vec2(1.0, nan)),
                ..BoneOverride::new(bone)
            };
            [BoneOverride::new(bone), unfinished]
        });
        assert!(posed(&character, &Cue { bones: overrides.collect(), ..cue }) == plain, "{name}");
    }
}

/// Returns the bone at an index.
fn id(character: &Character, at: usize) -> BoneId {
    character.model().skeleton().find(&character.model().skeleton().bones()[at].name).expect("its own name")
}

#[test]
fn every_unconstrained_bone_moves_to_its_override() {
    // Without constraints, every bone moves to its override, whatever it inherits, and takes its children along.
    let character = fixture("inherit-modes");
    let bones = character.model().skeleton().bones();
    let animation = character.model().animation_ids().next();
    let mut count = 0;
    for (at, bone) in bones.iter().enumerate() {
        let target = vec2(at as f32 * 3.0 - 40.0, 17.5);
        let cue = Cue { animation, position: Position::Seconds(0.2), ..Cue::default() };
        let before = posed(&character, &cue);
        let flat = bones[at]
            .parent
            .is_some_and(|parent| before.world_from_bone[parent.index()].matrix2.determinant().abs() < 1e-3);
        let pose = posed(&character, &Cue { bones: vec![BoneOverride::at(id(&character, at), target)], ..cue });
        if !flat {
            let found = place(&pose, id(&character, at));
            assert!(found.distance(target) < 0.01, "{}: {found}", bone.name);
            count += 1;
        }
    }
    assert!(count > 10, "{count}");
}

#[test]
fn nothing_is_allocated_for_overrides() {
    for (character, bone) in [(fixture("ik"), "two0t"), (read(&tiny()), "tip")] {
        let bone = find(&character, bone);
        let animation = character.model().animation_ids().last();
        let overrides = vec![
            BoneOverride::at(bone, vec2(3.0, 4.0)),
            BoneOverride { rotation_radians: Some(1.0), ..BoneOverride::new(bone) },
        ];
        let cues = [
            Cue { animation, position: Position::Seconds(0.1), bones: overrides.clone(), ..Cue::default() },
            Cue { bones: overrides, ..Cue::default() },
        ];
        let (mut evaluator, mut pose) = (Evaluator::default(), Pose::for_model(character.model()));
        let mut show = || cues.iter().for_each(|cue| evaluator.evaluate(&character, cue, &mut pose));
        show();
        assert_eq!(allocations(show), 0);
    }
}

/// Returns three bones, mirrored and rotated, in one frame that is also the bind pose.
fn chain() -> File {
    let at = |x, y, rotation, scale_x, scale_y| BoneTransform {
        x,
        y,
        rotation,
        scale_x,
        scale_y,
        ..BoneTransform::default()
    };
    let frame = vec![at(5.0, 6.0, 30.0, -1.5, 1.0), at(10.0, 0.0, 90.0, 1.0, -2.0), at(0.0, 8.0, 45.0, 1.0, 1.0)];
    File {
        fps: 10,
        bones: vec![bone("a", -1), bone("b", 0), bone("c", 1)],
        animations: vec![Animation::new("move", true, &[frame])],
        ..File::default()
    }
}

#[test]
fn stored_frames_are_overridden_bone_by_bone() {
    let character = read(&chain());
    let animation = character.model().find_animation("move");
    let bones = ["a", "b", "c"].map(|name| find(&character, name));
    for animation in [None, animation] {
        let cue = |overrides| Cue { animation, bones: overrides, ..Cue::default() };
        let plain = posed(&character, &cue(vec![]));
        // A position in world space; children keep their transform relative to the bone.
        let pose = posed(&character, &cue(vec![BoneOverride::at(bones[1], vec2(100.0, -50.0))]));
        assert_near(place(&pose, bones[1]), vec2(100.0, -50.0));
        let relative = |pose: &Pose| pose.world_from_bone[1].inverse() * pose.world_from_bone[2];
        assert!(relative(&pose).abs_diff_eq(relative(&plain), 1e-4));
        assert_eq!(pose.world_from_bone[0], plain.world_from_bone[0]);
        // A root in world space without rotation or scale.
        let root = BoneOverride {
            position: Some(BonePlace::Local(vec2(1.0, 2.0))),
            rotation_radians: Some(FRAC_PI_2),
            scale: Some(vec2(1.0, 3.0)),
            ..BoneOverride::new(bones[0])
        };
        let pose = posed(&character, &cue(vec![root]));
        let expected = Affine2::from_cols_array(&[0.0, 1.0, -3.0, 0.0, 1.0, 2.0]);
        assert!(pose.world_from_bone[0].abs_diff_eq(expected, 1e-6), "{:?}", pose.world_from_bone[0]);
        assert_near(place(&pose, bones[1]), vec2(1.0, 12.0));
    }
    // Overriding a value with itself changes nothing, even for mirrored bones.
    let stored = BoneOverride { rotation_radians: Some(PI / 6.0), ..BoneOverride::new(bones[0]) };
    let cue = Cue { animation, ..Cue::default() };
    let (plain, same) = (posed(&character, &cue), posed(&character, &Cue { bones: vec![stored], ..cue }));
    assert!(plain.world_from_bone.iter().zip(&same.world_from_bone).all(|(a, b)| a.abs_diff_eq(*b, 1e-4)));
}

#[test]
fn override_positions_are_y_up_even_if_the_file_is_y_down() {
    let options = ReadOptions { y_down: true, ..ReadOptions::default() };
    let character = read_with(&chain(), &options);
    let animation = character.model().find_animation("move");
    let bones = ["a", "b", "c"].map(|name| find(&character, name));
    for animation in [None, animation] {
        let turned = BoneOverride {
            rotation_radians: Some(FRAC_PI_2),
            scale: Some(Vec2::ONE),
            ..BoneOverride::new(bones[0])
        };
        let overrides = vec![turned, BoneOverride::at(bones[1], vec2(7.0, 9.0))];
        let pose = posed(&character, &Cue { animation, bones: overrides, ..Cue::default() });
        let expected = Affine2::from_cols_array(&[0.0, 1.0, -1.0, 0.0, 5.0, -6.0]);
        assert!(pose.world_from_bone[0].abs_diff_eq(expected, 1e-6), "{:?}", pose.world_from_bone[0]);
        assert_near(place(&pose, bones[1]), vec2(7.0, 9.0));
    }
}

#[test]
fn bones_are_moved_from_where_constraints_put_them() {
    let arm = arm();
    let (lower, hand, goal) = (find(&arm, "lower"), find(&arm, "hand"), find(&arm, "goal"));
    let straight = with(&arm, vec![]);
    assert_near(place(&straight, hand), place(&straight, goal));
    let quarter = Affine2::from_angle(FRAC_PI_2);
    let limp = BoneOverride { after: Some(quarter), ..BoneOverride::new(lower) };
    let turned = with(&arm, vec![limp]);
    let expected = straight.world_from_bone[lower.index()] * quarter * Affine2::from_translation(vec2(50.0, 0.0));
    assert_near(place(&turned, hand), expected.translation);
    assert_near(place(&turned, goal), place(&straight, goal));
    // Beside a place in the world, it begins there.
    let there = Affine2::from_translation(vec2(7.0, 9.0));
    let both = with(&arm, vec![BoneOverride { world: Some(there), ..limp }]);
    assert_near(place(&both, hand), vec2(7.0, 59.0));
    let infinite = BoneOverride { after: Some(Affine2::from_scale(Vec2::INFINITY)), ..limp };
    assert_eq!(with(&arm, vec![infinite]), straight);
}

#[test]
fn bones_are_moved_by_code_before_they_are_drawn() {
    let mut arm = pchr::Animator::new(arm());
    arm.set_placement(Affine2::from_translation(vec2(1000.0, 0.0)));
    arm.update(0.0);
    let before = [arm.bone("lower").unwrap(), arm.bone("hand").unwrap()];
    let quarter = Affine2::from_angle(FRAC_PI_2);
    arm.update_with(0.0, |bones| {
        assert_eq!(bones.get("lower").unwrap(), before[0]);
        bones.shift("lower", quarter).unwrap();
        bones.set("nobody", quarter).expect_err("no such bone");
    });
    assert!(arm.bone("lower").unwrap().abs_diff_eq(before[0] * quarter, 1e-4));
    let hand = before[0] * quarter * Affine2::from_translation(vec2(50.0, 0.0));
    assert_near(arm.bone("hand").unwrap().translation, hand.translation);
    assert_eq!(arm.bone("upper").unwrap().translation, vec2(1010.0, 20.0));
    arm.update(0.0);
    assert_eq!([arm.bone("lower").unwrap(), arm.bone("hand").unwrap()], before, "only for one frame");
}
