//! Replaces the module of a disabled family of formats.

use super::table::Reader;
use super::{Input, ReadOptions};
use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::error::Result;

/// No reader.
pub(super) const READER: Option<Reader> = None;

/// Examines nothing; a file without a reader is refused before.
#[allow(dead_code, reason = "not every family examines its files")]
pub(super) fn examine(_: &Input<'_>, _: &ReadOptions, _: &mut Diagnostics) -> Result<Option<Character>> {
    Ok(None)
}
