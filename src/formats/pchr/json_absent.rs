//! Replaces `json` in builds without the feature `pachario`: JSON forms are recognised and refused.

use super::document::{Document, Kind};
use crate::diagnostics::Diagnostics;
use crate::error::Result;
use crate::formats::{Input, no_reader};
use crate::limits::Budget;

/// Refuses a file in a JSON form.
pub(super) fn read_form(kind: Kind, _: &Input<'_>, _: &mut Budget<'_>, _: &mut Diagnostics) -> Result<Document> {
    Err(no_reader(kind.name(), "pachario"))
}
