//! What replaces the table of formats in the module for Spine alone: the table contains the reader of PCHR.

use pchr::diagnostics::Diagnostics;
use pchr::error::Place;
use pchr::formats::{Input, ReadOptions, spine};
use pchr::{Character, Error, Result};

pub use spine::kind as format_name;

/// Reads a file of Spine. For other files, the page loads the module with all formats.
pub fn from_input(input: &Input<'_>, options: &ReadOptions, diagnostics: &mut Diagnostics) -> Result<Character> {
    if format_name(&input.bytes).is_some() {
        return spine::read_character(input, options, diagnostics);
    }
    Err(Error::unsupported("no-reader", Place::default(), "this player only plays Spine"))
}
