//! Spine 4.2 → 4.3 → 4.2: every key that both versions have is kept, and poses stay.
//!
//! What may differ, and why:
//! * constraints that were baked, since 4.3 plays them differently, with their keys and those of their bones;
//! * constraints that 4.2 never applies, because of their order, and the numbers of the others: 4.3 has one list, in the
//!   order in which all of them are applied;
//! * the order of the lists of constraints, for the same reason;
//! * the version that the file states.

use std::collections::BTreeSet;
use std::fs;

use bytes::Bytes;
use pchr::Character;
use pchr::convert::Converted;
use pchr::diagnostics::Diagnostics;
use pchr::formats::{Input, NO_SIDECARS, ReadOptions, from_input, table};
use pchr::math::{Affine2, Vec2};
use pchr::motion::{Cue, Evaluator, Position};
use pchr::pose::Pose;
use serde_json::Value;

use crate::common::{conformance_files, say};
use crate::rewrite_spine::{assert_none, convert, cover, main_file, own_target, sources};

/// World pixels: what single precision changes in matrices of several hundred pixels.
const NOISE: f32 = 1e-3;

const LISTS: [&str; 4] = ["ik", "transform", "path", "physics"];

fn to(bytes: &Bytes, name: &str) -> Converted {
    convert(bytes, table::target(name).expect("a target")).expect("a writer").expect("can be converted")
}

fn read(bytes: &Bytes) -> Character {
    let input = Input { bytes: bytes.clone(), sidecars: NO_SIDECARS };
    from_input(&input, &ReadOptions::default(), &mut Diagnostics::default()).expect("a skeleton")
}

/// The names of the constraints that a conversion left out, or replaced by keys of bones.
fn gone(converted: &Converted, code: &str) -> BTreeSet<String> {
    let losses = converted.losses.iter().filter(|loss| loss.code == code);
    losses.map(|loss| loss.message.split('`').nth(1).expect("a name").to_owned()).collect()
}

/// Removes the constraints in `gone` with their keys, and all keys of the bones in `moved`, and sorts constraints by name.
fn comparable(skeleton: &mut Value, gone: &BTreeSet<String>, moved: &BTreeSet<String>) {
    let name = |it: &Value| it["name"].as_str().expect("a name").to_owned();
    skeleton["skeleton"]["spine"] = Value::Null;
    for list in LISTS {
        let Some(Value::Array(constraints)) = skeleton.get_mut(list) else { continue };
        constraints.retain(|it| !gone.contains(&name(it)));
        constraints.sort_by_key(name);
        if !gone.is_empty() {
            constraints.iter_mut().for_each(|it| it["order"] = Value::Null);
        }
        remove_if_empty(skeleton, list);
    }
    let bones = skeleton["bones"].as_array_mut().expect("bones");
    bones.iter_mut().filter(|it| moved.contains(&name(it))).for_each(|it| *it = Value::Null);
    for skin in skeleton["skins"].as_array_mut().into_iter().flatten() {
        for list in LISTS {
            let Some(Value::Array(names)) = skin.get_mut(list) else { continue };
            names.retain(|it| !gone.contains(it.as_str().expect("a name")));
            remove_if_empty(skin, list);
        }
    }
    for (_, animation) in skeleton["animations"].as_object_mut().into_iter().flatten() {
        for (list, gone) in LISTS.map(|list| (list, gone)).into_iter().chain([("bones", moved)]) {
            let Some(Value::Object(timelines)) = animation.get_mut(list) else { continue };
            timelines.retain(|name, _| !gone.contains(name));
            remove_if_empty(animation, list);
        }
    }
}

/// Lists without items are not written.
fn remove_if_empty(object: &mut Value, key: &str) {
    let is_empty = match &object[key] {
        Value::Array(list) => list.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    };
    if is_empty {
        object.as_object_mut().expect("an object").remove(key);
    }
}

/// The bones that constraints of these names move.
fn moved(skeleton: &Value, constraints: &BTreeSet<String>) -> BTreeSet<String> {
    let lists = LISTS.iter().filter_map(|list| skeleton[list].as_array()).flatten();
    let of = lists.filter(|it| constraints.contains(it["name"].as_str().expect("a name")));
    let names = of.flat_map(|it| it["bones"].as_array().cloned().unwrap_or_else(|| vec![it["bone"].clone()]));
    names.map(|name| name.as_str().expect("a name").to_owned()).collect()
}

/// The greatest distance between the bones of two characters in any pose, in world pixels.
fn distance(characters: [&Character; 2]) -> f32 {
    let model = characters[0].model();
    let mut evaluators = [Evaluator::default(), Evaluator::default()];
    let mut poses = [Pose::default(), Pose::default()];
    let mut worst = 0.0_f32;
    let skins = std::iter::once(Vec::new()).chain(model.skin_ids().map(|skin| vec![skin]));
    for skins in skins {
        for animation in std::iter::once(None).chain(model.animation_ids().map(Some)) {
            let secs = animation.map_or(0.0, |id| model.animation(id).duration_secs());
            for at in 0..=(secs * 24.0) as u32 {
                let position = Position::Seconds((f64::from(at) / 24.0).min(secs));
                let cue = Cue { animation, position, skins: skins.clone(), hold: true, ..Cue::default() };
                for side in 0..2 {
                    evaluators[side].evaluate(characters[side], &cue, &mut poses[side]);
                }
                let [a, b] = &poses;
                assert_eq!(a.draw_order, b.draw_order);
                let bones = a.world_from_bone.iter().zip(&b.world_from_bone);
                worst =
                    bones.flat_map(|(a, b)| tips(*a).into_iter().zip(tips(*b))).fold(worst, |worst, (a, b)| {
                        // A bone without an area has no direction.
                        if a.is_finite() && b.is_finite() { worst.max(a.distance(b)) } else { worst }
                    });
            }
        }
    }
    worst
}

fn tips(bone: Affine2) -> [Vec2; 3] {
    [Vec2::ZERO, Vec2::new(10.0, 0.0), Vec2::new(0.0, 10.0)].map(|point| bone.transform_point2(point))
}

#[test]
fn a_skeleton_of_4_2_survives_4_3() {
    let (mut count, mut exact, mut faults) = (0, 0, Vec::new());
    let beside = conformance_files("spine-next/4.2", ".json").into_iter();
    for file in sources().into_iter().chain(beside) {
        let bytes = Bytes::from(fs::read(&file).expect("a file"));
        let own = own_target(&bytes);
        if own.name != "spine42" {
            continue;
        }
        let name = file.display().to_string();
        let direct = to(&bytes, "spine42");
        let next = to(&bytes, "spine43");
        let back = to(&main_file(&next), "spine42");
        let baked = gone(&next, "constraint-baked");
        let again = gone(&back, "constraint-baked");
        if !again.is_empty() {
            faults.push(format!("{name}: {again:?} were baked on the way back"));
        }
        let [mut direct, mut written] =
            [&direct, &back].map(|it| serde_json::from_slice::<Value>(&main_file(it)).expect("JSON"));
        let moved = moved(&direct, &baked);
        let is_exact = baked.is_empty();
        let gone = baked.into_iter().chain(gone(&next, "constraint-dropped")).collect();
        comparable(&mut direct, &gone, &moved);
        comparable(&mut written, &gone, &moved);
        cover(&direct, &written, &format!("{name} lost"), &mut faults);
        cover(&written, &direct, &format!("{name} added"), &mut faults);
        if is_exact {
            let off = distance([&read(&bytes), &read(&main_file(&back))]);
            if off > NOISE {
                faults.push(format!("{name}: off by {off} px"));
            }
            exact += 1;
        }
        count += 1;
    }
    say(&format!("{count} skeletons of 4.2 became 4.3 and 4.2 again, {exact} without baking"));
    assert!(exact >= 20, "only {exact} of {count}");
    assert_none(&faults);
}
