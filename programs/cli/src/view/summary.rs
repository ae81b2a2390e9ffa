//! What `--json` prints after rendering: `pchr.render/1`. Keys are sorted. Only the name of the backend differs
//! between machines.

use schemars::JsonSchema;
use serde::Serialize;

use super::loaded::Loaded;
use super::plan::Job;
use crate::shared::json_error::JsonError;
use crate::shared::json_output::JsonOutput;
use crate::shared::stdio::portable;
use pchr::diagnostics::{Severity, Warning};
use pchr::math::Vec2;

/// The rendered pictures, in the order of the command line.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Summary {
    /// Files that could not be read, drawn or written (with `--keep-going`), and files with an animation in which
    /// nothing is visible (with `--fail-on-empty`); absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<JsonError>,
    /// One entry for each file that was rendered.
    pub renders: Vec<Render>,
    /// Name and version of this schema.
    #[schemars(extend("const" = Summary::SCHEMA))]
    pub schema: &'static str,
}

impl JsonOutput for Summary {
    const SCHEMA: &'static str = "pchr.render/1";
}

/// The pictures rendered from one file.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Render {
    /// `cpu`, the graphics API, or `none` if nothing was drawn.
    pub backend: String,
    /// Errors in parts of animations, which are left out; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<Warning>,
    /// Path of the character as given, with `/`.
    pub file: String,
    /// One entry per picture.
    pub frames: Vec<Frame>,
    /// Height in picture pixels.
    pub height: u32,
    /// Position of the world origin in picture pixels, from the upper-left corner.
    pub origin: [f32; 2],
    /// Picture pixels per world pixel.
    pub scale: f32,
    /// Visible world rectangle: left, bottom, width and height, y up.
    pub view: [f32; 4],
    /// Warnings about the file.
    pub warnings: Vec<Warning>,
    /// Width in picture pixels.
    pub width: u32,
}

/// A picture.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Frame {
    /// Name of the animation; null for the bind pose.
    pub animation: Option<String>,
    /// Path of the output file; absent if nothing was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Stored frame.
    pub frame: u32,
    /// Index of the picture in this run, from 0.
    pub index: usize,
    /// Time since the first frame in seconds; absent for animations without a rate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

impl Summary {
    /// Creates the summary of `jobs`.
    pub fn new(failures: Vec<JsonError>, jobs: Vec<Job>) -> Self {
        let renders = jobs.into_iter().filter(|job| !job.is_failed).filter_map(|job| job.render).collect();
        Self { failures, renders, schema: Self::SCHEMA }
    }
}

impl Render {
    /// `index` is the number of the first picture in the run. Nothing has been drawn yet.
    pub fn of(loaded: &Loaded, index: usize) -> Self {
        let model = loaded.character.model();
        let frames = loaded.plan.pictures.iter().zip(index..).map(|(picture, index)| {
            let animation = picture.animation.map(|id| model.animation(id));
            Frame {
                animation: animation.map(|animation| animation.name.clone()),
                file: picture.path.as_deref().map(portable),
                frame: picture.frame,
                index,
                seconds: picture.seconds(model),
            }
        });
        let mut warnings = loaded.diagnostics.described(Severity::Warning);
        warnings.extend(loaded.left_out().map(|message| Warning { code: "parts-left-out", message }));
        let view = &loaded.plan.view;
        let (world, origin) = (view.world(), view.pixel_from_world(Vec2::ZERO));
        Self {
            backend: "none".to_owned(),
            errors: loaded.diagnostics.described(Severity::Error),
            file: portable(&loaded.file),
            frames: frames.collect(),
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

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(scale: f32) -> Summary {
        let frame =
            Frame { animation: None, file: Some("a.png".to_owned()), frame: 0, index: 0, seconds: Some(0.0) };
        let warning = Warning { code: "odd", message: "so".to_owned() };
        let render = Render {
            backend: "cpu".to_owned(),
            errors: Vec::new(),
            file: "a.pchr".to_owned(),
            frames: vec![frame],
            height: 8,
            origin: [0.0, 8.0],
            scale,
            view: [0.0, 0.0, 8.0, 8.0],
            warnings: vec![warning],
            width: 8,
        };
        Summary { failures: Vec::new(), renders: vec![render], schema: Summary::SCHEMA }
    }

    #[test]
    fn keys_are_sorted_and_numbers_are_short() {
        let whole = summary(1.0);
        // A `Value` sorts its keys.
        let sorted = serde_json::to_value(&whole).unwrap();
        assert_eq!(whole.to_text().unwrap(), serde_json::to_string_pretty(&sorted).unwrap());
        assert!(summary(0.1).to_text().unwrap().contains("\"scale\": 0.1,"));
    }
}
