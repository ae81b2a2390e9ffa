//! How much of a file has to be read.

use std::io::{Read, Seek, SeekFrom};

use super::document::Kind;
use super::read_outline;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Result};
use crate::formats::detect::pchr::{score, with_hint};
use crate::limits::{Budget, Limits};

/// Number of bytes needed to detect the form.
const HEAD: u64 = 17;

/// Length from which a file is only read if its parts fit into it. Reading a shorter one costs little, and finds more.
const LARGE: u64 = 16 << 20;

/// Returns how many bytes of a file of `len` bytes have to be read, [`u64::MAX`] for all: of a large v1 file, those up to
/// the last animation, and one more as evidence of others. `file` is at its start, before and after.
///
/// # Errors
///
/// Fails if it is a large v1 file whose parts do not fit into it.
pub fn used_bytes(file: &mut (impl Read + Seek), len: u64, limits: &Limits) -> Result<u64> {
    if len < LARGE {
        return Ok(u64::MAX);
    }
    let (head, mut diagnostics) = (head_of(file)?, Diagnostics::default());
    if Kind::of(&head, len) != Kind::V1 || score(&head) == 0 {
        return Ok(u64::MAX);
    }
    let outline = read_outline(&mut *file, len, &mut Budget::new(limits), &mut diagnostics);
    outline.map_err(|error| with_hint(error, &head, len))?;
    file.seek(SeekFrom::Start(0)).map_err(io)?;
    let rest = diagnostics.warnings().find(|warning| warning.code == "trailing-bytes");
    Ok(rest.and_then(|rest| rest.place.offset).map_or(u64::MAX, |end| end + 1))
}

/// Returns the bytes needed to detect the form of a file, which is at its start, before and after.
pub fn head_of(file: &mut (impl Read + Seek)) -> Result<Vec<u8>> {
    let mut head = Vec::new();
    file.by_ref().take(HEAD).read_to_end(&mut head).map_err(io)?;
    file.seek(SeekFrom::Start(0)).map_err(io)?;
    Ok(head)
}

/// The error of an operation on a file.
pub fn io(source: std::io::Error) -> Error {
    Error::Io { place: Box::default(), source }
}
