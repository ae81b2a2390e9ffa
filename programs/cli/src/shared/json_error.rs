//! `pchr.error/1`: the shape of every error in JSON. A failing command with `--json` prints one to stdout instead of its
//! document; documents list one for each file that failed.
//!
//! stderr gets the message as text, as without `--json`.

use std::path::{MAIN_SEPARATOR, Path};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::failure::Failure;
use super::json_output::{self, JsonOutput};
use super::stdio::json_name;
use pchr::error::Place;

/// The reason why a command failed, or why it failed for one of its files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JsonError {
    /// Path of the character, with `/`; only in results of a comparison with references.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub character: Option<String>,
    /// Stable name of the reason. `usage`: the command line is invalid. `no-adapter`: no usable graphics adapter.
    /// `bug`: the program panicked. All others are codes of errors in files.
    pub code: String,
    /// Exit code that this failure alone would cause.
    pub exit_code: u8,
    /// Path of the input file that failed as given, with `/`; `stdin` for standard input. Only in lists of failures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// How to fix it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// Position of the character in the run, from 0; only in results of a comparison with references.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<usize>,
    /// The message, with the place.
    pub message: String,
    /// Offset in bytes from the start of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    /// Path of the file at fault as given, with `/`; `stdin` for standard input, null if no file is at fault.
    pub path: Option<String>,
    /// Path inside that file, in the terms of the format.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Name and version of this schema.
    #[schemars(extend("const" = JsonError::SCHEMA))]
    pub schema: String,
}

impl JsonOutput for JsonError {
    const SCHEMA: &'static str = "pchr.error/1";
}

impl JsonError {
    /// The failure of one of several input files.
    pub fn of_file(failure: &Failure, file: &Path) -> Self {
        Self { file: Some(json_name(file)), ..Self::new(failure) }
    }

    /// The failure of a command.
    pub fn new(failure: &Failure) -> Self {
        let nowhere = Place::default();
        let place = failure.place().unwrap_or(&nowhere);
        Self {
            character: None,
            code: failure.code().to_owned(),
            exit_code: failure.exit_code(),
            file: None,
            help: failure.help(),
            index: None,
            message: failure.message(),
            offset: place.offset,
            path: place.file.as_ref().map(|file| file.replace(MAIN_SEPARATOR, "/")),
            place: Some(place.path.clone()).filter(|path| !path.is_empty()),
            schema: Self::SCHEMA.to_owned(),
        }
    }

    /// Prints it. Errors of stdout are ignored: stderr has the message.
    pub fn print(&self) {
        let _ = json_output::print(self);
    }
}
