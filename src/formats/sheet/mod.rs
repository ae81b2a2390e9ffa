//! Sprite sheets: pictures one after the other in one picture, and what says where.
//!
//! Four ways to say it: Aseprite's JSON beside a PNG and what other programs make of it, both packed into a
//! `.sprsh`, a PNG with that JSON inside, and a PNG alone with a grid that the caller names. `text` finds the fields,
//! `parts` the pictures, `tags` the animations, and `build` makes a character that is a flipbook.
//!
//! One pixel of the sheet is one world pixel, whatever `scale` it says. Where a frame has its origin (a slice called
//! `origin`, else `pivot` or `anchor`) is the world's origin, else its canvas's upper-left corner.

mod build;
mod embedded;
mod grid;
mod packed;
mod parts;
mod quad;
pub mod rewrite;
mod schema;
mod tags;
mod text;
mod write;

use super::{Input, ReadOptions};
use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result};
use crate::formats::image::PNG_SIGNATURE;
use crate::formats::{json_text, pchr};
use crate::limits::Budget;

pub(super) use build::{title, usual_ms};
pub use embedded::KEYWORD;
pub use grid::Grid;
pub use packed::{Packed, header, read as read_packed};
pub use parts::{file_name, picture_names};
pub use text::{Text, resembles_sheet};
pub use write::{Duration, Frame, Page, Sheet, Tag};

/// Frames and tags as a reader of another format finds them, and what makes a character of them.
pub(in crate::formats) mod frames {
    pub use super::build::build;
    pub use super::parts::{Gathered, Part, Picture};
    pub use super::schema::{Frame, Meta, Milliseconds, Name, Number, Rect, Repeat, Size, Tag};
}

/// Which of them a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Json,
    Packed,
    Png,
}

impl Kind {
    /// Told from the first bytes of a file or from all of it; `None` where it is no sheet.
    fn of(bytes: &[u8]) -> Option<Self> {
        let begins_as = |magic: &[u8]| !bytes.is_empty() && bytes.iter().zip(magic).all(|(a, b)| a == b);
        if begins_as(&packed::MAGIC) {
            Some(Self::Packed)
        } else if begins_as(&PNG_SIGNATURE) {
            Some(Self::Png)
        } else if pchr::json::is_json(bytes) && resembles_sheet(bytes) {
            Some(Self::Json)
        } else {
            None
        }
    }
}

/// Sure where the first bytes or the keys of the JSON are a sheet's.
pub(super) fn score(bytes: &[u8]) -> u8 {
    match Kind::of(bytes) {
        Some(Kind::Packed | Kind::Png) => 90,
        // Pixi's `animations` look like those of other characters; `frames` nobody else has out there.
        Some(Kind::Json) => 70,
        None => 0,
    }
}

/// What people call it.
pub(super) fn kind(bytes: &[u8]) -> &'static str {
    match Kind::of(bytes) {
        Some(Kind::Packed) => "packed sprite sheet",
        Some(Kind::Png) => "sprite sheet (PNG)",
        Some(Kind::Json) | None => "sprite sheet (JSON)",
    }
}

pub(super) fn read_character(
    input: &Input<'_>,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Character> {
    let mut budget = Budget::new(&options.limits);
    budget.check_file(input.bytes.len() as u64)?;
    let gathered = match Kind::of(&input.bytes) {
        Some(Kind::Packed) => {
            let packed = packed::read(&input.bytes, diagnostics)?;
            let root = text::read(packed.text(), &mut budget, diagnostics)?;
            parts::gather(root, Some(packed.image), input.sidecars, &mut budget, diagnostics)?
        }
        Some(Kind::Png) => match (options.grid, embedded::find(&input.bytes)) {
            (Some(grid), _) => grid::cut(&input.bytes, grid, &mut budget)?,
            (None, Some(text)) => {
                let root = text::read(text, &mut budget, diagnostics)?;
                let image = crate::bytes::Block::new(input.bytes.clone(), 0);
                parts::gather(root, Some(image), input.sidecars, &mut budget, diagnostics)?
            }
            (None, None) => {
                let message = "a PNG alone does not say how large its frames are; `--grid WxH` does";
                return Err(Error::unsupported("png-without-grid", Place::at("PNG", 0), message));
            }
        },
        Some(Kind::Json) | None => {
            let text = Text { bytes: &input.bytes, offset: 0 };
            let root = text::read(text, &mut budget, diagnostics)?;
            parts::gather(root, None, input.sidecars, &mut budget, diagnostics)?
        }
    };
    build::build(&gathered, input.sidecars, options.fps, &mut budget, diagnostics)
}

/// Looks for everything that is wrong or odd; what ends the reading is the last of it.
pub(super) fn examine(input: &Input<'_>, options: &ReadOptions, diagnostics: &mut Diagnostics) -> Result<()> {
    match read_character(input, options, diagnostics) {
        Ok(_) => Ok(()),
        Err(error) => diagnostics.refuse_last(error),
    }
}

/// Whether the text of a sheet stands alone, its picture beside it.
pub fn is_text(bytes: &[u8]) -> bool {
    Kind::of(bytes) == Some(Kind::Json)
}

/// Whether JSON that somebody left in a folder is a sheet: its frames and what is said of all of them are there.
pub fn is_sheet_json(bytes: &[u8]) -> bool {
    let text = json_text::without_bom(bytes);
    resembles_sheet(text) && pchr::json::locate(text, &["/meta"])[0].as_ref().is_some_and(|meta| meta.is_exact)
}
