//! Weights of tracks, additive tracks, and their queues.

use pchr::diagnostics::Diagnostics;
use pchr::formats::{Input, NO_SIDECARS, ReadOptions};
use pchr::math::Vec2;
use pchr::math::angle::atan2_degrees;
use pchr::motion::{Direction, Mix, evaluate, mixes_animations};
use pchr::player::LoopMode;
use pchr::pose::Pose;
use pchr::{Animator, Character};

/// A bone at rest at (1, 2). `up` moves it 10 pixels up, `wide` 10 pixels sideways, and `jump` moves it 20 pixels up
/// from 0.5 s on, where it also shows another attachment.
fn animator(fade: f64) -> Animator {
    let json = r#"{"skeleton":{"spine":"3.8.99"},"bones":[{"name":"root"},{"name":"arm","parent":"root","x":1,"y":2}],
        "slots":[{"name":"hand","bone":"arm","attachment":"open"}],
        "skins":[{"name":"default","attachments":{"hand":{
            "open":{"type":"point"},"closed":{"type":"point"}}}}],
        "animations":{
        "up":{"bones":{"arm":{"translate":[{"y":10},{"time":1,"y":10}]}}},
        "wide":{"bones":{"arm":{"translate":[{"x":10},{"time":1,"x":10}]}}},
        "jump":{"slots":{"hand":{"attachment":[{"time":0.5,"name":"closed"}]}},
            "bones":{"arm":{"translate":[{"time":0.5,"y":20},{"time":1,"y":20}]}}}}}"#;
    let input = Input { bytes: json.as_bytes().into(), sidecars: NO_SIDECARS };
    let character = pchr::formats::from_input(&input, &ReadOptions::default(), &mut Diagnostics::default());
    let mut animator = Animator::new(character.expect("it is valid"));
    animator.set_fade_secs(fade);
    animator.set_loop_mode(LoopMode::Loop);
    animator
}

/// Returns the position of the arm relative to its rest pose, and checks that the cue describes the pose.
fn arm(animator: &mut Animator) -> [f32; 2] {
    animator.refresh();
    let mut pose = Pose::default();
    evaluate(animator.character(), animator.cue(), &mut pose);
    assert!(pose == *animator.pose(), "{:#?}", animator.cue());
    let at = animator.bone("arm").expect("a bone").translation - Vec2::new(1.0, 2.0);
    at.to_array().map(|number| (number * 1e3).round() / 1e3 + 0.0)
}

#[test]
fn the_weight_mixes_a_track_with_those_below_it() {
    let mut animator = animator(0.0);
    animator.play("up").expect("an animation");
    for (weight, expected) in [(1.0, [10.0, 0.0]), (0.25, [2.5, 7.5]), (0.0, [0.0, 10.0]), (7.0, [10.0, 0.0])] {
        animator.play_on(2, "wide").expect("an animation").set_weight(weight);
        animator.update(0.1);
        assert_eq!(arm(&mut animator), expected, "{weight}");
    }
    let playback = animator.playback_mut(2).expect("it plays");
    assert_eq!(playback.set_weight(-1.0).set_weight(f64::NAN).weight(), 0.0);
    assert_eq!(arm(&mut animator), [0.0, 10.0], "without time passing");
}

#[test]
fn the_weight_of_the_lowest_track_mixes_it_with_the_rest_pose() {
    let mut animator = animator(0.0);
    animator.play("up").expect("an animation").set_weight(0.5);
    for _ in 0..3 {
        animator.update(0.1);
        assert_eq!(arm(&mut animator), [0.0, 5.0]);
    }
    animator.playback_mut(0).expect("it plays").set_weight(1.0);
    assert_eq!(arm(&mut animator), [0.0, 10.0]);
}

#[test]
fn the_weight_is_multiplied_by_the_progress_of_a_fade() {
    let mut animator = animator(1.0);
    animator.play("up").expect("an animation");
    animator.play_on(1, "wide").expect("an animation").set_weight(0.5);
    animator.update(0.0);
    assert_eq!(arm(&mut animator), [5.0, 5.0], "it fades from nothing at once");
    animator.fade_out(1, 1.0);
    animator.update(0.5);
    assert_eq!(arm(&mut animator), [2.5, 7.5]);
    animator.update(0.5);
    assert_eq!(arm(&mut animator), [0.0, 10.0]);
}

#[test]
fn an_additive_track_adds_its_difference_from_the_rest_pose() {
    let mut animator = animator(0.0);
    animator.play("up").expect("an animation");
    animator.play_on(1, "wide").expect("an animation").set_additive(true).set_weight(0.5);
    animator.play_on(2, "wide").expect("an animation").set_additive(true);
    for _ in 0..4 {
        animator.update(0.1);
        assert_eq!(arm(&mut animator), [15.0, 10.0], "frames do not add up");
    }
    assert!(animator.cue().layers[1..].iter().all(|layer| layer.mix == Mix::Fade && layer.fade.is_additive));
    assert!(animator.playback(2).is_additive() && !animator.playback(0).is_additive());
}

#[test]
fn an_additive_animation_on_the_lowest_track_adds_to_the_rest_pose() {
    let mut animator = animator(0.0);
    animator.play("jump").expect("an animation").set_additive(true);
    animator.play_on(1, "up").expect("an animation").set_weight(0.5);
    for (dt, expected) in [(0.6, [0.0, 15.0]), (0.2, [0.0, 15.0]), (0.3, [0.0, 5.0]), (0.5, [0.0, 15.0])] {
        animator.update(dt);
        assert_eq!(arm(&mut animator), expected, "after {dt} more seconds");
    }
}

#[test]
fn an_additive_animation_fades_in_and_out_by_itself() {
    let mut animator = animator(1.0);
    animator.play("up").expect("an animation");
    animator.play_on(1, "wide").expect("an animation").set_additive(true);
    animator.update(0.0);
    animator.fade_out(1, 1.0);
    animator.update(0.25);
    assert_eq!(arm(&mut animator), [7.5, 10.0]);
    assert_eq!(animator.cue().layers[1].direction, Direction::Out);
    animator.update(0.75);
    assert_eq!(arm(&mut animator), [0.0, 10.0]);
    animator.update(0.1);
    animator.update(0.1);
    assert_eq!((animator.playback(1).animation(), arm(&mut animator)), (None, [0.0, 10.0]));

    // What an additive animation replaces is not held: it would be added twice.
    animator.play("wide").expect("an animation").set_additive(true);
    animator.update(0.5);
    assert_eq!(arm(&mut animator), [5.0, 5.0]);
    animator.update(0.5);
    assert_eq!(arm(&mut animator), [10.0, 0.0]);
    animator.update(0.1);
    assert_eq!((animator.playbacks().count(), arm(&mut animator)), (1, [10.0, 0.0]), "nothing is kept");
}

#[test]
fn skelform_characters_take_weights_and_additive_tracks() {
    let path = crate::common::corpus::ours("skelform/samples/synth-physics.skf");
    let mut animator = Animator::open(path).expect("it opens");
    animator.set_physics(false);
    let names: Vec<String> =
        animator.model().motions().map(|id| animator.model().animation(id).name.clone()).collect();
    let posed = |animator: &mut Animator, weight: f64, is_additive: bool| {
        animator.show(animator.model().find_animation(&names[0]));
        animator.playback_mut(0).expect("it plays").seek_secs(0.1);
        animator
            .play_on(1, &names[0])
            .expect("an animation")
            .seek_secs(0.2)
            .set_weight(weight)
            .set_additive(is_additive);
        animator.refresh();
        animator.pose().clone()
    };
    let poses = [(0.0, false), (0.5, false), (1.0, false), (1.0, true)]
        .map(|(weight, is_additive)| posed(&mut animator, weight, is_additive));
    animator.show(animator.model().find_animation(&names[0]));
    animator.playback_mut(0).expect("it plays").seek_secs(0.1);
    animator.refresh();
    assert!(animator.pose().world_from_bone == poses[0].world_from_bone, "a weight of 0 moves nothing");
    for (index, pose) in poses.iter().enumerate() {
        assert!(poses[index + 1..].iter().all(|other| other != pose), "{index}");
    }
}

#[test]
fn stored_frames_ignore_weights() {
    let mut knight = Animator::open("assets/paper-knight.pchr").expect("the knight");
    assert!(!mixes_animations(knight.character()) && mixes_animations(animator(0.0).character()));
    knight.play("idle").expect("an animation");
    knight.play_on(1, "walk").expect("an animation").seek(3.0);
    knight.refresh();
    let whole = knight.pose().clone();
    knight.playback_mut(1).expect("it plays").set_weight(0.0).set_additive(true);
    knight.refresh();
    assert!(*knight.pose() == whole);
}

#[test]
fn a_queue_can_be_read_changed_and_shortened() {
    let mut animator = animator(0.25);
    let names = |animator: &Animator| -> Vec<String> {
        let name = |id: Option<_>| id.map_or(String::new(), |id| animator.model().animation(id).name.clone());
        animator.queued(1).map(|queued| name(queued.animation())).collect()
    };
    assert_eq!(animator.queued(1).len(), 0);
    assert_eq!(animator.remove_queued(1, 0), None);
    assert!(animator.queued_mut(1, 0).is_none());
    animator.play_on(1, "up").expect("an animation");
    for name in ["wide", "jump", "up"] {
        animator.queue_on(1, name, 0.0).expect("an animation");
    }
    assert_eq!(names(&animator), ["wide", "jump", "up"]);
    animator.queued_mut(1, 1).expect("it is queued").set_fade(0.5).set_weight(0.5);
    let jump = animator.queued(1).nth(1).expect("it is queued");
    assert_eq!(
        (jump.fade_secs(), jump.weight(), animator.queued(1).next().map(|wide| wide.fade_secs())),
        (0.5, 0.5, Some(0.25))
    );
    assert_eq!(animator.playback(1).fade_secs(), 0.0, "it fades from nothing");
    assert_eq!(animator.remove_queued(1, 9), None);
    assert_eq!(animator.remove_queued(1, 0), animator.model().find_animation("wide"));
    assert_eq!(names(&animator), ["jump", "up"]);
    animator.update(0.0);
    // `jump` now follows `up`, whose end its fade of 0.5 s precedes.
    for (dt, playing) in [(0.45, "up"), (0.1, "up"), (0.0, "jump")] {
        animator.update(dt);
        let id = animator.playback(1).animation().expect("it plays");
        assert_eq!(animator.model().animation(id).name, playing);
    }
}

/// The animation after a removed one starts as if it had been queued after the one before.
#[test]
fn removing_from_a_queue_equals_never_having_queued() {
    let [mut changed, mut plain] = [animator(0.0), animator(0.0)];
    for animator in [&mut changed, &mut plain] {
        animator.play("up").expect("an animation").set_speed(2.0);
        animator.queue("wide").expect("an animation");
    }
    changed.queue("jump").expect("an animation");
    for animator in [&mut changed, &mut plain] {
        animator.queue("up").expect("an animation").set_fade(0.2);
    }
    changed.remove_queued(0, 1);
    for step in 0..60 {
        [&mut changed, &mut plain].into_iter().for_each(|animator| _ = animator.update(0.05));
        assert_eq!(changed.playback(0).animation(), plain.playback(0).animation(), "step {step}");
        assert!(changed.pose() == plain.pose());
    }
}

#[test]
fn weights_survive_a_new_version_of_the_character() {
    let mut animator = animator(0.0);
    animator.play("up").expect("an animation").set_weight(0.5).set_additive(true);
    let character: Character = (**animator.character()).clone();
    animator.set_character(character);
    assert_eq!((animator.playback(0).weight(), animator.playback(0).is_additive()), (0.5, true));
    assert_eq!(arm(&mut animator), [0.0, 5.0]);
}

/// The versions of Spine that know it do; values of the previous animation then do not fade out.
#[test]
fn an_animation_holds_the_previous_one() {
    for (version, expected) in [
        ("3.6.53", 5.0),
        ("3.7.94", 10.0),
        ("3.8.99", 10.0),
        ("4.0.64", 10.0),
        ("4.1.24", 10.0),
        ("4.2.43", 10.0),
        ("4.3.23", 5.0),
    ] {
        let json = format!(
            r#"{{"skeleton":{{"spine":"{version}"}},"bones":[{{"name":"root"}},{{"name":"arm","parent":"root"}}],
            "animations":{{"wide":{{"bones":{{"arm":{{"translate":[{{"x":10}},{{"time":1,"x":10}}]}}}}}},
            "large":{{"bones":{{"arm":{{"scale":[{{"x":2}},{{"time":1,"x":2}}]}}}}}}}}}}"#
        );
        let input = Input { bytes: json.into_bytes().into(), sidecars: NO_SIDECARS };
        let character = pchr::formats::from_input(&input, &ReadOptions::default(), &mut Diagnostics::default());
        let mut animator = Animator::new(character.expect("it is valid"));
        animator.play("wide").expect("an animation");
        animator.update(0.1);
        animator.play("large").expect("an animation").set_fade(1.0).set_hold_previous(true);
        animator.update(0.5);
        assert_eq!(animator.bone("arm").expect("a bone").translation.x, expected, "{version}");
    }
}

#[test]
fn a_fade_between_two_animations_overrides_the_default() {
    let mut animator = animator(0.1);
    animator.set_fade_between("up", "wide", 0.4).expect("animations");
    assert!(animator.set_fade_between("up", "none", 0.4).is_err());
    // From the second animation to the first, the default applies. From nothing there is no fade.
    assert_eq!(animator.play("up").expect("an animation").fade_secs(), 0.0);
    assert_eq!(animator.queue("wide").expect("an animation").fade_secs(), 0.4);
    assert_eq!(animator.queue("up").expect("an animation").fade_secs(), 0.1);
    assert_eq!(animator.play_on(1, "wide").expect("an animation").fade_secs(), 0.0, "another track");
    animator.stop();
    animator.play("up").expect("an animation");
    animator.update(0.5);
    animator.play("wide").expect("an animation");
    animator.update(0.1);
    animator.update(0.1);
    assert_eq!(arm(&mut animator), [5.0, 5.0], "half of 0.4 s");
    animator.set_fade_between("up", "wide", f64::NAN).expect("animations");
    animator.play("up").expect("an animation");
    animator.update(0.1);
    assert_eq!(animator.play("wide").expect("an animation").fade_secs(), 0.0);

    // By name in a new version of the character.
    animator.set_fade_between("up", "wide", 0.3).expect("animations");
    animator.set_character(Character::clone(animator.character()));
    animator.play("up").expect("an animation");
    animator.update(0.1);
    assert_eq!(animator.play("wide").expect("an animation").fade_secs(), 0.3);
}

// ---- What the versions of Spine do differently.

const VERSIONS: [&str; 7] = ["3.6.53", "3.7.94", "3.8.99", "4.0.64", "4.1.24", "4.2.43", "4.3.23"];

/// A bone at the origin that `point` and `up` move up (`point` has no length), `late` from half of its time on, and `turn` and
/// `back` turn.
fn versioned(version: &str) -> Animator {
    let angle = if version < "4" { "angle" } else { "value" };
    let json = format!(
        r#"{{"skeleton":{{"spine":"{version}"}},"bones":[{{"name":"root"}},{{"name":"arm","parent":"root"}}],"animations":{{
        "up":{{"bones":{{"arm":{{"translate":[{{"y":10}},{{"time":1,"y":10}}]}}}}}},
        "point":{{"bones":{{"arm":{{"translate":[{{"y":4}}]}}}}}},
        "late":{{"bones":{{"arm":{{"translate":[{{"time":0.5,"y":20}},{{"time":1,"y":20}}]}}}}}},
        "turn":{{"bones":{{"arm":{{"rotate":[{{"{angle}":0}},{{"time":0.25,"{angle}":100}},{{"time":0.5,"{angle}":200}},
            {{"time":1,"{angle}":300}}]}}}}}},
        "back":{{"bones":{{"arm":{{"rotate":[{{"{angle}":-170}},{{"time":1,"{angle}":-170}}]}}}}}}}}}}"#
    );
    let input = Input { bytes: json.into_bytes().into(), sidecars: NO_SIDECARS };
    let character = pchr::formats::from_input(&input, &ReadOptions::default(), &mut Diagnostics::default());
    let mut animator = Animator::new(character.expect("it is valid"));
    animator.set_loop_mode(LoopMode::Loop);
    animator
}

/// Returns the height of the bone and its angle in degrees, rounded to tenths, after `frames` frames of 0.1 s in every
/// version. `step` acts before each.
fn in_all_versions(frames: u32, step: impl Fn(u32, &mut Animator)) -> [[f32; 2]; 7] {
    VERSIONS.map(|version| {
        let mut animator = versioned(version);
        for frame in 0..=frames {
            step(frame, &mut animator);
            animator.update(if frame == 0 { 0.0 } else { 0.1 });
        }
        let arm = animator.bone("arm").expect("a bone");
        let axis = animator.pose().world_from_bone[1].matrix2.x_axis;
        let angle = atan2_degrees(f64::from(axis.y), f64::from(axis.x)) as f32;
        [arm.translation.y, angle].map(|number| (number * 10.0).round() / 10.0 + 0.0)
    })
}

#[test]
fn an_animation_queued_after_a_fade_out_begins_late_or_now() {
    let queue = |frame: u32, animator: &mut Animator| match frame {
        0 => animator.fade_out(1, 0.8),
        9 => drop(animator.queue_on(1, "late", 0.0).expect("an animation").set_fade(0.0)),
        _ => {}
    };
    assert_eq!(in_all_versions(9, queue).map(|[y, _]| y), [20.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(in_all_versions(13, queue).map(|[y, _]| y), [0.0, 20.0, 20.0, 20.0, 20.0, 20.0, 20.0]);
}

#[test]
fn a_weighted_turn_goes_on_or_turns_back() {
    let found = in_all_versions(12, |frame, animator| match frame {
        0 => drop(
            animator.play("turn").expect("an animation").set_fade(0.8).set_weight(0.5).set_hold_previous(true),
        ),
        9 => drop(animator.play_on(1, "back").expect("an animation").set_fade(0.4).set_additive(true)),
        _ => {}
    });
    assert_eq!(found.map(|[_, angle]| angle), [-170.0, 50.0, 50.0, 50.0, 50.0, -130.0, -130.0]);
}

#[test]
fn a_queued_fade_out_of_an_added_animation_releases_what_it_holds_or_not() {
    let found = in_all_versions(8, |frame, animator| match frame {
        0 => drop(animator.play_on(1, "point").expect("an animation").set_loop_mode(LoopMode::Once).set_fade(0.8)),
        1 => {
            let up = animator.play_on(1, "up").expect("an animation").set_loop_mode(LoopMode::Once);
            up.set_fade(0.8).set_additive(true);
        }
        3 => animator.queue_fade_out(1, 0.0, -0.3),
        _ => {}
    });
    assert_eq!(found.map(|[y, _]| y), [0.0; 7]);
}

#[test]
fn an_animation_without_a_fade_releases_what_others_hold_or_not() {
    let found = in_all_versions(0, |_, animator| {
        animator.play("back").expect("an animation").set_fade(0.8);
        animator.play("turn").expect("an animation").set_fade(0.8).set_weight(0.5);
        animator.play("late").expect("an animation").set_fade(0.0).set_weight(0.5).set_hold_previous(true);
    });
    assert_eq!(found.map(|[_, angle]| angle), [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -170.0]);
}

#[test]
fn an_added_animation_counts_as_below_the_next_or_not() {
    let found = in_all_versions(10, |frame, animator| match frame {
        0 => drop(animator.play_on(1, "late").expect("an animation").set_fade(0.0).set_weight(0.5)),
        3 => {
            let turn = animator.play_on(1, "turn").expect("an animation").set_loop_mode(LoopMode::Once);
            turn.set_fade(0.8).set_additive(true);
            animator.queue_on(1, "back", 0.0).expect("an animation").set_fade(0.4);
        }
        _ => {}
    });
    assert_eq!(found.map(|[_, angle]| angle), [-103.8, -103.8, -85.0, -85.0, -85.0, -85.0, 160.0]);
}

#[test]
fn what_is_replaced_without_a_fade_starts_from_rest_or_not() {
    let found = in_all_versions(1, |frame, animator| match frame {
        0 => drop(animator.play_on(1, "back").expect("an animation").set_fade(0.4)),
        1 => drop(
            animator.play_on(1, "back").expect("an animation").set_fade(0.0).set_weight(0.5).set_additive(true),
        ),
        _ => {}
    });
    assert_eq!(found.map(|[_, angle]| angle), [105.0, -85.0, -85.0, -85.0, -85.0, -85.0, -85.0]);
}
