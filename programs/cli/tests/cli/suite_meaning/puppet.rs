//! Changes of a SkelForm character.

use serde_json::{Value, json};

use super::{Change, make};
use crate::common::random::Random;
use crate::common::skelform_golden::entry;
use crate::common::suite_folder::Suite;
use crate::common::zip::{Entry, zip};

pub const FILE: &[u8] = include_bytes!("../../../../../tests/fixtures/skelform/quirks/puppet/input.skf");

const CHANGES: &[Change<Value>] =
    &[change_key, change_key, change_key, move_key, change_bone, change_order, faster, longer];

pub fn change(suite: &Suite, random: &mut Random) -> String {
    let mut armature = armature();
    let done = make(&mut armature, CHANGES, random);
    suite.write("art/puppet/puppet.skf", &written(&armature));
    done
}

fn armature() -> Value {
    serde_json::from_slice(&entry(FILE, "armature.json").expect("an entry")).expect("JSON")
}

/// Returns the archive with another armature.
pub fn written(armature: &Value) -> Vec<u8> {
    let atlas = entry(FILE, "atlas0.png").expect("an entry");
    let armature = serde_json::to_vec_pretty(armature).expect("JSON");
    zip(&[Entry::stored("atlas0.png", &atlas), Entry::stored("armature.json", &armature)])
}

fn change_key(armature: &mut Value, random: &mut Random) -> Option<String> {
    let animation = random.below(2);
    let keys = armature["animations"][animation]["keyframes"].as_array_mut()?;
    let key = random.below(keys.len());
    keys[key]["value"] = json!(keys[key]["value"].as_f64()? + f64::from(random.between(1.0, 9.0)));
    Some(format!("animation {animation}, value of key {key}"))
}

fn move_key(armature: &mut Value, random: &mut Random) -> Option<String> {
    let frame = 7 + random.below(4);
    armature["animations"][0]["keyframes"][2]["frame"] = json!(frame);
    Some(format!("key 2 at frame {frame}"))
}

fn change_bone(armature: &mut Value, random: &mut Random) -> Option<String> {
    let bone = [0, 4, 5][random.below(3)];
    let y = armature["bones"][bone]["pos"]["y"].as_f64().unwrap_or(0.0);
    let x = armature["bones"][bone]["pos"]["x"].as_f64().unwrap_or(0.0);
    armature["bones"][bone]["pos"] = json!({ "x": x + f64::from(random.between(1.0, 9.0)), "y": y });
    Some(format!("position of bone {bone}"))
}

fn change_order(armature: &mut Value, random: &mut Random) -> Option<String> {
    let visual = random.below(2);
    armature["visuals"][visual]["zindex"] = json!(9);
    Some(format!("order of visual {visual}"))
}

fn faster(armature: &mut Value, random: &mut Random) -> Option<String> {
    let animation = random.below(2);
    armature["animations"][animation]["fps"] = json!(25);
    Some(format!("animation {animation} is faster"))
}

fn longer(armature: &mut Value, _: &mut Random) -> Option<String> {
    armature["animations"][1]["keyframes"][1]["frame"] = json!(13);
    Some("the second animation is longer".to_owned())
}

/// Returns the armature with keys on the lines between others.
pub fn with_redundant_keys() -> Value {
    let mut armature = armature();
    let keys = armature["animations"][1]["keyframes"].as_array_mut().expect("keys");
    keys.insert(1, json!({ "frame": 4, "bone_id": 0, "element": "PositionX", "value": 5 }));
    armature
}
