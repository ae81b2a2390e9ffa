//! Replaces the module of a disabled family of formats.

use super::table::Reader;

/// No reader.
pub(super) const READER: Option<Reader> = None;
