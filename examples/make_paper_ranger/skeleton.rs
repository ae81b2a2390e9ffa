//! The ranger as a skeleton of Spine 4.2: an arm that aims, two weapons, a cape that swings, boxes to hit, and a point at
//! the hand.

use serde_json::{Value, json};

use super::art::size;

/// Seconds of a double step.
const STEP: f64 = 0.8;
/// Pixels of a double step.
const STRIDE: f64 = 96.0;

/// Returns the skeleton.
pub fn skeleton() -> Value {
    json!({
        "skeleton": {
            "spine": "4.2.43", "x": -40, "y": 0, "width": 110, "height": 160, "fps": 30, "images": "", "audio": ""
        },
        "bones": bones(),
        "slots": slots(),
        "ik": [
            { "name": "aim", "order": 0, "bones": ["arm", "forearm"], "target": "aim", "mix": 0, "bendPositive": true },
            { "name": "look", "order": 1, "bones": ["head"], "target": "aim", "mix": 0 }
        ],
        "physics": (1..=3).map(cape_physics).collect::<Vec<_>>(),
        "skins": [{ "name": "default", "attachments": attachments() }],
        "events": { "step": { "audio": "step.ogg", "volume": 0.6 }, "strike": {} },
        "animations": { "attack": attack(), "fall": fall(), "hurt": hurt(), "idle": idle(), "walk": walk() }
    })
}

fn bones() -> Value {
    json!([
        { "name": "root" },
        { "name": "aim", "parent": "root", "x": 90, "y": 110 },
        { "name": "hip", "parent": "root", "y": 66 },
        { "name": "torso", "parent": "hip", "length": 50, "rotation": 90 },
        { "name": "head", "parent": "torso", "length": 40, "x": 52 },
        { "name": "cape1", "parent": "torso", "length": 24, "x": 48, "y": 8, "rotation": 165 },
        { "name": "cape2", "parent": "cape1", "length": 22, "x": 24 },
        { "name": "cape3", "parent": "cape2", "length": 20, "x": 22 },
        { "name": "arm", "parent": "torso", "length": 26, "x": 46, "y": -2, "rotation": -160 },
        { "name": "forearm", "parent": "arm", "length": 28, "x": 26, "rotation": 30 },
        { "name": "hand", "parent": "forearm", "x": 28, "rotation": 50 },
        { "name": "thigh1", "parent": "hip", "length": 32, "x": 4, "rotation": -85 },
        { "name": "shin1", "parent": "thigh1", "length": 34, "x": 32, "rotation": -10 },
        { "name": "thigh2", "parent": "hip", "length": 32, "x": -4, "rotation": -95 },
        { "name": "shin2", "parent": "thigh2", "length": 34, "x": 32, "rotation": -5 }
    ])
}

/// Back to front.
fn slots() -> Value {
    let slots = [
        ("cape", "torso", "cape"),
        ("shin2", "shin2", "shin"),
        ("thigh2", "thigh2", "thigh"),
        ("torso", "torso", "torso"),
        ("shin1", "shin1", "shin"),
        ("thigh1", "thigh1", "thigh"),
        ("head", "head", "head"),
        ("weapon", "hand", "sword"),
        ("arm", "arm", "arm"),
        ("forearm", "forearm", "forearm"),
        ("body", "torso", "body"),
        ("skull", "head", "skull"),
        ("muzzle", "hand", "muzzle"),
    ];
    let slots = slots.map(|(name, bone, attachment)| {
        let is_behind = name.ends_with('2');
        let color = if is_behind { "b0a8b8ff" } else { "ffffffff" };
        json!({ "name": name, "bone": bone, "attachment": attachment, "color": color })
    });
    json!(slots)
}

fn cape_physics(bone: u32) -> Value {
    json!({
        "name": format!("cape{bone}"), "order": bone + 1, "bone": format!("cape{bone}"),
        "rotate": 1, "inertia": 0.6, "strength": 40, "damping": 0.88, "gravity": 4, "wind": 0, "limit": 3000
    })
}

fn attachments() -> Value {
    let limb = |path: &str, x: f64| {
        let [width, height] = size(path);
        json!({ path: { "x": x, "width": width, "height": height } })
    };
    let shin =
        |[width, height]: [f32; 2]| json!({ "shin": { "x": 18, "y": 3, "width": width, "height": height } });
    let [head, weapon, axe] = ["head", "sword", "axe"].map(size);
    json!({
        "cape": { "cape": cape() },
        "torso": limb("torso", 24.0),
        "head": { "head": { "x": 18, "y": -3, "rotation": -90, "width": head[0], "height": head[1] } },
        "arm": limb("arm", 13.0),
        "forearm": limb("forearm", 15.0),
        "thigh1": limb("thigh", 16.0),
        "thigh2": limb("thigh", 16.0),
        "shin1": shin(size("shin")),
        "shin2": shin(size("shin")),
        "weapon": {
            "sword": { "x": 28, "width": weapon[0], "height": weapon[1] },
            "axe": { "x": 18, "width": axe[0], "height": axe[1] }
        },
        "body": { "body": { "type": "boundingbox", "vertexCount": 4, "vertices": [-8, -16, 50, -16, 50, 16, -8, 16] } },
        "skull": { "skull": { "type": "boundingbox", "vertexCount": 4, "vertices": [0, -22, 40, -22, 40, 18, 0, 18] } },
        "muzzle": { "muzzle": { "type": "point", "x": 64 } }
    })
}

/// The cape: rows of two vertices, from the shoulders down, each moved by the nearest bones.
fn cape() -> Value {
    // Bones of the list, and where each begins along the cape.
    const BONES: [(usize, f64); 3] = [(5, 0.0), (6, 24.0), (7, 46.0)];
    const ROWS: [(f64, f64); 5] = [(0.0, 9.0), (16.0, 12.0), (32.0, 16.0), (48.0, 18.0), (64.0, 20.0)];
    let (mut vertices, mut uvs, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
    for (row, (along, half)) in ROWS.into_iter().enumerate() {
        for side in [1.0, -1.0] {
            // Between the middles of two bones, both move the row.
            let weights = BONES.map(|(_, start)| (1.0 - ((along - start - 11.0) / 22.0_f64).abs()).max(0.0));
            let sum: f64 = weights.iter().sum();
            let weights = if sum > 0.0 {
                weights.map(|weight| weight / sum)
            } else {
                [f64::from(u8::from(row == 0)), 0.0, f64::from(u8::from(row > 0))]
            };
            let used: Vec<_> = BONES.iter().zip(weights).filter(|(_, weight)| *weight > 0.0).collect();
            vertices.push(json!(used.len()));
            for ((bone, start), weight) in used {
                let weight = (weight * 1e4).round() / 1e4;
                vertices.extend([json!(bone), json!(along - start), json!(side * half), json!(weight)]);
            }
            uvs.extend([along / 64.0, 0.5 - side * half / 40.0]);
        }
        if row > 0 {
            let first = 2 * (row - 1);
            triangles.extend([first, first + 1, first + 3, first + 3, first + 2, first]);
        }
    }
    json!({
        "type": "mesh", "uvs": uvs, "triangles": triangles, "vertices": vertices, "hull": 2 * ROWS.len(),
        "width": size("cape")[0], "height": size("cape")[1]
    })
}

/// Keys of one value at shares of a duration.
fn keys(duration: f64, values: &[f64]) -> Value {
    let last = (values.len() - 1).max(1) as f64;
    let key = |(at, value): (usize, &f64)| json!({ "time": round(duration * at as f64 / last), "value": value });
    json!(values.iter().enumerate().map(key).collect::<Vec<_>>())
}

fn rotate(duration: f64, values: &[f64]) -> Value {
    json!({ "rotate": keys(duration, values) })
}

fn round(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

fn idle() -> Value {
    json!({ "bones": {
        "torso": rotate(2.0, &[0.0, 1.5, 0.0]),
        "head": rotate(2.0, &[0.0, -2.0, 0.0]),
        "arm": rotate(2.0, &[0.0, 3.0, 0.0]),
        "hip": { "translatey": keys(2.0, &[0.0, -1.5, 0.0]) }
    } })
}

/// The root moves, so that the game can take its motion.
fn walk() -> Value {
    let thigh = [30.0, 12.0, -10.0, -28.0, -22.0, 0.0, 20.0, 32.0, 30.0];
    let shin = [0.0, -6.0, -2.0, -8.0, -45.0, -60.0, -40.0, -8.0, 0.0];
    let ahead = |values: [f64; 9]| {
        let mut moved = values;
        (0..9).for_each(|at| moved[at] = values[(at + 4) % 8]);
        moved
    };
    json!({
        "bones": {
            "root": { "translatex": keys(STEP, &[0.0, STRIDE]) },
            "hip": { "translatey": keys(STEP, &[0.0, -3.0, 0.0, 1.0, 0.0, -3.0, 0.0, 1.0, 0.0]) },
            "torso": rotate(STEP, &[-4.0, -6.0, -4.0, -6.0, -4.0]),
            "thigh1": rotate(STEP, &thigh),
            "shin1": rotate(STEP, &shin),
            "thigh2": rotate(STEP, &ahead(thigh)),
            "shin2": rotate(STEP, &ahead(shin)),
            "arm": rotate(STEP, &[-20.0, 0.0, 20.0, 0.0, -20.0])
        },
        "events": [{ "time": 0, "name": "step" }, { "time": STEP / 2.0, "name": "step" }]
    })
}

/// In the air.
fn fall() -> Value {
    json!({ "bones": {
        "thigh1": rotate(0.3, &[0.0, 50.0]),
        "shin1": rotate(0.3, &[0.0, -70.0]),
        "thigh2": rotate(0.3, &[0.0, -15.0]),
        "shin2": rotate(0.3, &[0.0, -40.0]),
        "arm": rotate(0.3, &[0.0, 70.0])
    } })
}

fn attack() -> Value {
    json!({
        "bones": {
            "arm": rotate(0.4, &[0.0, 110.0, 40.0, 20.0, 0.0]),
            "forearm": rotate(0.4, &[0.0, 40.0, -20.0, -10.0, 0.0]),
            "torso": rotate(0.4, &[0.0, 8.0, -14.0, -6.0, 0.0])
        },
        "events": [{ "time": 0.2, "name": "strike" }]
    })
}

fn hurt() -> Value {
    json!({ "bones": {
        "torso": rotate(0.4, &[0.0, 18.0, 8.0, 0.0]),
        "head": rotate(0.4, &[0.0, 22.0, 6.0, 0.0])
    } })
}
