//! Why a call failed, as JSON.

use pchr::Error;
use pchr::error::{Fault, Place};
use serde::Serialize;

/// Why a call failed.
#[derive(Serialize)]
pub struct Failure {
    pub code: &'static str,
    pub path: String,
    pub file: Option<String>,
    pub offset: Option<u64>,
    pub message: String,
    /// Files that would be needed to say more.
    pub wanted: Vec<String>,
}

impl Failure {
    pub fn of(error: &Error) -> Self {
        let Place { file, path, offset } = error.place().cloned().unwrap_or_default();
        Self { code: error.code(), path, file, offset, message: error.to_string(), wanted: Vec::new() }
    }

    pub fn of_fault(fault: &Fault) -> Self {
        let Fault { code, place, message: _ } = fault;
        let Place { file, path, offset } = place.clone();
        Self { code, path, file, offset, message: fault.to_string(), wanted: Vec::new() }
    }
}
