//! Changes to the files that a suite stores in addition to its characters.

use std::fs;

use serde_json::{Value, json};

use crate::common::random::Random;
use crate::common::suite_folder::Suite;

const STRUCTURE: &str = "art/references/stored/lamp/structure.json";

const CHANGES: &[fn(&Suite, &mut Random) -> Option<String>] =
    &[paint, remove_picture, remove_structure, change_structure, change_structure, empty, remove];

pub fn change(suite: &Suite, random: &mut Random) -> String {
    let mut changes = std::iter::repeat_with(|| CHANGES[random.below(CHANGES.len())](suite, random));
    changes.find_map(|done| done).expect("a change")
}

/// Picks a reference of the lamp.
fn picture(suite: &Suite, random: &mut Random) -> String {
    let mut names = suite.files("art/references/stored/lamp");
    names.retain(|name| name.ends_with(".png"));
    format!("art/references/stored/lamp/{}", names[random.below(names.len())])
}

fn paint(suite: &Suite, random: &mut Random) -> Option<String> {
    let name = picture(suite, random);
    let (width, height, mut pixels) = super::sheet::decoded(&suite.read(&name));
    let at = random.below(pixels.len() / 4) * 4;
    let red = pixels[at] ^ 128;
    pixels[at..at + 4].copy_from_slice(&[red, 7, 7, 255]);
    suite.write(&name, &super::sheet::encoded(width, height, &pixels));
    Some(format!("{name}: a pixel"))
}

fn remove_picture(suite: &Suite, random: &mut Random) -> Option<String> {
    let name = picture(suite, random);
    fs::remove_file(suite.path(&name)).expect("can be removed");
    Some(format!("{name} is gone"))
}

fn remove_structure(suite: &Suite, _: &mut Random) -> Option<String> {
    fs::remove_file(suite.path(STRUCTURE)).expect("can be removed");
    Some("structure.json is gone".to_owned())
}

fn change_structure(suite: &Suite, random: &mut Random) -> Option<String> {
    let mut structure: Value = serde_json::from_slice(&suite.read(STRUCTURE)).expect("JSON");
    let motions = structure["motions"].as_object_mut()?;
    let motion = motions.values_mut().nth(random.below(2))?;
    let bones = motion["bones"].as_object_mut()?;
    let (at, count) = (random.below(bones.len()), bones.len());
    let course = bones.values_mut().nth(at)?.as_object_mut()?;
    let (channel, inside) = (random.below(course.len()), random.below(4));
    let spans = course.values_mut().nth(channel)?.as_array_mut()?;
    let span = random.below(spans.len());
    let numbers = spans[span].as_array_mut()?;
    let number = numbers.get_mut(inside)?;
    *number = json!(number.as_f64()? + 2.0);
    suite.write(STRUCTURE, &serde_json::to_vec(&structure).expect("JSON"));
    Some(format!("structure.json: bone {at} of {count}, span {span}"))
}

fn empty(suite: &Suite, _: &mut Random) -> Option<String> {
    suite.write("art/stored/lamp.json", b"");
    Some("the character is empty".to_owned())
}

fn remove(suite: &Suite, _: &mut Random) -> Option<String> {
    fs::remove_file(suite.path("art/stored/lamp.json")).expect("can be removed");
    Some("the character is gone".to_owned())
}
