//! What a command with `--json` prints on stdout instead of its document when it fails: `pchr.error/1`.
//!
//! stderr has the same for people, as without `--json`.

use std::path::MAIN_SEPARATOR;

use schemars::JsonSchema;
use serde::Serialize;

use super::failure::Failure;
use super::json_output::{self, JsonOutput};
use crate::error::Place;

/// Why a command failed.
#[derive(Debug, Serialize, JsonSchema)]
pub struct JsonError {
    /// Stable name of the reason. `usage`: a mistake on the command line. `no-adapter`: nothing draws. `bug`: the program
    /// panicked. The others are those of errors in files.
    pub code: &'static str,
    /// The exit code of the command.
    pub exit_code: u8,
    /// What may help.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The reason in words, with the place.
    pub message: String,
    /// Bytes from the start of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    /// The path of the file at fault, as it was given, with `/`; `stdin` for standard input, null where no file is.
    pub path: Option<String>,
    /// The path inside that file, in the format's own words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The name and version of this schema.
    #[schemars(extend("const" = JsonError::SCHEMA))]
    pub schema: &'static str,
}

impl JsonOutput for JsonError {
    const SCHEMA: &'static str = "pchr.error/1";
}

impl JsonError {
    /// A mistake on the command line that clap found.
    pub fn usage(message: String, help: Option<String>) -> Self {
        Self { message, help, ..Self::new(&Failure::usage("")) }
    }

    fn new(failure: &Failure) -> Self {
        let nowhere = Place::default();
        let place = failure.place().unwrap_or(&nowhere);
        Self {
            code: failure.code(),
            exit_code: failure.exit_code(),
            help: failure.help(),
            message: failure.message(),
            offset: place.offset,
            path: place.file.as_ref().map(|file| file.replace(MAIN_SEPARATOR, "/")),
            place: Some(place.path.clone()).filter(|path| !path.is_empty()),
            schema: Self::SCHEMA,
        }
    }

    /// Prints it. Where stdout cannot be written, stderr has to do.
    pub fn print(&self) {
        let _ = json_output::print(self);
    }
}

/// Prints why a command with `--json` failed, unless its document has said so.
pub fn print(failure: &Failure) {
    if failure.is_told() {
        return;
    }
    JsonError::new(failure).print();
}
