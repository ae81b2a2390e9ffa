//! The lamp as a skeleton of Spine 4.3: the higher it is lifted, the brighter is its bulb and the nearer comes the moth.

use std::error::Error;

use serde_json::{Value, json};

use super::converted;

/// Height of the lamp's hold when it ducks, in pixels, and how much higher it gets in a hop.
const LOW: f64 = 66.0;
const RISE: f64 = 36.0;

/// Returns the skeleton of Spine 4.2 as JSON of 4.3, with two sliders and a property that drives another one.
pub fn with_sliders(skeleton: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut lamp: Value = serde_json::from_slice(&converted(skeleton, "spine43")?)?;
    let constraints = lamp["constraints"].as_array_mut().ok_or("the lamp has constraints")?;
    let to = json!({ "rotate": { "max": 40, "scale": 1.1 } });
    constraints.push(json!({
        "type": "transform", "name": "tilt", "source": "hold", "bones": ["moth"],
        "localSource": true, "localTarget": true, "additive": true, "clamp": true,
        "properties": { "y": { "offset": LOW, "to": to } }
    }));
    for (name, mix) in [("dim", 0.8), ("lure", 1.0)] {
        constraints.push(json!({
            "type": "slider", "name": name, "animation": name, "additive": name == "lure", "mix": mix,
            "bone": "hold", "property": "y", "local": true, "from": LOW, "scale": 1.0 / RISE, "max": 1
        }));
    }
    let rgb = json!([{ "color": "5a4a44" }, { "time": 1, "color": "ffffff" }]);
    lamp["animations"]["dim"] = json!({ "slots": { "bulb": { "rgb": rgb } } });
    let translate = json!([{}, { "time": 1, "x": -24, "y": -12 }]);
    lamp["animations"]["lure"] = json!({ "bones": { "moth": { "translate": translate } } });
    Ok(serde_json::to_vec(&lamp)?)
}
