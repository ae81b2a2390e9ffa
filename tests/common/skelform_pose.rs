//! A minimal player for archives made by the project's writer: linear keys, bones and weights. It has no inverse
//! kinematics, physics or pivots, which the writer does not produce.

use std::io::Read;

use flate2::read::DeflateDecoder;
use pchr::math::{Vec2, vec2};
use serde_json::Value;

use super::outcome::Shown;

/// Returns an entry of an archive.
pub fn entry(archive: &[u8], wanted: &str) -> Vec<u8> {
    let number = |at: usize| u32::from_le_bytes(archive[at..at + 4].try_into().expect("four bytes")) as usize;
    let short = |at: usize| usize::from(u16::from_le_bytes([archive[at], archive[at + 1]]));
    let mut at = 0;
    while archive[at..].starts_with(b"PK\x03\x04") {
        let (length, name, extra) = (number(at + 18), short(at + 26), short(at + 28));
        let from = at + 30 + name + extra;
        if &archive[at + 30..at + 30 + name] == wanted.as_bytes() {
            let packed = &archive[from..from + length];
            let mut bytes = Vec::new();
            match short(at + 8) {
                0 => bytes.extend(packed),
                8 => _ = DeflateDecoder::new(packed).read_to_end(&mut bytes).expect("deflated data"),
                method => panic!("method {method}"),
            }
            assert_eq!(bytes.len(), number(at + 22), "{wanted}");
            return bytes;
        }
        at = from + length;
    }
    panic!("no {wanted} in the archive");
}

/// A bone: position, angle, scale.
type Bone = ([f64; 2], f64, [f64; 2]);

fn float(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is not a number"))
}

fn pair(value: &Value) -> [f64; 2] {
    [float(&value["x"]), float(&value["y"])]
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

#[allow(clippy::disallowed_methods, reason = "the reference uses the platform's, which is near enough")]
fn turn([x, y]: [f64; 2], angle: f64) -> [f64; 2] {
    let (sin, cos) = angle.sin_cos();
    [x * cos - y * sin, x * sin + y * cos]
}

/// Returns what is visible in a frame, back to front. Version 0.8 negates the rotation of children of mirrored
/// bones, 0.7 does not: see `mirrors`.
pub fn shown(armature: &Value, animation: Option<&str>, frame: u32, mirrors: bool) -> Vec<Shown> {
    let bones = list(&armature["bones"]);
    let mut values: Vec<[f64; 7]> = bones
        .iter()
        .map(|bone| {
            let (pos, scale) = (pair(&bone["init_pos"]), pair(&bone["init_scale"]));
            let hidden = if bone["init_hidden"] == true { 1.0 } else { 0.0 };
            let visual = bone["visuals_id"].as_u64();
            let order = visual.map_or(0.0, |id| float(&armature["visuals"][id as usize]["init_zindex"]));
            [pos[0], pos[1], float(&bone["init_rot"]), scale[0], scale[1], hidden, order]
        })
        .collect();
    if let Some(animation) = animation {
        let found = list(&armature["animations"]).iter().find(|found| found["name"] == animation);
        animate(found.unwrap_or_else(|| panic!("no `{animation}`")), frame, &mut values);
    }
    let world = world(bones, &values, mirrors);
    let mut hidden: Vec<bool> = Vec::new();
    for (bone, values) in bones.iter().zip(&values) {
        let of_parent = bone["parent_id"].as_u64().is_some_and(|parent| hidden[parent as usize]);
        hidden.push(of_parent || values[5] == 1.0);
    }
    let mut drawn: Vec<usize> =
        (0..bones.len()).filter(|&at| bones[at]["visuals_id"] != -1 && !hidden[at]).collect();
    drawn.sort_by_key(|&at| values[at][6] as i64);
    drawn.into_iter().map(|at| mesh(armature, &bones[at], &world, at)).collect()
}

fn animate(animation: &Value, frame: u32, values: &mut [[f64; 7]]) {
    const ELEMENTS: [&str; 7] = ["PositionX", "PositionY", "Rotation", "ScaleX", "ScaleY", "Hidden", "Zindex"];
    let keys = list(&animation["keyframes"]);
    for key in keys {
        let from = float(&key["frame"]);
        if from > f64::from(frame) {
            break;
        }
        let element = ELEMENTS.iter().position(|element| key["element"] == *element).expect("a known element");
        let value = &mut values[float(&key["bone_id"]) as usize][element];
        *value = float(&key["value"]);
        let next = key["next_kf"].as_i64().expect("a number");
        if element < 5 && next >= 0 {
            let next = &keys[next as usize];
            assert_eq!((&next["bone_id"], &next["element"]), (&key["bone_id"], &key["element"]));
            let share = (f64::from(frame) - from) / (float(&next["frame"]) - from);
            assert!((0.3..0.34).contains(&float(&next["start_handle"]["x"])), "a linear curve");
            *value += (float(&next["value"]) - *value) * share.min(1.0);
        }
    }
}

fn world(bones: &[Value], values: &[[f64; 7]], mirrors: bool) -> Vec<Bone> {
    let mut world: Vec<Bone> = Vec::new();
    for (bone, &[x, y, mut angle, scale_x, scale_y, ..]) in bones.iter().zip(values) {
        world.push(match bone["parent_id"].as_u64() {
            None => ([x, y], angle, [scale_x, scale_y]),
            Some(parent) => {
                let (at, turned, scale) = world[parent as usize];
                if mirrors && (scale[0] < 0.0) != (scale[1] < 0.0) {
                    angle = -angle;
                }
                let moved = turn([x * scale[0], y * scale[1]], turned);
                ([at[0] + moved[0], at[1] + moved[1]], turned + angle, [scale[0] * scale_x, scale[1] * scale_y])
            }
        });
    }
    world
}

fn mesh(armature: &Value, bone: &Value, world: &[Bone], owner: usize) -> Shown {
    let visual = &armature["visuals"][bone["visuals_id"].as_u64().expect("a visual") as usize];
    let at = |point: [f64; 2], bone: usize| {
        let (place, angle, scale) = world[bone];
        let moved = turn([point[0] * scale[0], point[1] * scale[1]], angle);
        [place[0] + moved[0], place[1] + moved[1]]
    };
    let rest: Vec<[f64; 2]> = list(&visual["vertices"]).iter().map(|vertex| pair(&vertex["init_pos"])).collect();
    let mut points: Vec<[f64; 2]> = rest.iter().map(|&point| at(point, owner)).collect();
    for bind in list(&visual["binds"]) {
        let bone = bind["bone_id"].as_u64().expect("a bone") as usize;
        for vertex in list(&bind["verts"]) {
            let (id, weight) = (vertex["id"].as_u64().expect("a vertex") as usize, float(&vertex["weight"]));
            let to = at(rest[id], bone);
            points[id] = std::array::from_fn(|i| points[id][i] + (to[i] - points[id][i]) * weight);
        }
    }
    let corner = |index: &Value| {
        let [x, y] = points[index.as_u64().expect("an index") as usize];
        vec2(x as f32, y as f32)
    };
    let corners: Vec<Vec2> = list(&visual["indices"]).iter().map(corner).collect();
    (bone["name"].as_str().filter(|name| !name.is_empty()).unwrap_or("mesh").to_owned(), corners)
}
