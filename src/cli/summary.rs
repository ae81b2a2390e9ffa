//! What `--json` prints after rendering: `pchr.render/1`. Keys are sorted, nothing in it changes from
//! run to run or from machine to machine but the backend's name.

use std::path::{Component, Path};

use serde::Serialize;

use crate::draw::View;
use crate::math::Vec2;

/// The whole answer.
#[derive(Debug, Serialize)]
pub struct Summary {
    pub renders: Vec<Render>,
    pub schema: &'static str,
}

/// Everything rendered from one file.
#[derive(Debug, Serialize)]
pub struct Render {
    /// `cpu`, the driver interface, or `none` where nothing was drawn.
    pub backend: String,
    pub file: String,
    pub frames: Vec<Frame>,
    pub height: u32,
    /// Where the world's origin is, in picture pixels from the upper-left corner.
    pub origin: [f32; 2],
    /// Picture pixels to a world pixel.
    pub scale: f32,
    /// The world rectangle shown: its lower-left corner, width and height, y up.
    pub view: [f32; 4],
    pub warnings: Vec<Warning>,
    pub width: u32,
}

/// One picture.
#[derive(Debug, Serialize)]
pub struct Frame {
    pub animation: Option<String>,
    /// Where it was written; absent where nothing was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    pub frame: u32,
    pub index: usize,
    /// Seconds from the first frame; absent for animations without a rate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// Something odd in the file.
#[derive(Debug, Serialize)]
pub struct Warning {
    pub code: &'static str,
    pub message: String,
}

impl Summary {
    pub const SCHEMA: &'static str = "pchr.render/1";

    /// As text. Its keys are sorted because the fields are: a `Value` would sort them, and print every
    /// `f32` with the digits of an `f64`.
    pub fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self)
    }
}

/// JSON as every command prints it: a line for each value. Types have their fields in the order of their names.
pub fn to_sorted_json(value: &impl Serialize) -> serde_json::Result<String> {
    serde_json::to_string_pretty(value).map(|text| text + "\n")
}

impl Render {
    pub fn new(backend: String, file: &Path, view: &View, frames: Vec<Frame>, warnings: Vec<Warning>) -> Self {
        let (world, origin) = (view.world(), view.pixel_from_world(Vec2::ZERO));
        Self {
            backend,
            file: portable(file),
            frames,
            height: view.height(),
            // Adding 0 turns -0 into 0.
            origin: [origin.x + 0.0, origin.y + 0.0],
            scale: view.scale(),
            view: [world.min.x, world.min.y, world.size().x, world.size().y],
            warnings,
            width: view.width(),
        }
    }
}

/// A path as it was given, with `/`; of an absolute one only the name, so that the answer does not
/// depend on the machine.
pub fn portable(path: &Path) -> String {
    let absolute = path.is_absolute() || matches!(path.components().next(), Some(Component::Prefix(_)));
    let shown = if absolute { Path::new(path.file_name().unwrap_or_default()) } else { path };
    shown.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::vec2;

    fn summary(scale: f32) -> Summary {
        let frame =
            Frame { animation: None, file: Some("a.png".to_owned()), frame: 0, index: 0, seconds: Some(0.0) };
        let warning = Warning { code: "odd", message: "so".to_owned() };
        let view = View::new(8, 8, vec2(0.0, 8.0), scale);
        let render = Render::new("cpu".to_owned(), Path::new("a.pchr"), &view, vec![frame], vec![warning]);
        Summary { renders: vec![render], schema: Summary::SCHEMA }
    }

    #[test]
    fn keys_are_sorted_and_numbers_short() {
        let whole = summary(1.0);
        // A `Value` sorts its keys.
        let sorted = serde_json::to_value(&whole).unwrap();
        assert_eq!(whole.to_json().unwrap(), serde_json::to_string_pretty(&sorted).unwrap());
        assert!(summary(0.1).to_json().unwrap().contains("\"scale\": 0.1,"));
    }
}
