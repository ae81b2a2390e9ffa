//! The timelines of the robot, in both spellings.

use serde_json::{Map, Value, json};

/// Keys and values in both spellings.
const SPELLINGS: [[&str; 2]; 31] = [
    ["AN", "ANIMATION"],
    ["SD", "SYMBOL_DICTIONARY"],
    ["MD", "metadata"],
    ["FRT", "framerate"],
    ["N", "name"],
    ["SN", "SYMBOL_name"],
    ["TL", "TIMELINE"],
    ["L", "LAYERS"],
    ["LN", "Layer_name"],
    ["LT", "Layer_type"],
    ["Clp", "Clipper"],
    ["Clpb", "Clipped_by"],
    ["FR", "Frames"],
    ["I", "index"],
    ["DU", "duration"],
    ["E", "elements"],
    ["S", "Symbols"],
    ["SI", "SYMBOL_Instance"],
    ["ASI", "ATLAS_SPRITE_instance"],
    ["IN", "Instance_Name"],
    ["ST", "symbolType"],
    ["G", "graphic"],
    ["MC", "movieclip"],
    ["FF", "firstFrame"],
    ["C", "color"],
    ["M", "mode"],
    ["T", "Tint"],
    ["TC", "tintColor"],
    ["TM", "tintMultiplier"],
    ["B", "blend"],
    ["M3D", "Matrix3D"],
];

/// Returns the content of `Animation.json`.
pub fn animation(is_long: bool) -> Value {
    let short = robot();
    if is_long { long(short) } else { short }
}

/// Number of frames of `idle` and of `wave`.
const FRAMES: u32 = 12;

fn robot() -> Value {
    let labels = json!({"LN": "labels", "FR": [
        {"N": "idle", "I": 0, "DU": FRAMES, "E": []}, {"N": "wave", "I": FRAMES, "DU": FRAMES, "E": []}]});
    let still = |name: &str, element: Value| json!({"LN": name, "FR": [key(0, 2 * FRAMES, vec![element])]});
    let arms = |name: &str, x: f32, first: u32| {
        let waving = instance("arm", name, "G", first, [1.0, 0.0, 0.0, 1.0, x, -6.0]);
        let resting = instance("arm", name, "G", 0, [1.0, 0.0, 0.0, 1.0, x, -6.0]);
        json!({"LN": name, "FR": [
            still_key(0, FRAMES, resting),
            key(FRAMES, FRAMES, vec![waving]),
        ]})
    };
    let mut lamp = instance("lamp", "lamp", "MC", 0, [1.0, 0.0, 0.0, 1.0, 0.0, -52.0]);
    lamp["SI"]["B"] = json!(0);
    let mut body = instance("body", "body", "G", 0, [1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    body["SI"]["C"] = json!({"M": "T", "TC": "#ffcc88", "TM": 0.2});
    let head = instance("head", "head", "G", 0, [1.0, 0.0, 0.1, 1.0, 0.0, -22.0]);
    let main = vec![
        labels,
        still("lamp", lamp),
        arms("arm left", -28.0, 0),
        still("head", head),
        still("body", body),
        arms("arm right", 28.0, 6),
    ];
    let swing = (0..FRAMES).map(|frame: u32| {
        // Sine and cosine of up to 30 degrees.
        let turns = [(0.0, 1.0), (0.25, 0.9682), (0.433, 0.9014), (0.5, 0.866)];
        let (sin, cos) = turns[[0, 1, 2, 3, 2, 1][frame as usize % 6]];
        let sin = if frame < FRAMES / 2 { sin } else { -sin };
        key(frame, 1, vec![sprite("0004", [cos, sin, -sin, cos, -6.0 * cos, -6.0 * sin])])
    });
    let stripe = (0..FRAMES).map(|frame| key(frame, 1, vec![sprite("0006", at(frame as f32 * 3.0 - 26.0, 4.0))]));
    let eyes =
        vec![key(0, 9, vec![sprite("0002", at(-12.0, -18.0))]), key(9, 3, vec![sprite("0003", at(-12.0, -18.0))])];
    let body = vec![
        json!({"LN": "screen", "LT": "Clp", "FR": [key(0, FRAMES, vec![sprite("0005", at(-14.0, 6.0))])]}),
        json!({"LN": "stripe", "Clpb": "screen", "FR": stripe.collect::<Vec<_>>()}),
        json!({"LN": "shell", "FR": [key(0, FRAMES, vec![sprite("0000", at(-24.0, -12.0))])]}),
    ];
    let head = vec![
        json!({"LN": "eyes", "FR": eyes}),
        json!({"LN": "skull", "FR": [key(0, FRAMES, vec![sprite("0001", at(-20.0, -28.0))])]}),
    ];
    json!({
        "AN": {"N": "paper robot", "SN": "robot", "TL": {"L": main}},
        "SD": {"S": [
            symbol("arm", vec![json!({"LN": "arm", "FR": swing.collect::<Vec<_>>()})]),
            symbol("body", body),
            symbol("head", head),
            symbol("lamp", vec![json!({"LN": "lamp", "FR": [key(0, 1, vec![sprite("0007", at(-5.0, -5.0))])]})]),
        ]},
        "MD": {"FRT": 12},
    })
}

/// A keyframe whose instance does not play.
fn still_key(first: u32, count: u32, mut element: Value) -> Value {
    element["SI"]["LP"] = json!("SF");
    key(first, count, vec![element])
}

fn key(first: u32, count: u32, elements: Vec<Value>) -> Value {
    json!({"I": first, "DU": count, "E": elements})
}

fn at(x: f32, y: f32) -> [f32; 6] {
    [1.0, 0.0, 0.0, 1.0, x, y]
}

fn sprite(name: &str, matrix: [f32; 6]) -> Value {
    json!({"ASI": {"N": name, "M3D": spatial(matrix)}})
}

fn instance(symbol: &str, name: &str, kind: &str, first: u32, matrix: [f32; 6]) -> Value {
    let mut it = json!({"SN": symbol, "IN": name, "ST": kind, "M3D": spatial(matrix)});
    if kind == "G" {
        it["FF"] = json!(first);
        it["LP"] = json!("LP");
    }
    json!({"SI": it})
}

fn symbol(name: &str, layers: Vec<Value>) -> Value {
    json!({"SN": name, "TL": {"L": layers}})
}

fn spatial([a, b, c, d, x, y]: [f32; 6]) -> [f32; 16] {
    [a, b, 0.0, 0.0, c, d, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, x, y, 0.0, 1.0]
}

/// Returns a value in the long spelling.
fn long(value: Value) -> Value {
    match value {
        Value::Object(entries) => Value::Object(entries.into_iter().map(entry).collect::<Map<_, _>>()),
        Value::Array(items) => items.into_iter().map(long).collect(),
        other => other,
    }
}

fn entry((key, value): (String, Value)) -> (String, Value) {
    let spelled =
        |short: &str| SPELLINGS.iter().find(|[known, _]| *known == short).map(|[_, long]| (*long).to_owned());
    let value = match (&*key, value) {
        ("M3D", Value::Array(numbers)) => {
            let name = |index: usize| format!("m{}{}", index / 4, index % 4);
            numbers.into_iter().enumerate().map(|(index, number)| (name(index), number)).collect()
        }
        ("ST" | "M" | "LT", Value::String(word)) => spelled(&word).unwrap_or(word).into(),
        ("LP", Value::String(word)) => if word == "SF" { "singleframe" } else { "loop" }.into(),
        (_, value) => long(value),
    };
    let key = if key == "LP" { "loop".to_owned() } else { spelled(&key).unwrap_or(key) };
    (key, value)
}
