//! The JSON of Spine 3.8, and of 3.0 to 3.7, with its pictures in an atlas or loose.
//!
//! `read` finds the fields, `legacy` turns older forms into those of 3.6, `build` checks what they mean and makes a
//! [`Character`]. All play by the rules of 3.8. Binary skeletons and other versions are refused by name.

mod atlas_names;
mod build;
mod find_atlas;
mod legacy;
mod lint;
mod read;
mod schema;
mod version;
pub mod write;

use super::table::Reader;
use super::{Input, ReadOptions};
use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::error::Result;
use crate::limits::Budget;

pub use super::detect::spine::{kind, may_be, score, version};

/// The reader.
pub(super) const READER: Option<Reader> = Some(Reader { read: read_character, examine, as_sheet: None });

/// Reads a character with the pictures that lie beside it.
pub fn read_character(
    input: &Input<'_>,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Character> {
    let mut budget = Budget::new(&options.limits);
    let root = read::read(&input.bytes, &budget, diagnostics)?;
    build::build(&root, input, options, &mut budget, diagnostics)
}

/// Looks for everything that is wrong or odd, where [`read_character`] stops at the first error.
pub(super) fn examine(input: &Input<'_>, options: &ReadOptions, diagnostics: &mut Diagnostics) -> Result<()> {
    let mut budget = Budget::new(&options.limits);
    let root = match read::read(&input.bytes, &budget, diagnostics) {
        Ok(root) => root,
        // Where the fields are not found nothing more can be said.
        Err(error) => return diagnostics.refuse_last(error),
    };
    match build::check(&root, input, options, &mut budget, diagnostics) {
        Ok(Some(checked)) => {
            let build::Checked { builder, attached, .. } = checked;
            lint::lint(&root, &builder.build(), &attached, diagnostics);
            Ok(())
        }
        // With errors it is not known what was meant.
        Ok(None) => Ok(()),
        Err(error) => diagnostics.refuse_last(error),
    }
}
