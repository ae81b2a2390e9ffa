//! Sprite sheets: pictures one after the other in one picture, and what says where.
//!
//! Many ways to say it: Aseprite's JSON beside a picture and what other programs make of it, Egret's, Starling's XML,
//! property lists of cocos2d, an atlas of libGDX, the JSON packed into a `.sprsh` or inside a PNG, and a PNG alone with a
//! grid that the caller names. `text`, `starling`, `plist` and `gdx` find the fields, `parts` the pictures, `tags` and
//! `sequences` the animations, and `build` makes a character that is a flipbook.
//!
//! One pixel of the sheet is one world pixel, whatever `scale` it says. Where a frame has its origin (a slice called
//! `origin`, else `pivot` or `anchor`) is the world's origin, else its canvas's upper-left corner.

mod bplist;
mod build;
mod embedded;
mod frame;
mod gdx;
mod grid;
mod loose;
mod packed;
mod parts;
mod plist;
mod quad;
mod restate;
pub mod rewrite;
mod schema;
mod sequences;
mod starling;
mod tags;
mod text;
mod value;
mod write;
mod xml;

use super::table::Reader;
use super::{Input, ReadOptions};
use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result};
use crate::formats::detect::json::without_bom;
use crate::formats::detect::sheet::Kind;
use crate::formats::json::locate::locate;
use crate::limits::Budget;
use parts::{Dialect, Gathered};

pub use crate::formats::detect::sheet::resembles_sheet;
pub use crate::formats::grid::Grid;
pub(super) use build::{title, usual_ms};
pub use embedded::KEYWORD;
pub use packed::{Packed, header, read as read_packed};
pub use parts::{file_name, parts_of_sheet, picture_names};
pub use text::Text;
pub use write::{Duration, Frame, Page, Sheet, Tag};

/// The reader.
pub(super) const READER: Option<Reader> = Some(Reader { read: read_character, examine, as_sheet: None });

/// Frames and tags as a reader of another format finds them, and what makes a character of them.
pub(in crate::formats) mod frames {
    pub use super::build::build;
    pub use super::parts::{Gathered, Part, Picture};
    pub use super::schema::{Frame, Meta, Milliseconds, Name, Number, Rect, Repeat, Size, Tag};
}

pub(super) fn read_character(
    input: &Input<'_>,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Character> {
    let mut budget = Budget::new(&options.limits);
    let gathered = gather(input, options, &mut budget, diagnostics)?;
    build::build(&gathered, input.sidecars, options, &mut budget, diagnostics)
}

/// Everything that a file and those that it names say.
fn gather(
    input: &Input<'_>,
    options: &ReadOptions,
    budget: &mut Budget<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Gathered> {
    budget.check_file(input.bytes.len() as u64)?;
    let bytes = &input.bytes;
    let (root, dialect, inside) = match Kind::of(bytes) {
        Some(Kind::Packed) => {
            let packed = packed::read(bytes, diagnostics)?;
            (text::read(packed.text(), budget, diagnostics)?, Dialect::Json, Some(packed.image))
        }
        Some(Kind::Png) => match (options.grid, embedded::find(bytes)) {
            (Some(grid), _) => return grid::cut(bytes, grid, budget),
            (None, Some(text)) => {
                let image = crate::bytes::Block::new(bytes.clone(), 0);
                (text::read(text, budget, diagnostics)?, Dialect::Json, Some(image))
            }
            (None, None) => {
                let message = "a PNG alone does not say how large its frames are; `--grid WxH` does";
                return Err(Error::unsupported("png-without-grid", Place::at("PNG", 0), message));
            }
        },
        Some(Kind::Starling) => (starling::read(bytes, budget)?, Dialect::Starling, None),
        Some(Kind::Plist | Kind::BinaryPlist) => (plist::read(bytes, budget)?, Dialect::Plist, None),
        Some(Kind::Atlas) => (gdx::read(bytes, budget, diagnostics)?, Dialect::Atlas, None),
        Some(Kind::Json | Kind::Egret) | None => {
            (text::read(Text { bytes, offset: 0 }, budget, diagnostics)?, Dialect::Json, None)
        }
    };
    let mut gathered = parts::gather(root, dialect, inside, input.sidecars, budget, diagnostics)?;
    if let Some(path) = &options.atlas {
        gathered.use_picture(path)?;
    }
    Ok(gathered)
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
    let text = without_bom(bytes);
    let has_meta = || locate(text, &["/meta"])[0].as_ref().is_some_and(|meta| meta.is_exact);
    resembles_sheet(text) && (has_meta() || text::has_flat_frames(text))
}
