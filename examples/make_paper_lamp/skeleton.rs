//! The lamp as a skeleton of Spine 4.2, with a pull cord that swings and a moth whose pictures are a sequence.
//!
//! The lamp itself moves as in `paper-lamp.json`, which is Spine 3.8.

use std::f64::consts::TAU;

use super::guests::{CORD, MOTH, SPREADS};

/// One or more values at a time in seconds, and the curve to the next key: two control points, 0 to 1 in time and
/// value, as Spine 3.8 stores them.
type Key<'a> = (f64, &'a [f64], Option<[f64; 4]>);

/// Slow at both ends.
const EASE: Option<[f64; 4]> = Some([0.4, 0.0, 0.6, 1.0]);

const HEAD: &str = r#"{
"skeleton": { "spine": "4.2.43", "x": -60, "y": -4, "width": 170, "height": 150, "fps": 24, "images": "", "audio": "" },
"bones": [
	{ "name": "root" },
	{ "name": "base", "parent": "root" },
	{ "name": "lower", "parent": "base", "length": 56, "y": 12, "rotation": 120 },
	{ "name": "upper", "parent": "lower", "length": 56, "x": 56, "rotation": -80 },
	{ "name": "head", "parent": "upper", "length": 30, "x": 56, "rotation": -60 },
	{ "name": "hold", "parent": "base", "x": 20, "y": 92 },
	{ "name": "mouse", "parent": "root", "x": 100, "y": 60 },
	{ "name": "cord", "parent": "head", "length": 34, "x": 22, "y": -18, "rotation": -90, "inherit": "onlyTranslation" },
	{ "name": "moth", "parent": "root", "x": 84, "y": 112 }
],
"slots": [
	{ "name": "lower", "bone": "lower", "attachment": "bar" },
	{ "name": "base", "bone": "base", "attachment": "base" },
	{ "name": "upper", "bone": "upper", "attachment": "bar" },
	{ "name": "bulb", "bone": "head", "attachment": "bulb" },
	{ "name": "cord", "bone": "cord", "attachment": "cord" },
	{ "name": "shade", "bone": "head", "attachment": "shade" },
	{ "name": "touch", "bone": "head", "attachment": "touch" },
	{ "name": "ray", "bone": "head", "attachment": "ray" },
	{ "name": "moth", "bone": "moth", "attachment": "moth" }
],
"ik": [
	{ "name": "arm", "order": 0, "bones": [ "lower", "upper" ], "target": "hold", "bendPositive": false },
	{ "name": "look", "order": 1, "bones": [ "head" ], "target": "mouse" }
],
"physics": [
	{ "name": "swing", "order": 2, "bone": "cord", "rotate": 1, "inertia": 0.7, "strength": 60, "damping": 0.9, "windGlobal": true }
],
"skins": [
	{ "name": "default", "attachments": {
		"base": { "base": { "y": 6, "width": 64, "height": 20 } },
		"lower": { "bar": { "x": 28, "width": 66, "height": 10 } },
		"upper": { "bar": { "x": 28, "width": 66, "height": 10 } },
		"bulb": { "bulb": { "x": 28, "width": 22, "height": 22 } },
		"shade": { "shade": { "path": "shade-red", "x": 8, "width": 48, "height": 56 } },
		"touch": { "touch": { "type": "boundingbox", "vertexCount": 4, "vertices": [ -16, -12, 32, -28, 32, 28, -16, 12 ] } },
		"ray": { "ray": { "type": "point", "x": 34 } },
"#;

/// Returns the skeleton as JSON.
pub fn skeleton() -> String {
    let ([cord_width, cord_height], [moth_width, moth_height]) = (CORD, MOTH);
    let (half, count) = (cord_height / 2.0, SPREADS.len());
    format!(
        r#"{HEAD}		"cord": {{ "cord": {{ "x": {half}, "rotation": 90, "width": {cord_width}, "height": {cord_height} }} }},
		"moth": {{ "moth": {{ "width": {moth_width}, "height": {moth_height}, "sequence": {{ "count": {count}, "digits": 2 }} }} }}
	}} }},
	{{ "name": "blue", "attachments": {{
		"shade": {{ "shade": {{ "path": "shade-blue", "x": 8, "width": 48, "height": 56 }} }}
	}} }}
],
"events": {{ "jump": {{}}, "land": {{ "int": 1 }} }},
"animations": {{
{},
{}
}}
}}
"#,
        idle(),
        hop()
    )
}

/// The moth circles, the bulb flickers, and a gust moves the cord.
fn idle() -> String {
    let hold =
        keys(&["x", "y"], 0.0, &[(0.0, &[0.0, 0.0], EASE), (1.0, &[0.0, -6.0], EASE), (2.0, &[0.0, 0.0], None)]);
    let wind = keys(&["value"], 0.0, &[(0.25, &[0.0], EASE), (0.75, &[90.0], EASE), (1.25, &[0.0], None)]);
    let (x, y) = (orbit(22.0, 2.0, 0), orbit(9.0, 2.0, 1));
    format!(
        r#"	"idle": {{
		"slots": {{
			"bulb": {{ "rgb": [ {{ "color": "ffffff" }}, {{ "time": 0.5, "color": "ffe9c4" }}, {{ "time": 0.6, "color": "ffffff" }} ] }}
		}},
		"bones": {{
			"hold": {{ "translate": {hold} }},
			"moth": {{ "translatex": {x}, "translatey": {y} }}
		}},
		"physics": {{ "swing": {{ "wind": {wind} }} }},
		"attachments": {{ "default": {{ "moth": {{ "moth": {{ "sequence": [ {{ "mode": "loop", "delay": 0.0625 }} ] }} }} }} }}
	}}"#
    )
}

/// The lamp jumps as in 3.8; the moth hides meanwhile.
fn hop() -> String {
    let jump = keys(
        &["x", "y"],
        0.0,
        &[
            (0.25, &[0.0, 0.0], Some([0.2, 0.6, 0.6, 1.0])),
            (0.45, &[0.0, 34.0], Some([0.4, 0.0, 0.8, 0.4])),
            (0.65, &[0.0, 0.0], None),
        ],
    );
    let squash = [
        (0.0, 1.0, 1.0),
        (0.2, 1.08, 0.9),
        (0.35, 0.96, 1.06),
        (0.65, 1.0, 1.0),
        (0.72, 1.06, 0.92),
        (0.9, 1.0, 1.0),
    ]
    .map(|(time, x, y)| (time, [x, y]));
    let squash = keys(&["x", "y"], 1.0, &squash.each_ref().map(|(time, values)| (*time, &values[..], None)));
    let hold =
        [(0.0, 0.0), (0.2, -26.0), (0.4, 10.0), (0.72, -16.0), (0.9, 0.0)].map(|(time, y)| (time, [0.0, y]));
    let hold = keys(&["x", "y"], 0.0, &hold.each_ref().map(|(time, values)| (*time, &values[..], None)));
    let alpha = keys(
        &["value"],
        f64::NAN,
        &[(0.0, &[1.0], EASE), (0.2, &[0.0], None), (0.7, &[0.0], EASE), (0.9, &[1.0], None)],
    );
    format!(
        r#"	"hop": {{
		"slots": {{ "moth": {{ "alpha": {alpha} }} }},
		"bones": {{
			"base": {{
				"translate": {jump},
				"scale": {squash}
			}},
			"hold": {{ "translate": {hold} }}
		}},
		"attachments": {{ "default": {{ "moth": {{ "moth": {{ "sequence": [ {{ "mode": "pingpong", "index": 1, "delay": 0.05 }} ] }} }} }} }},
		"events": [ {{ "time": 0.25, "name": "jump" }}, {{ "time": 0.65, "name": "land" }} ]
	}}"#
    )
}

/// Keys with these fields, whose default is `rest`. In Spine 4 curves are in seconds and values.
fn keys(fields: &[&str], rest: f64, keys: &[Key<'_>]) -> String {
    let mut listed = Vec::new();
    for (at, (time, values, curve)) in keys.iter().enumerate() {
        let mut parts = Vec::new();
        if *time != 0.0 {
            parts.push(format!("\"time\": {time}"));
        }
        let set = fields.iter().zip(*values).filter(|(_, value)| **value != rest);
        parts.extend(set.map(|(field, value)| format!("\"{field}\": {value}")));
        if let (Some([x1, y1, x2, y2]), Some((end, end_values, _))) = (curve, keys.get(at + 1)) {
            let along = |from: f64, to: f64, part: f64| number(from + (to - from) * part);
            let channel = |(from, to): (&f64, &f64)| {
                [along(*time, *end, *x1), along(*from, *to, *y1), along(*time, *end, *x2), along(*from, *to, *y2)]
            };
            let numbers: Vec<String> = values.iter().zip(*end_values).flat_map(channel).collect();
            parts.push(format!("\"curve\": [ {} ]", numbers.join(", ")));
        }
        listed.push(if parts.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", parts.join(", ")) });
    }
    format!("[ {} ]", listed.join(", "))
}

/// A cosine, ahead by a number of quarters: a key per quarter, with curves that have its slope at both ends.
fn orbit(radius: f64, period: f64, ahead: usize) -> String {
    const KEYS: usize = 4;
    const COSINES: [f64; KEYS] = [1.0, 0.0, -1.0, 0.0];
    let step = period / KEYS as f64;
    let cosine = |key: usize| COSINES[(key + ahead) % KEYS];
    let value = |key: usize| radius * cosine(key);
    // A cosine falls like the sine, which is a quarter behind.
    let rise = |key: usize| -radius * cosine(key + KEYS - 1) * TAU / period * step / 3.0;
    let key = |key: usize| {
        let time = key as f64 * step;
        let mut parts = Vec::new();
        if key > 0 {
            parts.push(format!("\"time\": {}", number(time)));
        }
        parts.push(format!("\"value\": {}", number(value(key))));
        if key < KEYS {
            let controls = [
                time + step / 3.0,
                value(key) + rise(key),
                time + step * 2.0 / 3.0,
                value(key + 1) - rise(key + 1),
            ];
            parts.push(format!("\"curve\": [ {} ]", controls.map(number).join(", ")));
        }
        format!("{{ {} }}", parts.join(", "))
    };
    format!("[ {} ]", (0..=KEYS).map(key).collect::<Vec<_>>().join(", "))
}

/// A number with at most four decimals.
fn number(value: f64) -> String {
    ((value * 1e4).round() / 1e4 + 0.0).to_string()
}
