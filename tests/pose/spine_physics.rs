//! Physics of Spine characters over time, with the cord of our lamp: a picture at one instant is the same however the
//! time before it was divided.

use std::path::Path;

use pchr::diagnostics::Diagnostics;
use pchr::formats::{ReadOptions, open};
use pchr::math::vec2;
use pchr::motion::{
    ConstraintOverride, ConstraintSettings, Cue, Dynamics, Evaluator, Forces, PoseWork, Position, evaluate,
    has_physics, plays_physics,
};
use pchr::pose::Pose;
use pchr::{Animator, Character};

use crate::common::corpus::ours;

fn lamp_at(fps: Option<f64>) -> Character {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/paper-lamp-4.2.json");
    open(&path, &ReadOptions { fps, ..ReadOptions::default() }, &mut Diagnostics::default()).unwrap()
}

fn idle(lamp: &Character, position: Position) -> Cue {
    Cue { animation: lamp.model().find_animation("idle"), position, ..Cue::default() }
}

/// Returns the largest distance between corresponding entries of the bone matrices.
fn off(a: &Pose, b: &Pose) -> f32 {
    let pairs = a.world_from_bone.iter().zip(&b.world_from_bone);
    let off = pairs.flat_map(|(a, b)| a.to_cols_array().into_iter().zip(b.to_cols_array()));
    off.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

/// Returns the pose of an animator after updates of these lengths.
fn played(nanos: &[u64]) -> Pose {
    let mut animator = Animator::new(lamp_at(None));
    animator.play("idle").unwrap();
    animator.update(0.0);
    animator.refresh();
    for nanos in nanos {
        animator.update(*nanos as f64 * 1e-9);
        animator.refresh();
    }
    animator.pose().clone()
}

#[test]
fn a_pose_does_not_depend_on_how_the_time_is_divided() {
    let at_once = played(&[500_000_000]);
    let still = {
        let lamp = lamp_at(None);
        let mut pose = Pose::default();
        evaluate(&lamp, &idle(&lamp, Position::Seconds(0.5)), &mut pose);
        pose
    };
    // The cord has turned by four degrees, and a tolerance of 1e-4 distinguishes single steps.
    assert!(off(&at_once, &still) > 0.05, "the cord swings: {}", off(&at_once, &still));
    let sixtieths: Vec<u64> = (0..30).map(|_| (1e9_f64 / 60.0).round() as u64).collect();
    let uneven = [1, 16_666_665, 1, 83_333_333, 199_999_999, 33_333_334, 166_666_667];
    assert_eq!(uneven.iter().sum::<u64>(), 500_000_000);
    let thousandths = [1_000_000; 500];
    for parts in [&sixtieths[..], &uneven, &thousandths] {
        // Positions are sums of binary fractions of a second, and 30 sixtieths are 10 ns longer.
        let off = off(&played(parts), &at_once);
        assert!(off < 1e-4, "{} parts differ by {off}", parts.len());
    }
    // Another step, which is 10 ns later, makes a difference.
    assert!(off(&played(&[500_000_000 - 20_000_000]), &at_once) > 1e-3);
}

#[test]
fn an_animator_after_a_jump_shows_what_playback_shows() {
    let lamp = lamp_at(None);
    let mut animator = Animator::new(lamp.clone());
    animator.play("idle").unwrap();
    let mut replayed = Pose::default();
    for step in 1..=100 {
        animator.update(1.0 / 60.0);
        animator.refresh();
        let seconds = animator.playback(0).seconds();
        Dynamics::default().replay(&lamp, &idle(&lamp, Position::Seconds(seconds)), &mut replayed);
        assert!(off(animator.pose(), &replayed) < 1e-3, "step {step}: {}", off(animator.pose(), &replayed));
    }
    let shown = animator.pose().clone();
    animator.playback_mut(0).unwrap().seek_secs(0.2);
    animator.refresh();
    assert!(off(animator.pose(), &shown) > 0.1);
    animator.playback_mut(0).unwrap().seek_secs(100.0 / 60.0);
    animator.refresh();
    assert!(off(animator.pose(), &shown) < 1e-3, "{}", off(animator.pose(), &shown));
}

#[test]
fn a_pose_does_not_depend_on_the_rate_or_on_other_poses() {
    let alone = |fps: f64, position: Position| {
        let (lamp, mut pose) = (lamp_at(Some(fps)), Pose::default());
        Dynamics::default().replay(&lamp, &idle(&lamp, position), &mut pose);
        pose
    };
    let expected = alone(30.0, Position::Seconds(0.5));
    for (fps, frame) in [(12.0, 6), (24.0, 12), (30.0, 15), (1000.0, 500)] {
        assert_eq!(alone(fps, Position::frame(frame)), expected, "{fps} fps");
    }
    let lamp = lamp_at(Some(24.0));
    let mut evaluator = Evaluator::with_dynamics(Some(Dynamics::default()));
    let mut pose = Pose::default();
    for frame in (0..12).chain([40, 3, 11, 12]) {
        evaluator.evaluate(&lamp, &idle(&lamp, Position::frame(frame)), &mut pose);
    }
    assert_eq!(pose, expected);
}

#[test]
fn consecutive_poses_of_long_playback_equal_single_ones() {
    let lamp = lamp_at(None);
    let mut dynamics = Dynamics::default();
    let (mut pose, mut alone) = (Pose::default(), Pose::default());
    // Replays start over at 60 s, at 90 s and at 120 s.
    for seconds in [59.9, 60.0, 60.1, 75.0, 89.99, 90.0, 90.02, 119.9, 120.1] {
        let cue = idle(&lamp, Position::Seconds(seconds));
        dynamics.replay(&lamp, &cue, &mut pose);
        Dynamics::default().replay(&lamp, &cue, &mut alone);
        assert_eq!(pose, alone, "{seconds} s");
    }
}

#[test]
fn physics_is_on_by_default_for_spine_alone() {
    let lamp = lamp_at(None);
    let still = Character::open("assets/paper-lamp.json").unwrap();
    let skelform = Character::open(ours("skelform/samples/synth-physics.skf")).unwrap();
    let all = |of: &Character| [None, Some(true), Some(false)].map(|chosen| plays_physics(of, chosen));
    assert_eq!(all(&lamp), [true, true, false]);
    assert_eq!(all(&skelform), [false, true, false]);
    assert_eq!((all(&still), has_physics(&still)), ([false; 3], false));
}

#[test]
fn any_rate_of_a_constraint_ends_and_is_charged() {
    let lamp = std::fs::read_to_string("assets/paper-lamp-4.2.json").unwrap();
    let with = |fps: &str| {
        let text = lamp.replace(r#""strength": 60"#, &format!(r#""strength": 60, "fps": {fps}"#));
        assert!(text != lamp);
        Character::from_bytes(text).unwrap()
    };
    let mut pose = Pose::default();
    let mut work = Vec::new();
    for fps in ["0", "-60", "60", "120", "1e6", "1e30"] {
        let lamp = with(fps);
        Dynamics::default().replay(&lamp, &idle(&lamp, Position::Seconds(0.5)), &mut pose);
        let mut dynamics = Dynamics::default();
        for secs in [0.0, 1e9, f64::MAX, 1.0] {
            dynamics.update(&lamp, &idle(&lamp, Position::Seconds(0.5)), secs, &mut pose);
        }
        work.push(PoseWork::new(&lamp, &[]).of(&lamp, None));
    }
    assert!(
        work[0] == work[2]
            && work[1] == work[2]
            && work[2] < work[3]
            && work[3] + 500 < work[4]
            && work[4] == work[5],
        "{work:?}"
    );
}

#[test]
fn positions_beyond_all_time_are_replayed() {
    let lamp = Character::open("assets/paper-lamp-4.2.json").unwrap();
    let (mut dynamics, mut pose) = (Dynamics::default(), Pose::default());
    for secs in [1e300, 1e300, f64::MAX, 0.5] {
        dynamics.replay(&lamp, &idle(&lamp, Position::Seconds(secs)), &mut pose);
        assert!(pose.world_from_bone.iter().all(|world| world.is_finite()), "{secs}");
    }
}

#[test]
fn wind_gravity_and_mix_of_a_cue_multiply_those_of_constraints() {
    let lamp = lamp_at(None);
    let swing = lamp.model().find_constraint("swing").unwrap();
    let posed = |settings: ConstraintSettings, forces: Forces| {
        let constraints = vec![ConstraintOverride { settings, ..ConstraintOverride::new(swing) }];
        let mut pose = Pose::default();
        let cue = Cue { constraints, forces, ..idle(&lamp, Position::Seconds(0.5)) };
        Dynamics::default().replay(&lamp, &cue, &mut pose);
        pose
    };
    let own = |wind: f32, gravity: f32, mix: f32| ConstraintSettings {
        wind: Some(wind),
        gravity: Some(gravity),
        mix: Some(mix),
        ..ConstraintSettings::default()
    };
    let usual = Forces::default();
    let plain = posed(own(30.0, 20.0, 1.0), usual);
    let cases = [
        (Forces { wind: vec2(2.0, 0.0), ..usual }, own(60.0, 20.0, 1.0)),
        (Forces { wind: vec2(-1.0, 0.0), ..usual }, own(-30.0, 20.0, 1.0)),
        (Forces { gravity: vec2(0.0, 0.0), ..usual }, own(30.0, 0.0, 1.0)),
        (Forces { gravity: vec2(0.0, 1.5), ..usual }, own(30.0, -30.0, 1.0)),
        (Forces { mix: 0.25, ..usual }, own(30.0, 20.0, 0.25)),
        (Forces { mix: 0.0, ..usual }, own(30.0, 20.0, 0.0)),
    ];
    for (forces, same) in cases {
        let found = posed(own(30.0, 20.0, 1.0), forces);
        assert_eq!(found, posed(same, usual), "{forces:?}");
        assert!(off(&found, &plain) > 1e-3, "{forces:?} have no effect");
    }
    for odd in [f32::NAN, f32::INFINITY] {
        let forces = Forces { wind: vec2(odd, 0.0), gravity: vec2(0.0, odd), mix: odd };
        assert_eq!(posed(own(30.0, 20.0, 1.0), forces), plain);
    }
}
