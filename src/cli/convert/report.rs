//! `--loss-report`: the losses of a conversion as JSON.

use std::path::Path;

use serde::Serialize;

use crate::cli::shared::json_output::JsonOutput;
use crate::cli::shared::stdio::portable;
use crate::convert::{self, Converted};

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

/// Something that was lost.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Loss {
    /// Affected animation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub animation: Option<String>,
    /// Stable name of the kind of loss.
    pub code: &'static str,
    /// Largest vertex error in world pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_px: Option<f32>,
    /// Stored frame with the largest error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame: Option<u32>,
    /// Affected mesh of the output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh: Option<String>,
    /// What was lost and what replaces it.
    pub message: String,
    /// Path in the input, in the terms of its format.
    pub path: String,
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
            losses: converted.losses.into_iter().map(Loss::from).collect(),
            schema: Self::SCHEMA,
            to: converted.to.name,
            worst_error_px: converted.worst_error_px,
        }
    }
}

impl From<convert::Loss> for Loss {
    fn from(loss: convert::Loss) -> Self {
        let convert::Loss { code, path, message, animation, mesh, error_px, frame } = loss;
        Self { animation, code, error_px, frame, mesh, message, path }
    }
}
