//! `--loss-report`: the losses of a conversion as JSON.

use std::path::Path;

use serde::Serialize;

use crate::shared::json_output::JsonOutput;
use crate::shared::stdio::portable;
use pchr::convert::Converted;
use pchr::formats::Loss;

/// The losses of a conversion: `pchr.loss/1`.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct LossReport {
    /// Stored frames per second, if the conversion sampled them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fps: Option<u16>,
    /// Input format.
    pub from: &'static str,
    /// Path of the input as given, with `/`.
    pub input: String,
    /// Everything that the output cannot represent; empty if nothing was lost.
    pub losses: Vec<Loss>,
    /// Name and version of this schema.
    #[schemars(extend("const" = LossReport::SCHEMA))]
    pub schema: &'static str,
    /// Output format.
    pub to: &'static str,
    /// Largest error of a visible vertex in any stored frame, in world pixels, if frames were sampled or converted
    /// to keys, or at any 60th of a second, if a Spine file kept its keys. Absent if it was not measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worst_error_px: Option<f32>,
}

impl JsonOutput for LossReport {
    const SCHEMA: &'static str = "pchr.loss/1";
}

impl LossReport {
    /// Creates the report on the conversion of the file at `input`.
    pub fn new(converted: Converted, input: &Path) -> Self {
        Self {
            fps: converted.fps,
            from: converted.from.name,
            input: portable(input),
            losses: converted.losses,
            schema: Self::SCHEMA,
            to: converted.to.name,
            worst_error_px: converted.worst_error_px,
        }
    }
}
