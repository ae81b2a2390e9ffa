//! `--loss-report`: what a conversion lost, as JSON.

use std::path::Path;

use serde::Serialize;

use crate::cli::shared::json_output::JsonOutput;
use crate::cli::shared::stdio::portable;
use crate::convert::{self, Converted};

/// What a conversion lost: `pchr.loss/1`.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct LossReport {
    /// Frames a second that are stored; where they were sampled for this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fps: Option<u16>,
    /// What was read.
    pub from: &'static str,
    /// The path of the input as it was given, with `/`.
    pub input: String,
    /// Everything that the output cannot say; empty where nothing was lost.
    pub losses: Vec<Loss>,
    /// Which form this report has.
    #[schemars(extend("const" = LossReport::SCHEMA))]
    pub schema: &'static str,
    /// What was written.
    pub to: &'static str,
    /// By how many world pixels the worst vertex is off that is drawn in a stored frame; where they were sampled for
    /// this, or made keys of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worst_error_px: Option<f32>,
}

/// One thing that was lost.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Loss {
    /// The animation that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub animation: Option<String>,
    /// Stable name of the kind of loss.
    pub code: &'static str,
    /// By how many world pixels vertices are off at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_px: Option<f32>,
    /// The stored frame where they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame: Option<u32>,
    /// The mesh of the output that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh: Option<String>,
    /// What it was and what became of it.
    pub message: String,
    /// Where it stands in the input, in the words of its format.
    pub path: String,
}

impl JsonOutput for LossReport {
    const SCHEMA: &'static str = "pchr.loss/1";
}

impl LossReport {
    /// Of the conversion of the file at `input`.
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
