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
mod sheet;
mod unpack;

use super::table::{AsSheet, Reader};
use super::{Input, ReadOptions};
use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::error::Result;
use crate::limits::Budget;

/// The reader.
pub(super) const READER: Option<Reader> = Some(Reader { read: read_character, examine, as_sheet: Some(as_sheet) });

pub(super) fn read_character(
    input: &Input<'_>,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Character> {
    let mut budget = options.budget();
    budget.check_file(input.bytes.len() as u64)?;
    let file = read::read(&input.bytes, &mut budget, diagnostics)?;
    let pages = pages::pages(&file, pages::Size::Suitable, &mut budget)?;
    build::character(&file, pages, input.sidecars, options, &mut budget, diagnostics)
}

/// Converts the file to a sprite sheet with as few pages as possible.
fn as_sheet(input: &Input<'_>, options: &ReadOptions, budget: &mut Budget<'_>) -> Result<AsSheet> {
    let file = read::read(&input.bytes, budget, &mut Diagnostics::default())?;
    let pages = pages::pages(&file, pages::Size::Largest, budget)?;
    let title = super::sheet::title(input.sidecars.own_name().unwrap_or_default());
    let flat = sheet::describe(&file, &pages, &title, super::sheet::usual_ms(options.fps), budget)?;
    let pages = flat.pictures.into_iter().enumerate();
    Ok(AsSheet {
        pages: pages.map(|(page, picture)| (flat.sheet.json(page), picture.into())).collect(),
        pixel: flat.pixel,
        rounded: flat.rounded,
    })
}

/// Collects all findings.
pub(super) fn examine(input: &Input<'_>, options: &ReadOptions, diagnostics: &mut Diagnostics) -> Result<()> {
    read_character(input, options, diagnostics).map(drop)
}
