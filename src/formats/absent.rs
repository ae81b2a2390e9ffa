//! Stands in for a family of formats that this build has no reader for.

use super::table::Reader;

/// There is none.
pub(super) const READER: Option<Reader> = None;
