//! What a game changes in a SkelForm character while it plays.

use pchr::math::{Affine2, Vec2, vec2};
use pchr::model::ConstraintId;
use pchr::motion::{ConstraintOverride, ConstraintSettings, Lifetime, constraint_settings};
use pchr::{Animator, Character};

use crate::common::memory::allocations;
use crate::quirks::skelform::puppet_with;
use crate::runtime::foreign_constraint;

const FRAME: f64 = 1.0 / 60.0;

/// Returns the puppet, whose chain `goal` reaches for the bone of that name. Its animation `bent` changes the bend of the chain.
fn puppet() -> Animator {
    let bent = r#"{"name": "bent", "fps": 24, "keyframes": [
        {"frame": 6, "bone_id": 3, "element": "IkConstraint", "value_str": "Clockwise"},
        {"frame": 12, "bone_id": 0, "element": "PositionX", "value": 0}]},"#;
    let mut puppet = Animator::new(Character::from_bytes(puppet_with(bent)).expect("the puppet"));
    puppet.set_physics(false);
    puppet
}

fn goal_chain(puppet: &Animator) -> ConstraintId {
    puppet.model().find_constraint("goal").expect("a chain")
}

/// Returns one value for each setting of a chain.
fn switched(value: f32) -> ConstraintSettings {
    let value = Some(value);
    ConstraintSettings { bend: value, arc: value, copy_rotation: value, ..ConstraintSettings::default() }
}

fn at(animator: &Animator, bone: &str) -> Vec2 {
    animator.bone(bone).expect("a bone").translation
}

/// Returns the side of the line from the shoulder to the hand on which the elbow is: positive for counter-clockwise.
fn side(puppet: &Animator) -> f32 {
    let [shoulder, elbow, hand] = ["upper", "lower", "hand"].map(|bone| at(puppet, bone));
    (hand - shoulder).perp_dot(elbow - shoulder)
}

#[test]
fn root_motion_is_taken_out_of_the_pose() {
    let mut free = puppet();
    free.play("go").expect("an animation");
    let mut puppet = puppet();
    puppet.set_root_motion(puppet.model().skeleton().find("goal"));
    puppet.play("go").expect("an animation");
    let mut way = 0.0;
    for _ in 0..150 {
        for animator in [&mut free, &mut puppet] {
            animator.update(FRAME);
        }
        assert_eq!(at(&puppet, "goal").y, 50.0, "it stays at rest");
        way += puppet.root_motion().y;
    }
    // Two loops of 30 pixels, and what the third has come to.
    let third = at(&free, "goal").y - 50.0;
    assert!(third > 1.0 && (way - 60.0 - third).abs() < 1e-3, "{way}, {third}");
    // In one update, and in the direction in which the character looks. There is no motion across.
    puppet.play("go").expect("an animation");
    puppet.set_placement(Affine2::from_scale(vec2(-1.0, -2.0)));
    puppet.update(2.5);
    assert!(puppet.root_motion().abs_diff_eq(vec2(0.0, -2.0 * way), 1e-3), "{}", puppet.root_motion());
    // An animation without keys for the bone does not move it.
    puppet.play("stay").expect("an animation");
    puppet.update(0.25);
    assert_eq!(puppet.root_motion(), Vec2::ZERO);
}

#[test]
fn a_chain_bends_as_the_game_says_and_reaches_for_another_bone() {
    let mut puppet = puppet();
    puppet.refresh();
    let goal = at(&puppet, "goal");
    let reaches = |puppet: &Animator, place: Vec2| assert!(at(puppet, "hand").distance(place) < 0.1);
    reaches(&puppet, goal);
    let mut area = None;
    for bend in [1.0, -1.0] {
        puppet.set_constraint("goal", "bend", bend).expect("a setting");
        puppet.update(FRAME);
        reaches(&puppet, goal);
        let found = side(&puppet) * bend;
        let expected = *area.get_or_insert(found);
        assert!(found < -100.0 && (found - expected).abs() < 1.0, "{found}, {expected}");
    }
    puppet.release_constraints();
    puppet.set_constraint_target("goal", "tail").expect("a bone");
    puppet.update(FRAME);
    reaches(&puppet, vec2(-30.0, 0.0));
    puppet.move_bone("tail", vec2(20.0, -20.0)).expect("a bone");
    puppet.update(FRAME);
    reaches(&puppet, vec2(20.0, -20.0));
    puppet.set_constraint("goal", "copy rotation", 1.0).expect("a setting");
    puppet.update(FRAME);
    let [hand, tail] = ["hand", "tail"].map(|bone| puppet.bone(bone).expect("a bone").matrix2);
    assert!(hand.abs_diff_eq(tail, 1e-5), "{hand:?} {tail:?}");
    puppet.release_constraints();
    puppet.set_constraint("goal", "arc", 1.0).expect("a setting");
    puppet.update(FRAME);
    assert!(at(&puppet, "hand").distance(goal) > 0.5, "an arc does not reach everything");
    puppet.release_constraint("goal").expect("a constraint");
    puppet.update(FRAME);
    reaches(&puppet, goal);
}

#[test]
fn settings_are_listed_and_those_that_a_chain_lacks_are_errors() {
    let mut puppet = puppet();
    let listed = [("bend", 0.0), ("arc", 0.0), ("copy rotation", 0.0)];
    let goal = goal_chain(&puppet);
    assert_eq!(constraint_settings(puppet.character(), goal), listed);
    assert!(constraint_settings(puppet.character(), foreign_constraint()).is_empty());
    let message = puppet.set_constraint("goal", "mix", 0.5).expect_err("SkelForm has no mix").to_string();
    let expected = "the constraint `goal` has no setting `mix`; available: `bend`, `arc`, `copy rotation`";
    assert_eq!(message, expected);
    // Nonsense is ignored.
    puppet.refresh();
    let before = puppet.pose().clone();
    let [nan, one] = [f32::NAN, 1.0].map(switched);
    let mix = ConstraintSettings { mix: Some(0.0), ..ConstraintSettings::default() };
    let odd = ConstraintOverride { settings: nan, ..ConstraintOverride::new(goal) };
    let other = ConstraintOverride { constraint: foreign_constraint(), settings: one, ..odd };
    for odd in [odd, other, ConstraintOverride { settings: mix, ..odd }] {
        puppet.override_constraint(odd);
        puppet.refresh();
        assert_eq!(*puppet.pose(), before);
    }
    // PCHR has no constraints.
    let mut knight = Animator::open("assets/paper-knight.pchr").expect("the knight");
    let message = knight.set_constraint("goal", "mix", 0.5).expect_err("there is none").to_string();
    assert_eq!(message, "the character has no constraint `goal`; it has no constraints");
}

#[test]
fn a_setting_lasts_until_it_is_keyed() {
    for (lifetime, is_kept) in [(Lifetime::UntilKeyed, false), (Lifetime::Always, true)] {
        let mut puppet = puppet();
        puppet.play("go").expect("an animation");
        let mut bent = ConstraintOverride { lifetime, ..ConstraintOverride::new(goal_chain(&puppet)) };
        bent.settings.bend = Some(1.0);
        puppet.override_constraint(bent);
        puppet.update(FRAME);
        puppet.update(FRAME);
        assert!(side(&puppet) < -100.0, "{}", side(&puppet));
        puppet.play("bent").expect("an animation");
        puppet.update(0.375);
        puppet.update(FRAME);
        assert_eq!((side(&puppet) < -100.0, puppet.constraint_overrides().len()), (is_kept, usize::from(is_kept)));
    }
}

#[test]
fn changes_allocate_nothing_after_the_first_frames() {
    let mut puppet = puppet();
    puppet.set_physics(true);
    let [root, tail] = ["root", "tail"].map(|name| puppet.model().skeleton().find(name).expect("a bone"));
    puppet.set_root_motion(Some(root));
    puppet.play("go").expect("an animation");
    let goal = goal_chain(&puppet);
    let mut frame = |index: usize| {
        let lifetime = [Lifetime::UntilKeyed, Lifetime::Always, Lifetime::ThisFrame][index % 3];
        let settings = switched(1.0);
        let change = ConstraintOverride { constraint: goal, settings, target: Some(tail), lifetime };
        puppet.override_constraint(change);
        puppet.update(FRAME);
    };
    (0..120).for_each(&mut frame);
    assert_eq!(allocations(|| (120..240).for_each(&mut frame)), 0);
}
