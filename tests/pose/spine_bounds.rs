//! Numbers of Spine 4 that no editor writes: poses stay finite, and no update takes long.

use std::time::{Duration, Instant};

use bytes::Bytes;
use pchr::Character;
use pchr::diagnostics::Diagnostics;
use pchr::formats::{Input, NO_SIDECARS, ReadOptions};
use pchr::motion::{Cue, Dynamics, Position, evaluate};
use pchr::pose::Pose;

/// Maximum time of an update. The longest take about 10 ms.
const PATIENCE: Duration = Duration::from_secs(2);

fn read(json: &str) -> (Character, Vec<&'static str>) {
    let mut diagnostics = Diagnostics::default();
    let input = Input { bytes: Bytes::copy_from_slice(json.as_bytes()), sidecars: NO_SIDECARS };
    let character = pchr::formats::from_input(&input, &ReadOptions::default(), &mut diagnostics)
        .unwrap_or_else(|error| panic!("{json}: {error}"));
    let codes = diagnostics.findings().iter().map(|finding| finding.fault.code).collect();
    (character, codes)
}

fn assert_finite(pose: &Pose, what: &str) {
    assert!(pose.world_from_bone.iter().all(|bone| bone.is_finite()), "{what}: {:?}", pose.world_from_bone);
}

/// A bone that moves back and forth, with physics of these fields.
fn swinging(header: &str, fields: &str) -> (Character, Vec<&'static str>) {
    read(&format!(
        r#"{{"skeleton":{{"spine":"4.2.40"{header}}},"bones":[{{"name":"root"}},{{"name":"tail","parent":"root","length":40}}],
        "physics":[{{"name":"p","bone":"tail","x":1,"y":1,"rotate":1,"scaleX":1,"shearX":1,"wind":1,"gravity":1{fields}}}],
        "animations":{{"a":{{"bones":{{"tail":{{"translate":[{{}},{{"time":1,"x":90,"y":40}},{{"time":2}}]}}}}}}}}}}"#
    ))
}

#[test]
fn physics_with_impossible_numbers_stays_finite_and_quick() {
    for (header, fields, is_reported) in [
        ("", "", false),
        ("", r#","fps":0"#, true),
        ("", r#","fps":-1e30"#, true),
        ("", r#","fps":1e9"#, true),
        ("", r#","fps":1e-30"#, false),
        ("", r#","mass":0"#, true),
        ("", r#","mass":-1"#, true),
        ("", r#","mass":1e-38"#, false),
        ("", r#","limit":-5"#, true),
        ("", r#","limit":3e38"#, false),
        ("", r#","damping":-0.5"#, true),
        ("", r#","damping":1e30"#, false),
        ("", r#","strength":1e30"#, false),
        ("", r#","strength":-100"#, false),
        ("", r#","inertia":3e38"#, false),
        (r#","referenceScale":0"#, "", false),
        (r#","referenceScale":3e38"#, "", false),
    ] {
        let (character, codes) = swinging(header, fields);
        let what = format!("{header}{fields}");
        assert_eq!(codes.contains(&"bad-physics"), is_reported, "{what}: {codes:?}");
        let (mut dynamics, mut pose) = (Dynamics::default(), Pose::default());
        let start = Instant::now();
        for (step, dt) in [0.0171, 0.5, 0.0171, 1e3, 0.0171, 1e300, 0.0, 0.0171, 0.0171].into_iter().enumerate() {
            let position = Position::Seconds(step as f64 * 0.23);
            let cue = Cue { animation: character.model().find_animation("a"), position, ..Cue::default() };
            dynamics.update(&character, &cue, dt, &mut pose);
            assert_finite(&pose, &what);
        }
        assert!(start.elapsed() < PATIENCE, "{what}: {:?}", start.elapsed());
    }
}

#[test]
fn pictures_far_from_their_key_exist() {
    for mode in ["hold", "once", "loop", "pingpong", "onceReverse", "loopReverse", "pingpongReverse"] {
        for index in [i32::MIN, -1, 0, 1, 2, i32::MAX] {
            for delay in ["0", "-1", "1e-45", "0.1", "3e38"] {
                for count in [1, 3] {
                    let (character, _) = read(&format!(
                        r#"{{"skeleton":{{"spine":"4.2.40"}},"bones":[{{"name":"root"}}],
                        "slots":[{{"name":"s","bone":"root","attachment":"p"}}],
                        "skins":[{{"name":"default","attachments":{{"s":{{"p":{{"width":9,"height":9,"sequence":{{"count":{count}}}}}}}}}}}],
                        "animations":{{"a":{{"attachments":{{"default":{{"s":{{"p":{{"sequence":[
                            {{"mode":"{mode}","index":{index},"delay":{delay}}},{{"time":1e30,"index":1}}]}}}}}}}}}}}}}}"#
                    ));
                    for seconds in [0.0, 0.25, 1e29, 1e300, -1e300] {
                        let position = Position::Seconds(seconds);
                        let cue = Cue {
                            animation: character.model().find_animation("a"),
                            position,
                            hold: true,
                            ..Cue::default()
                        };
                        let mut pose = Pose::default();
                        evaluate(&character, &cue, &mut pose);
                        let shown = pose.slots[0].attachment.expect("a picture");
                        assert!(shown.index() < count, "{mode} {index} {delay} at {seconds}: {shown:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn curves_between_keys_that_almost_coincide_are_finite() {
    for (from, to) in [(0.0, 1e-45), (1.0, 1.000_000_1), (-3e38, 3e38), (1e30, 1.1e30)] {
        for curve in ["[3e38,3e38,-3e38,-3e38]", "[-3e38,0,3e38,0]", "[0,3e38,1,3e38]"] {
            let (character, _) = read(&format!(
                r#"{{"skeleton":{{"spine":"4.0.64"}},"bones":[{{"name":"root"}}],"animations":{{"a":{{"bones":{{"root":{{
                    "translatex":[{{"time":{from:?},"value":1,"curve":{curve}}},{{"time":{to:?},"value":2}}]}}}}}}}}}}"#
            ));
            for share in [0.0, 0.1, 0.5, 0.9, 1.0] {
                let position = Position::Seconds(from + (to - from) * share);
                let cue = Cue { animation: character.model().find_animation("a"), position, ..Cue::default() };
                let mut pose = Pose::default();
                evaluate(&character, &cue, &mut pose);
                assert_finite(&pose, &format!("{from} {to} {curve} {share}"));
            }
        }
    }
}
