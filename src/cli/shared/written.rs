//! Writes a set of files to a folder, and reports why it cannot be written.

use super::failure::Failure;
use crate::convert::{Files, Place, WriteError};

/// Writes all files or none.
pub fn write_files(files: &Files, place: &Place<'_>) -> Result<(), Failure> {
    files.write_into(place).map(drop).map_err(|error| match error {
        WriteError::IsSource(_) => Failure::usage(error.to_string()),
        WriteError::Exists { error, .. } | WriteError::Output(error) => Failure::Output(error),
    })
}
