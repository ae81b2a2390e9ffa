//! What `convert`, `pack` and `unpack` print with `--json`: `pchr.written/1`. Keys are sorted because the fields are.

use schemars::JsonSchema;
use serde::Serialize;

use super::Job;
use crate::cli::shared::json_error::JsonError;
use crate::cli::shared::json_output::{JsonOutput, Warning};
use crate::convert;
use crate::diagnostics::Diagnostics;
use crate::error::Fault;

/// The written files, in the order of the command line.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Written {
    /// Files that could not be read or written, with `--keep-going`; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<JsonError>,
    /// One entry for each input file that was read and written.
    pub files: Vec<WrittenFile>,
    /// Name and version of this schema.
    #[schemars(extend("const" = Written::SCHEMA))]
    pub schema: &'static str,
    /// Files that were found in folders and that the command does not take; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<SkippedFile>,
}

impl JsonOutput for Written {
    const SCHEMA: &'static str = "pchr.written/1";
}

/// What was written for an input file.
#[derive(Debug, Serialize, JsonSchema)]
pub struct WrittenFile {
    /// Path of the input file as given, with `/`; `stdin` for standard input.
    pub file: String,
    /// Stored frames per second, if the conversion sampled them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fps: Option<u16>,
    /// Input format.
    pub from: &'static str,
    /// Everything that the output cannot represent; empty if nothing was lost.
    pub losses: Vec<Loss>,
    /// Paths of the written files, with `/`, the main file first. Images that existed with the same content are not
    /// listed.
    pub outputs: Vec<String>,
    /// Output format.
    pub to: &'static str,
    /// Warnings about the input file.
    pub warnings: Vec<Warning>,
    /// Largest error of a visible vertex in world pixels, if it was measured; see `pchr.loss/1`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worst_error_px: Option<f32>,
}

impl WrittenFile {
    /// What was written from a document, without sampling.
    pub fn of_document(
        job: &Job,
        [from, to]: [&'static str; 2],
        losses: Vec<Fault>,
        outputs: Vec<String>,
        diagnostics: &Diagnostics,
    ) -> Self {
        let (file, losses) = (job.input.json_name(), losses.into_iter().map(Loss::from).collect());
        let warnings = warnings(diagnostics);
        Self { file, fps: None, from, losses, outputs, to, warnings, worst_error_px: None }
    }
}

/// A file that was not read.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SkippedFile {
    /// Path of the file, with `/`.
    pub file: String,
    /// The reason.
    pub message: String,
}

/// Something that was lost.
#[derive(Debug, Clone, Serialize, JsonSchema)]
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

impl From<convert::Loss> for Loss {
    fn from(loss: convert::Loss) -> Self {
        let convert::Loss { code, path, message, animation, mesh, error_px, frame } = loss;
        Self { animation, code, error_px, frame, mesh, message, path }
    }
}

impl From<Fault> for Loss {
    fn from(Fault { code, place, message }: Fault) -> Self {
        Self { animation: None, code, error_px: None, frame: None, mesh: None, message, path: place.path }
    }
}

/// Returns the warnings about a file.
pub fn warnings(diagnostics: &Diagnostics) -> Vec<Warning> {
    diagnostics.warnings().map(|fault| Warning { code: fault.code, message: fault.to_string() }).collect()
}
