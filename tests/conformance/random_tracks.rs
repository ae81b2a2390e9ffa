//! Random scripts of tracks: what must hold for any of them, and whether the project's own model agrees, which is a program
//! in Python beside the conformance data.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use pchr::Animator;
use pchr::motion::{Cue, evaluate};
use pchr::pose::Pose;
use serde_json::{Value, json};

use crate::common::corpus::conformance_files;
use crate::common::random::Random;
use crate::common::say;
use crate::common::spine_golden::{Golden, list, number};

const FRAMES: u32 = 150;
const DT: f64 = 0.0173;
/// Positions are tens of pixels in single precision.
const TOLERANCE: f64 = 1e-3;
const SCRIPTS: u64 = 10;

/// Returns a script for three tracks and the animations `a0` to `a3`. `adds`: it may have additive animations, and each
/// pose starts from rest.
fn script(random: &mut Random, adds: bool) -> Value {
    let mut frames: Vec<usize> = (0..4 + random.below(8)).map(|_| random.below(120)).collect();
    frames.sort_unstable();
    frames[0] = 0;
    let mut steps = Vec::new();
    for (index, frame) in frames.into_iter().enumerate() {
        let secs = |random: &mut Random| [0.0, 0.1, 0.2, 0.35, 0.6][random.below(5)];
        let track = random.below(3);
        let animation = format!("a{}", random.below(4));
        let is_looping = random.below(3) > 0;
        let mut options = json!({ "mix": secs(random) });
        if random.below(3) == 0 {
            options["weight"] = json!([0.25, 0.5, 0.75][random.below(3)]);
        }
        if adds && track > 0 && random.below(3) == 0 {
            options["additive"] = json!(true);
        }
        steps.push(match random.below(if index == 0 { 5 } else { 9 }) {
            0..=4 => json!([frame, "set", track, animation, is_looping, options]),
            5 => json!([frame, "add", track, animation, is_looping, secs(random) - 0.1, options]),
            6 => json!([frame, "empty", track, secs(random)]),
            7 => json!([frame, "addEmpty", track, secs(random), secs(random)]),
            _ => json!([frame, "clear", track]),
        });
    }
    json!({ "defaultMix": 0.25, "dt": DT, "frames": FRAMES, "reset": adds, "script": steps })
}

/// Runs a script, each frame in some updates, and returns the positions of all bones after each.
fn positions(golden: &Golden, state: &Value, updates: u32) -> (Vec<Vec<f64>>, Animator) {
    let mut steps = list(&state["script"]).iter().peekable();
    let mut animator = Animator::new(golden.character.clone());
    animator.set_fade_secs(number(&state["defaultMix"]));
    let mut frame = |frame: u32| {
        while let Some(step) = steps.next_if(|step| number(&step[0]) <= f64::from(frame)) {
            golden.run_step(step, &mut animator);
        }
        for _ in 0..updates {
            if state["reset"] == true {
                animator.reset_pose();
            }
            animator.update(if frame == 0 { 0.0 } else { DT / f64::from(updates) });
        }
        let bones = animator.pose().world_from_bone.iter();
        bones.flat_map(|bone| bone.translation.to_array().map(f64::from)).collect()
    };
    let found = (0..FRAMES).map(&mut frame).collect();
    (found, animator)
}

/// Returns the rigs whose bones hang on a root at the origin, with their versions.
fn rigs() -> Vec<(PathBuf, String)> {
    let mut found = conformance_files("spine-mixing", "patterns-bones.json");
    found.retain(|path| path.with_extension("golden.json.gz").exists());
    let version = |path: &Path| path.ancestors().nth(2)?.file_name()?.to_str().map(str::to_owned);
    found.into_iter().filter_map(|path| version(&path).map(|version| (path.clone(), version))).collect()
}

/// Returns the positions that the model expects; `None` if it cannot be run.
fn expected(rig: &Path, version: &str, states: &[Value]) -> Option<Value> {
    let folder = rig.ancestors().nth(5)?.join("tools/mixing");
    let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance/model_tracks.py");
    let mut command = Command::new("python3");
    command.arg(driver).arg(&folder).arg(version).arg(rig).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = folder.join("model.py").exists().then(|| command.spawn().ok())??;
    let scripts = serde_json::to_vec(states).expect("JSON");
    child.stdin.take().expect("piped").write_all(&scripts).expect("it reads the scripts");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "the model fails");
    Some(serde_json::from_slice(&output.stdout).expect("JSON"))
}

fn off(found: &[f64], expected: &[f64]) -> f64 {
    found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn conformance_random_tracks() {
    let mut faults = Vec::new();
    for (rig, version) in rigs() {
        let golden = Golden::load(&rig.with_extension("golden.json.gz"), &rig);
        let states: Vec<Value> = (0..SCRIPTS)
            .map(|seed| script(&mut Random(seed), seed % 3 == 0 && version.as_str() >= "4.0"))
            .collect();
        let model = expected(&rig, &version, &states);
        if model.is_none() {
            say(&format!("SKIPPED: no python3 or no model of tracks for {version}"));
        }
        for (at, state) in states.iter().enumerate() {
            let (found, mut animator) = positions(&golden, state, 1);
            let model = model.as_ref().map(|model| list(&model[at]));
            for (frame, (found, expected)) in found.iter().zip(model.into_iter().flatten()).enumerate() {
                let expected: Vec<f64> = list(expected).iter().map(number).collect();
                let off = off(found, &expected);
                if off > TOLERANCE {
                    faults.push(format!("{version} script {at} frame {frame}: {off} off: {}", state["script"]));
                    break;
                }
            }
            // The last of them is long after the last step: however time was divided, the same is left.
            let (halves, _) = positions(&golden, state, 2);
            let (last, other) = (found.last().expect("a frame"), halves.last().expect("a frame"));
            if off(last, other) > TOLERANCE && !has_residue(state) {
                faults.push(format!("{version} script {at} depends on its updates: {}", state["script"]));
            }
            (0..3).for_each(|track| animator.stop_track(track));
            animator.reset_pose();
            animator.update(DT);
            let mut rest = Pose::default();
            evaluate(&golden.character, &Cue::default(), &mut rest);
            assert!(*animator.pose() == rest, "{version} script {at}: something is left");
        }
    }
    assert!(faults.is_empty(), "{} differ:\n{}", faults.len(), faults.join("\n"));
}

/// Returns true if a script leaves values of stopped tracks, which depend on the last update before.
fn has_residue(state: &Value) -> bool {
    list(&state["script"]).iter().any(|step| step[1] == "clear")
}
