//! What a failing command with `--json` prints to stdout instead of its document: `pchr.error/1`.
//!
//! stderr gets the message as text, as without `--json`.

use std::path::MAIN_SEPARATOR;

use schemars::JsonSchema;
use serde::Serialize;

use super::failure::Failure;
use super::json_output::{self, JsonOutput};
use crate::error::Place;

/// The reason why a command failed.
#[derive(Debug, Serialize, JsonSchema)]
pub struct JsonError {
    /// Stable name of the reason. `usage`: the command line is invalid. `no-adapter`: no usable graphics adapter.
    /// `bug`: the program panicked. All others are codes of errors in files.
    pub code: &'static str,
    /// Exit code of the command.
    pub exit_code: u8,
    /// A hint how to fix it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The message, with the place.
    pub message: String,
    /// Offset in bytes from the start of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    /// Path of the file at fault as given, with `/`; `stdin` for standard input, null if no file is at fault.
    pub path: Option<String>,
    /// Path inside that file, in the terms of the format.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Name and version of this schema.
    #[schemars(extend("const" = JsonError::SCHEMA))]
    pub schema: &'static str,
}

impl JsonOutput for JsonError {
    const SCHEMA: &'static str = "pchr.error/1";
}

impl JsonError {
    /// An invalid command line, as reported by clap.
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

    /// Prints it. Errors of stdout are ignored: stderr has the message.
    pub fn print(&self) {
        let _ = json_output::print(self);
    }
}

/// Prints why a command with `--json` failed, unless its document already contains it.
pub fn print(failure: &Failure) {
    if failure.is_reported() {
        return;
    }
    JsonError::new(failure).print();
}
