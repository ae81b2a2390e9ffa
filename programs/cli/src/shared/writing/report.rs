//! What `convert`, `pack` and `unpack` print with `--json`: `pchr.written/1`. Keys are sorted because the fields are.

use schemars::JsonSchema;
use serde::Serialize;

use super::Job;
use crate::shared::json_error::JsonError;
use crate::shared::json_output::JsonOutput;
use crate::shared::stdio::json_name;
use pchr::diagnostics::{Diagnostics, Severity, Warning};
use pchr::formats::Loss;

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
    /// Errors in parts of animations, which are left out; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<Warning>,
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
    pub fn new(
        job: &Job,
        [from, to]: [&'static str; 2],
        losses: Vec<Loss>,
        outputs: Vec<String>,
        diagnostics: &Diagnostics,
    ) -> Self {
        let (errors, warnings) =
            (diagnostics.described(Severity::Error), diagnostics.described(Severity::Warning));
        let file = json_name(&job.input.path);
        Self { errors, file, fps: None, from, losses, outputs, to, warnings, worst_error_px: None }
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
