//! `pchr poses`: bones compared with the goldens of another program, slots, boxes and events, every form of output, and
//! errors.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};

use crate::common::program::{fine, folder, pchr, refused, stderr};
use crate::common::spine_golden::{Golden, goldens, list, number};
use crate::common::v1::{File, write};
use crate::common::{say, tiny};
use pchr::math::angle::sin_cos_degrees_f64;
use serde_json::{Value, json};

const KNIGHT: &str = "assets/paper-knight.pchr";
const LAMP: &str = "assets/paper-lamp.json";

#[track_caller]
fn document(args: &[&str]) -> Value {
    let output = fine(&crate::common::root(), &[&["poses", "--json", "-q"], args].concat());
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[track_caller]
fn text(args: &[&str]) -> String {
    String::from_utf8(fine(&crate::common::root(), &[&["poses", "-q"], args].concat()).stdout).expect("UTF-8")
}

#[test]
fn bones_agree_with_the_goldens_of_another_program() {
    /// Both are rounded to single precision.
    const TOLERANCE: f64 = 2e-3;
    const FPS: f64 = 60.0;
    let (mut characters, mut compared, mut worst) = (0, 0, 0.0_f64);
    for (path, skeleton) in
        goldens("spine4").into_iter().filter(|(path, _)| path.to_string_lossy().contains("4.2/"))
    {
        if characters == 4 {
            break;
        }
        let golden = Golden::load(&path, &skeleton);
        let cases = golden.cases().into_iter().filter(|case| {
            let frames = number(&case["time"]) * FPS;
            // The end of a loop is its beginning, and is not printed.
            case["anim"].is_string() && case["skin"].is_null() && (frames - frames.round()).abs() < 1e-6
        });
        let cases: Vec<&Value> = cases.collect();
        if cases.is_empty() {
            continue;
        }
        characters += 1;
        let file = skeleton.to_string_lossy();
        let args = [&file, "-a", "all", "--fps", "60", "--skin", "none", "--physics=off", "--limit", "work=64G"];
        let found = document(&args);
        for case in cases {
            let animation = list(&found["animations"]).iter().find(|found| found["animation"] == case["anim"]);
            let poses = &animation.expect("every animation")["poses"];
            let Some(pose) = poses.get((number(&case["time"]) * FPS).round() as usize) else { continue };
            if (number(&pose["seconds"]) - number(&case["time"])).abs() > 1e-6 {
                continue;
            }
            let inactive: BTreeSet<u64> =
                case["inactive"].as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
            let expected = list(&case["bones"]).chunks_exact(6).enumerate();
            let expected: Vec<_> = expected.filter(|(index, _)| !inactive.contains(&(*index as u64))).collect();
            let bones = list(&pose["bones"]);
            assert_eq!(bones.len(), expected.len(), "{file}");
            for (bone, (_, expected)) in bones.iter().zip(expected) {
                // The golden lists rows, the matrix has columns.
                let matrix: Vec<f64> = list(&bone["matrix"]).iter().map(number).collect();
                let found = [0, 2, 1, 3, 4, 5].map(|at| matrix[at]);
                for (found, expected) in found.iter().zip(expected) {
                    worst = worst.max((found - number(expected)).abs());
                }
            }
            compared += 1;
        }
    }
    say(&format!("poses: {characters} characters, {compared} poses, worst difference {worst}"));
    assert!(characters == 4 && compared >= 10, "{characters} characters, {compared} poses");
    assert!(worst < TOLERANCE, "{worst}");
}

#[test]
fn the_numbers_of_a_bone_describe_its_matrix() {
    let found = document(&[KNIGHT, "-a", "walk", "--fps", "10"]);
    let walk = &found["animations"][0];
    assert_eq!(
        (&found["file"], &walk["animation"], &walk["looping"]),
        (&json!(KNIGHT), &json!("walk"), &json!(true))
    );
    // A loop of one second: the end is the beginning.
    let seconds: Vec<f64> = list(&walk["poses"]).iter().map(|pose| number(&pose["seconds"])).collect();
    assert_eq!(seconds, [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]);
    let mut turned = 0;
    for bone in list(&walk["poses"]).iter().flat_map(|pose| list(&pose["bones"])) {
        let [a, b, c, d, x, y] = [0, 1, 2, 3, 4, 5].map(|at| number(&bone["matrix"][at]));
        assert_eq!(
            (&bone["position"][0], &bone["position"][1]),
            (&bone["matrix"][4], &bone["matrix"][5]),
            "{x} {y}"
        );
        let rotation = number(&bone["rotation"]);
        let [(sin, cos), (skewed_sin, skewed_cos)] =
            [rotation, rotation + 90.0 + number(&bone["shear"])].map(sin_cos_degrees_f64);
        let [across, along] = [0, 1].map(|at| number(&bone["scale"][at]));
        let again = [across * cos, across * sin, along * skewed_cos, along * skewed_sin];
        for (again, found) in again.iter().zip([a, b, c, d]) {
            assert!((again - found).abs() < 1e-4, "{bone}");
        }
        turned += usize::from(rotation.abs() > 5.0);
    }
    assert!(turned > 20, "{turned} bones are turned");
}

#[test]
fn without_a_rate_there_is_a_pose_for_each_frame() {
    let found = document(&[KNIGHT, "-a", "all"]);
    let counts: Vec<usize> = list(&found["animations"]).iter().map(|it| list(&it["poses"]).len()).collect();
    let report: Value =
        serde_json::from_slice(&fine(&crate::common::root(), &["inspect", KNIGHT, "--json", "-q"]).stdout)
            .expect("JSON");
    let frames: Vec<usize> = list(&report["files"][0]["animations"])
        .iter()
        .filter(|animation| list(&found["animations"]).iter().any(|it| it["animation"] == animation["name"]))
        .map(|animation| number(&animation["frames"]) as usize)
        .collect();
    assert!(counts.len() >= 3 && counts == frames, "{counts:?} {frames:?}");
    // The last pose of an animation that does not loop is its end, whatever the rate is.
    let jump = document(&[KNIGHT, "-a", "jump", "--fps", "7"])["animations"][0].take();
    let end = list(&jump["poses"]).last().expect("a pose");
    assert_eq!((&jump["looping"], &end["seconds"]), (&json!(false), &jump["duration"]));
}

#[test]
fn bones_are_selected_by_pattern() {
    let names = |args: &[&str]| -> BTreeSet<String> {
        let found = document(&[&[KNIGHT, "-a", "walk"], args].concat());
        let poses = list(&found["animations"][0]["poses"]).to_vec();
        poses.iter().flat_map(|pose| list(&pose["bones"]).to_vec()).map(|bone| bone["bone"].to_string()).collect()
    };
    let all = names(&[]);
    let some = names(&["--bones", "hand*", "--bones", "head"]);
    assert!(some.len() < all.len() && some.contains("\"head\"") && some.iter().any(|name| name.contains("hand")));
    assert!(some.iter().all(|name| name.contains("hand") || name == "\"head\""), "{some:?}");
    let message = refused(&crate::common::root(), 2, &["poses", KNIGHT, "--bones", "haed"]);
    assert!(
        message.contains(&format!("{KNIGHT}: no bone matches `haed`")) && message.contains("`head`"),
        "{message}"
    );
    let message = refused(&crate::common::root(), 2, &["poses", KNIGHT, "-a", "wlak"]);
    assert!(message.contains("no animation named `wlak`") && message.contains("`walk`"), "{message}");
    refused(&crate::common::root(), 3, &["poses", "nothing.pchr"]);
    refused(&crate::common::root(), 2, &["poses", KNIGHT, "--csv", "--json"]);
    let failed = pchr(&crate::common::root(), &["poses", KNIGHT, "--json", "--bones", "nothing"]);
    let error: Value = serde_json::from_slice(&failed.stdout).expect("JSON");
    assert_eq!((&error["schema"], &error["code"]), (&json!("pchr.error/1"), &json!("usage")));
}

/// A skeleton with a hit box, two-colour tint and events.
const BOXES: &str = r#"{
    "skeleton": {"spine": "4.2.22"},
    "bones": [{"name": "root"}, {"name": "fist", "parent": "root", "x": 10}],
    "slots": [
        {"name": "hit", "bone": "fist", "attachment": "hit"},
        {"name": "glow", "bone": "root", "color": "ff000080", "dark": "0000ff"}
    ],
    "skins": [{"name": "default", "attachments": {"hit": {"hit": {
        "type": "boundingbox", "vertexCount": 3, "vertices": [0, 0, 4, 0, 0, 4]}}}}],
    "events": {"swing": {"int": 3, "string": "a,\"b\""}},
    "animations": {"attack": {
        "bones": {"fist": {"translate": [{}, {"time": 1.5, "x": 30}]}},
        "slots": {"hit": {"attachment": [{"name": "hit"}, {"time": 0.9, "name": null}]}},
        "events": [{"time": 0.35, "name": "swing"}]}}
}"#;

#[test]
fn slots_boxes_and_events_are_listed() {
    let folder = folder();
    fs::write(folder.path().join("boxes.json"), BOXES).expect("can be written");
    let run =
        |args: &[&str]| fine(folder.path(), &[&["poses", "boxes.json", "-q", "--fps", "2"], args].concat()).stdout;
    let found: Value =
        serde_json::from_slice(&run(&["--what", "bones,slots,events,boxes", "--json"])).expect("JSON");
    let attack = &found["animations"][0];
    assert_eq!(
        attack["events"],
        json!([{"balance": 0.0, "event": "swing", "float": 0.0, "int": 3, "seconds": 0.35, "string": "a,\"b\"", "volume": 1.0}])
    );
    let poses = list(&attack["poses"]);
    assert_eq!(poses.len(), 3);
    assert_eq!(
        poses[1]["boxes"],
        json!([{"attachment": "hit", "corners": [[20.0, 0.0], [24.0, 0.0], [20.0, 4.0]], "slot": "hit"}])
    );
    assert_eq!(poses[2]["boxes"], json!([]), "the box is gone at the end");
    let slots = list(&poses[2]["slots"]);
    assert_eq!(
        slots[0],
        json!({"attachment": null, "bone": "fist", "color": [1.0, 1.0, 1.0, 1.0], "slot": "hit"})
    );
    assert_eq!((&slots[1]["slot"], &slots[1]["dark"]), (&json!("glow"), &json!([0.0, 0.0, 1.0])));
    assert_eq!(slots[1]["color"][0], json!(1.0));
    // Slots and boxes follow the selection of bones.
    let root_only: Value =
        serde_json::from_slice(&run(&["--what", "slots,boxes", "--bones", "root", "--json"])).expect("JSON");
    let pose = &root_only["animations"][0]["poses"][0];
    assert_eq!((list(&pose["slots"]).len(), &pose["boxes"], &pose["bones"]), (1, &json!([]), &Value::Null));
    let csv = |what| String::from_utf8(run(&["--what", what, "--csv"])).expect("UTF-8");
    assert_eq!(
        csv("boxes"),
        "animation,seconds,slot,attachment,corner,x,y\nattack,0,hit,hit,0,10,0\nattack,0,hit,hit,1,14,0\n\
         attack,0,hit,hit,2,10,4\nattack,0.5,hit,hit,0,20,0\nattack,0.5,hit,hit,1,24,0\nattack,0.5,hit,hit,2,20,4\n"
    );
    let events = csv("events");
    let row = events.lines().nth(1).expect("an event");
    assert!(row.starts_with("attack,0.3499999940395355,swing,3,0,\"a,\"\"b\"\"\",,1,0"), "{events}");
    assert!(csv("slots").contains("attack,1,glow,,root,1,0,0,0.5019608,0,0,1\n"), "{}", csv("slots"));
    refused(folder.path(), 2, &["poses", "boxes.json", "--csv", "--what", "bones,slots"]);
    let table = String::from_utf8(run(&["--what", "bones,boxes"])).expect("UTF-8");
    assert!(table.starts_with("attack: 3 poses, 1.500 s, loops\n   seconds  bone "), "{table}");
    assert!(table.contains("\n     0.500  fist           20.000      0.000      0.000 "), "{table}");
}

#[test]
fn a_character_without_animations_has_its_rest_pose() {
    let folder = folder();
    let still = File { animations: Vec::new(), ..tiny() };
    fs::write(folder.path().join("still.pchr"), write(&still).expect("a valid file")).expect("can be written");
    let output = fine(folder.path(), &["poses", "still.pchr", "--json", "-q"]);
    let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let only = &found["animations"][0];
    assert_eq!((&only["animation"], list(&only["poses"]).len()), (&Value::Null, 1));
    assert_eq!(list(&only["poses"][0]["bones"]).len(), still.bones.len());
    let table = fine(folder.path(), &["poses", "still.pchr", "-q"]);
    assert!(table.stdout.starts_with(b"rest pose\n"));
    refused(folder.path(), 2, &["poses", "still.pchr", "-a", "walk"]);
}

#[test]
fn every_output_is_the_same_each_time_and_names_cannot_break_it() {
    for args in [&["--json"][..], &["--csv"], &[]] {
        let args = [&[LAMP, "-a", "all", "--fps", "30"], args].concat();
        assert_eq!(text(&args), text(&args), "{args:?}");
    }
    let folder = folder();
    let named = BOXES.replace("fist", "fi\\u001b[31m, \\\"st\\\"##vso");
    fs::write(folder.path().join("named.json"), named).expect("can be written");
    for args in [&["--json"][..], &["--csv"], &[]] {
        let output = fine(folder.path(), &[&["poses", "named.json", "-q"], args].concat());
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(!text.contains('\u{1b}') && !text.contains("##"), "{text}");
        if args == ["--csv"] {
            assert!(text.contains("\"\"st\"\""), "{text}");
        }
    }
}

#[test]
fn poses_are_printed_while_they_are_computed() {
    // Much more than a pipe holds; nobody reads more than the beginning.
    let mut command = Command::new(env!("CARGO_BIN_EXE_pchr"));
    let args = ["poses", KNIGHT, "-a", "all", "--fps", "1000", "--limit", "work=999G", "--json", "-q"];
    command.current_dir(crate::common::root()).args(args).stdin(Stdio::null());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program runs");
    let mut start = [0; 1000];
    child.stdout.take().expect("a pipe").read_exact(&mut start).expect("the beginning");
    let output = child.wait_with_output().expect("ends");
    assert!(output.status.success() && output.stderr.is_empty(), "a closed pipe: {}", stderr(&output));
    assert!(start.starts_with(b"{\n  \"animations\": [\n"));
    let message = refused(
        &crate::common::root(),
        3,
        &["poses", KNIGHT, "-a", "walk", "--fps", "1000", "--limit", "work=1k"],
    );
    assert!(message.contains("limit `work` exceeded"), "{message}");
}
