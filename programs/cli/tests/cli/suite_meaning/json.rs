//! Changes of a Spine skeleton.

use serde_json::{Value, json};

use super::Change;
use crate::common::random::Random;

pub const CHANGES: &[Change<Value>] = &[
    change_bone_key,
    change_bone_key,
    change_bone_key,
    move_bone_key,
    remove_bone_key,
    hold_bone_key,
    change_color_key,
    change_event,
    hide_for_a_while,
    exchange_for_a_while,
    change_bone,
    change_slot,
    weaken_ik,
    remove_animation,
    keep_longer,
];

/// Picks a member of an object or an item of an array.
fn pick<'a>(of: &'a mut Value, random: &mut Random) -> Option<(String, &'a mut Value)> {
    match of {
        Value::Object(members) if !members.is_empty() => {
            let at = random.below(members.len());
            members.iter_mut().nth(at).map(|(name, value)| (name.clone(), value))
        }
        Value::Array(items) if !items.is_empty() => {
            let at = random.below(items.len());
            Some((at.to_string(), &mut items[at]))
        }
        _ => None,
    }
}

/// Picks the keys of a timeline of a bone: a name and the keys.
fn bone_keys<'a>(lamp: &'a mut Value, random: &mut Random) -> Option<(String, &'a mut Vec<Value>)> {
    let (animation, value) = pick(&mut lamp["animations"], random)?;
    let (bone, timelines) = pick(value.get_mut("bones")?, random)?;
    let (timeline, keys) = pick(timelines, random)?;
    Some((format!("{animation}, {bone}, {timeline}"), keys.as_array_mut()?))
}

/// The values of a key, without its time and curve.
fn values(key: &Value, timeline: &str) -> Vec<f64> {
    let default = if timeline.ends_with("scale") { 1.0 } else { 0.0 };
    ["x", "y", "value", "angle"].iter().map(|name| key[name].as_f64().unwrap_or(default)).collect()
}

fn time(key: &Value) -> f64 {
    key["time"].as_f64().unwrap_or(0.0)
}

fn change_bone_key(lamp: &mut Value, random: &mut Random) -> Option<String> {
    let (name, keys) = bone_keys(lamp, random)?;
    let key = random.below(keys.len());
    let is_scale = name.ends_with("scale");
    let member = match name.rsplit(", ").next()? {
        "translate" | "scale" | "shear" => ["x", "y"][random.below(2)],
        _ if keys.iter().any(|key| key.get("angle").is_some()) => "angle",
        _ => "value",
    };
    let by = if is_scale { random.between(0.05, 0.2) } else { random.between(2.0, 9.0) };
    let before = keys[key][member].as_f64().unwrap_or(if is_scale { 1.0 } else { 0.0 });
    keys[key][member] = json!(before + f64::from(by));
    Some(format!("{name}: {member} of key {key} by {by}"))
}

/// Picks a key that matters: its value is not that of its neighbours.
fn telling_key(name: &str, keys: &[Value], random: &mut Random) -> Option<usize> {
    let key = random.below(keys.len());
    let differs =
        |other: usize| keys.get(other).is_some_and(|other| values(other, name) != values(&keys[key], name));
    (key > 0 && differs(key - 1) && (key + 1 == keys.len() || differs(key + 1))).then_some(key)
}

fn move_bone_key(lamp: &mut Value, random: &mut Random) -> Option<String> {
    let (name, keys) = bone_keys(lamp, random)?;
    let key = telling_key(&name, keys, random)?;
    let [before, at] = [time(&keys[key - 1]), time(&keys[key])];
    keys[key]["time"] = json!(at - (at - before) * 0.3);
    Some(format!("{name}: key {key} comes earlier"))
}

fn remove_bone_key(lamp: &mut Value, random: &mut Random) -> Option<String> {
    let (name, keys) = bone_keys(lamp, random)?;
    let key = telling_key(&name, keys, random)?;
    keys.remove(key);
    Some(format!("{name}: key {key} is gone"))
}

fn hold_bone_key(lamp: &mut Value, random: &mut Random) -> Option<String> {
    let (name, keys) = bone_keys(lamp, random)?;
    let key = telling_key(&name, keys, random)? - 1;
    keys[key]["curve"] = json!("stepped");
    Some(format!("{name}: key {key} holds"))
}

fn change_color_key(lamp: &mut Value, random: &mut Random) -> Option<String> {
    let (animation, value) = pick(&mut lamp["animations"], random)?;
    let (slot, timelines) = pick(value.get_mut("slots")?, random)?;
    let (timeline, keys) = pick(timelines, random)?;
    let (at, key) = pick(keys, random)?;
    match key["color"].as_str() {
        Some(color) => key["color"] = json!(format!("40{}", &color[2..])),
        None => key["value"] = json!(0.5),
    }
    Some(format!("{animation}, {slot}, {timeline}: colour of key {at}"))
}

fn change_event(lamp: &mut Value, random: &mut Random) -> Option<String> {
    let (animation, value) = pick(&mut lamp["animations"], random)?;
    let events = value.get_mut("events")?.as_array_mut()?;
    let at = random.below(events.len());
    match random.below(3) {
        0 => drop(events.remove(at)),
        1 => events[at]["int"] = json!(77),
        _ => events[at]["time"] = json!(time(&events[at]) - 0.01),
    }
    Some(format!("{animation}: event {at}"))
}

/// Picks a slot that shows something, and a time in an animation.
fn place(lamp: &mut Value, random: &mut Random) -> Option<(String, String, String, f64)> {
    let slots = lamp["slots"].as_array()?;
    let slot = &slots[random.below(slots.len())];
    let (slot, attachment) = (slot["name"].as_str()?.to_owned(), slot["attachment"].as_str()?.to_owned());
    let (animation, value) = pick(&mut lamp["animations"], random)?;
    let seconds = if animation == "hop" { 0.9 } else { 2.0 };
    value.get("bones")?.get("hold")?;
    Some((animation, slot, attachment, f64::from(random.between(0.0, 0.9)) * seconds))
}

fn hide_for_a_while(lamp: &mut Value, random: &mut Random) -> Option<String> {
    let (animation, slot, attachment, time) = place(lamp, random)?;
    let keys = json!([{ "time": time, "name": null }, { "time": time + 0.034, "name": attachment }]);
    lamp["animations"][&animation]["slots"][&slot]["attachment"] = keys;
    Some(format!("{animation}: {slot} is hidden at {time}"))
}

fn exchange_for_a_while(lamp: &mut Value, random: &mut Random) -> Option<String> {
    let (animation, slot, _, time) = place(lamp, random)?;
    let last = lamp["slots"].as_array()?.last()?["name"] == slot.as_str();
    let offsets = json!([{ "slot": slot, "offset": if last { -1 } else { 1 } }]);
    lamp["animations"][&animation]["drawOrder"] =
        json!([{ "time": time, "offsets": offsets }, { "time": time + 0.034 }]);
    Some(format!("{animation}: draw order of {slot} at {time}"))
}

fn change_bone(lamp: &mut Value, random: &mut Random) -> Option<String> {
    let (at, bone) = pick(&mut lamp["bones"], random)?;
    let name = ["x", "y"][random.below(2)];
    bone[name] = json!(bone[name].as_f64().unwrap_or(0.0) + f64::from(random.between(1.0, 5.0)));
    Some(format!("{name} of bone {at}"))
}

fn change_slot(lamp: &mut Value, random: &mut Random) -> Option<String> {
    let (at, slot) = pick(&mut lamp["slots"], random)?;
    slot["color"] = json!("ff8060c0");
    Some(format!("colour of slot {at}"))
}

fn weaken_ik(lamp: &mut Value, random: &mut Random) -> Option<String> {
    let list = if lamp.get("ik").is_some() { "ik" } else { "constraints" };
    let (at, constraint) = pick(&mut lamp[list], random)?;
    if list == "constraints" && constraint["type"] != "ik" {
        return None;
    }
    constraint["mix"] = json!(0.6);
    Some(format!("mix of IK {at}"))
}

fn remove_animation(lamp: &mut Value, random: &mut Random) -> Option<String> {
    let name = pick(&mut lamp["animations"], random)?.0;
    // Sliders need theirs.
    (name == "hop").then(|| lamp["animations"].as_object_mut().map(|animations| animations.remove("hop")))?;
    Some(format!("{name} is gone"))
}

fn keep_longer(lamp: &mut Value, random: &mut Random) -> Option<String> {
    let (name, keys) = bone_keys(lamp, random)?;
    let mut last = keys.last()?.clone();
    last["time"] = json!(time(&last) + 1.0);
    keys.push(last);
    (name.starts_with("hop") || name.contains("idle, hold")).then(|| format!("{name}: takes longer"))
}

/// Calls `change` with every timeline of a bone.
fn for_each_timeline(lamp: &mut Value, mut change: impl FnMut(&str, &mut Vec<Value>)) {
    for animation in lamp["animations"].as_object_mut().expect("animations").values_mut() {
        for bone in animation.get_mut("bones").and_then(Value::as_object_mut).into_iter().flatten() {
            for (timeline, keys) in bone.1.as_object_mut().expect("timelines") {
                change(timeline, keys.as_array_mut().expect("keys"));
            }
        }
    }
}

/// Inserts a key into every linear part of every timeline of bones, which changes nothing.
pub fn insert_keys(lamp: &mut Value) {
    for_each_timeline(lamp, |timeline, keys| {
        let old = std::mem::take(keys);
        for (at, key) in old.iter().enumerate() {
            keys.push(key.clone());
            let Some(next) = old.get(at + 1).filter(|_| key.get("curve").is_none()) else { continue };
            let mut between = json!({ "time": 0.7 * time(key) + 0.3 * time(next) });
            let pairs = values(key, timeline).into_iter().zip(values(next, timeline));
            for (name, (a, b)) in ["x", "y", "value", "angle"].iter().zip(pairs) {
                if key.get(name).or(next.get(name)).is_some() {
                    between[name] = json!(0.7 * a + 0.3 * b);
                }
            }
            keys.push(between);
        }
    });
}

/// States values of keys that are the default.
pub fn state_defaults(lamp: &mut Value) {
    for_each_timeline(lamp, |timeline, keys| {
        let names = match timeline {
            "translate" | "scale" | "shear" => ["x", "y"],
            _ => return,
        };
        for key in keys {
            let stated = values(key, timeline);
            names.iter().zip(stated).for_each(|(name, value)| key[name] = json!(value));
            key["time"] = json!(time(key));
        }
    });
}

/// Rounds all numbers to five digits.
pub fn round(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(round),
        Value::Object(members) => members.values_mut().for_each(round),
        Value::Number(number) if number.is_f64() => {
            let number = number.as_f64().expect("a number");
            *value = json!(format!("{number:.4e}").parse::<f64>().expect("a number"));
        }
        _ => {}
    }
}

/// Returns the atlas and its first page with everything at another place of a larger page. Both have sides by which `f32`
/// divides exactly, so that pictures are the same to the bit.
pub fn packed_otherwise(atlas: &str, png: &[u8]) -> (String, Vec<u8>) {
    const SIDE: u32 = 256;
    const LEFT: u32 = 96;
    const TOP: u32 = 32;
    let numbers = |text: &str| -> Vec<u32> {
        text.split(',').map(|number| number.trim().parse().expect("a number")).collect()
    };
    let line = |line: &str| match line.trim_start().split_once(": ") {
        // Regions of older atlases have a size, too.
        Some(("size", size)) if !line.starts_with("  ") => {
            assert_eq!(numbers(size), [128, 128]);
            format!("size: {SIDE},{SIDE}")
        }
        Some((name @ ("bounds" | "xy"), place)) => {
            let mut place = numbers(place);
            place[0] += LEFT;
            place[1] += TOP;
            let place: Vec<String> = place.iter().map(u32::to_string).collect();
            format!("  {name}: {}", place.join(", "))
        }
        _ => line.to_owned(),
    };
    let (first, others) = atlas.split_once("\n\n").unwrap_or((atlas, ""));
    let first = first.lines().map(line).collect::<Vec<_>>().join("\n");
    let atlas = format!("{first}\n\n{others}");
    let (width, _, pixels) = super::sheet::decoded(png);
    let mut larger = vec![0; (SIDE * SIDE * 4) as usize];
    for (row, line) in (TOP..).zip(pixels.chunks(width as usize * 4)) {
        let at = ((row * SIDE + LEFT) * 4) as usize;
        larger[at..at + line.len()].copy_from_slice(line);
    }
    (atlas, super::sheet::encoded(SIDE, SIDE, &larger))
}
