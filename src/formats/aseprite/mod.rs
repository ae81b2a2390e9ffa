//! Aseprite files, `.aseprite` and `.ase`: frames of layers, flattened as in Aseprite.
//!
//! `read` parses the file, with a module for each type of chunk. `plan` determines which cels a frame draws,
//! `flatten` blends them, `pages` packs the visible parts, and `build` makes a flipbook character, as for sprite
//! sheets.
//!
//! One pixel of the canvas is one world pixel, and the upper-left corner of the canvas is the world origin.
//! Greyscale and indexed sprites are composed in RGBA, as in Aseprite. No other files are opened.

mod blend;
mod build;
mod flatten;
mod hsl;
mod pack;
mod pages;
mod pixels;
mod plan;
mod read;
mod schema;
#[cfg(feature = "convert")]
mod sheet;
mod unpack;

use super::table::Reader;
use super::{Input, ReadOptions};
use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::error::Result;

#[cfg(feature = "convert")]
pub(super) use sheet::as_sheet;

/// The reader.
pub(super) const READER: Option<Reader> = Some(Reader {
    read: read_character,
    #[cfg(feature = "convert")]
    texts: |_, _, _| Ok(None),
});

pub(super) fn read_character(
    input: &Input<'_>,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Character> {
    let mut budget = options.budget();
    budget.check_file(input.bytes.len() as u64)?;
    let mut file = read::read(&input.bytes, &mut budget, diagnostics)?;
    file.show(&options.layers)?;
    let pages = pages::pages(&file, pack::suitable_side, &mut budget)?;
    build::character(&file, pages, input.sidecars, options, &mut budget, diagnostics)
}
