//! Sprite sheets: images with many frames, and their descriptions.
//!
//! Supported descriptions are Aseprite JSON and its variants, Egret JSON, Starling XML, cocos2d property lists,
//! libGDX atlases, sheets of Unity and Godot, characters of three engines, JSON packed into a `.sprsh` or embedded in a
//! PNG, and a plain PNG with a grid from the caller. `text`, `starling`, `plist`, `gdx`, `unity`, `godot` and
//! `character` read the fields, `parts` finds the images, `tags` and `sequences` the animations, and `build` makes a
//! flipbook character.
//!
//! One pixel of the sheet is one world pixel, regardless of `scale`. The origin of a frame (the pivot of a slice, preferably
//! of one named `origin`, or else `pivot` or `anchor`, or else the upper-left corner of its canvas) is at the world origin.

mod bplist;
mod build;
mod character;
#[cfg(feature = "convert")]
pub(crate) mod dialects;
mod embedded;
#[cfg(feature = "convert")]
mod entries;
#[cfg(feature = "formats-all")]
mod found;
mod frame;
mod gdx;
mod godot;
mod grid;
pub(crate) mod layers;
#[cfg(feature = "convert")]
mod loaded_once;
mod loose;
mod packed;
mod parts;
mod plist;
mod quad;
#[cfg(feature = "convert")]
mod restate;
#[cfg(feature = "convert")]
pub(crate) mod rewrite;
#[cfg(feature = "convert")]
mod sanitized;
mod schema;
mod sequences;
mod starling;
mod tags;
mod text;
mod unity;
mod value;
mod write;
mod xml;

#[cfg(feature = "convert")]
use super::keys::Texts;
use super::table::Reader;
use super::{Input, ReadOptions};
use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result};
use crate::formats::detect::sheet::Kind;
use crate::limits::Budget;
use parts::Dialect;
#[cfg(not(feature = "convert"))]
use parts::Gathered;

pub(crate) use crate::formats::detect::json::JsonText;
#[cfg(feature = "convert")]
pub(crate) use build::{origin_slice, title, usual_ms};
pub use embedded::KEYWORD;
#[cfg(feature = "formats-all")]
pub(crate) use found::is_sheet_json;
#[cfg(feature = "convert")]
pub(crate) use packed::write_parts;
pub use packed::{Packed, header, read as read_packed};
pub use parts::parts_of_sheet;
#[cfg(feature = "convert")]
pub(crate) use parts::picture_names;
#[cfg(feature = "convert")]
pub(crate) use parts::{Gathered, Part, Picture};
#[cfg(feature = "convert")]
pub(crate) use quad::{Quad, canvas_size, place};
#[cfg(feature = "convert")]
pub(crate) use schema::{Frame as StoredFrame, Number, Rect};
#[cfg(feature = "convert")]
pub(in crate::formats) use write::TEXT_BYTES;
pub use write::{Duration, Frame, Page, Sheet, Tag, unique_names};

/// The reader.
pub(super) const READER: Option<Reader> = Some(Reader {
    read: read_character,
    #[cfg(feature = "convert")]
    texts: stated_texts,
});

/// Types for readers of other formats that build a character from frames and tags.
#[cfg(feature = "aseprite")]
pub(in crate::formats) mod frames {
    pub use super::build::build;
    pub use super::parts::{Gathered, Part, Picture};
    pub use super::schema::{Frame, Meta, Milliseconds, Name, Number, ORDERS, Rect, Repeat, Size, Tag, direction};
}

pub(super) fn read_character(
    input: &Input<'_>,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Character> {
    #[cfg(feature = "animate")]
    if let Some(Kind::Character(engine)) = Kind::of(&input.bytes)
        && let Some(character) = character::read_atlas(input, engine, options, diagnostics)?
    {
        return Ok(character);
    }
    let mut budget = options.budget();
    let gathered = gather(input, options, &mut budget, diagnostics)?;
    build::build(&gathered, input.sidecars, options, &mut budget, diagnostics)
}

/// Returns the texts of a texture atlas of Adobe Animate; sheets store frames.
#[cfg(feature = "convert")]
fn stated_texts(input: &Input<'_>, options: &ReadOptions, diagnostics: &mut Diagnostics) -> Result<Option<Texts>> {
    match Kind::of(&input.bytes) {
        Some(Kind::Character(engine)) => character::texts_of_atlas(input, engine, options, diagnostics),
        _ => Ok(None),
    }
}

/// Returns the width and height of the frames of a sheet before trimming, as stated by the first frame that has them.
#[cfg(feature = "export")]
pub(crate) fn canvas(input: &Input<'_>, options: &ReadOptions) -> Result<Option<[u32; 2]>> {
    let mut budget = options.budget();
    let gathered = gather(input, options, &mut budget, &mut Diagnostics::default())?;
    let frames = gathered.parts.iter().flat_map(|part| &part.frames);
    let size = frames.filter_map(|frame| frame.source_size.as_ref()).next();
    // Numbers are limited to those that are exact in single precision.
    Ok(size.map(|size| [size.w.0 as u32, size.h.0 as u32]))
}

/// Gathers the content of a file and of the files it refers to.
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
                let message = "a PNG alone does not describe its frames; set their size with `--grid WxH`";
                return Err(Error::unsupported("png-without-grid", Place::at("PNG", 0), message));
            }
        },
        Some(Kind::Starling) => (starling::read(bytes, budget)?, Dialect::Starling, None),
        Some(Kind::Plist | Kind::BinaryPlist) => (plist::read(bytes, budget)?, Dialect::Plist, None),
        Some(Kind::Unity) => (unity::read(bytes, budget)?, Dialect::Atlas, None),
        Some(Kind::SpriteFrames) => (godot::read(bytes, budget)?, Dialect::Atlas, None),
        Some(Kind::Atlas) => (gdx::read(bytes, budget, diagnostics)?, Dialect::Atlas, None),
        Some(Kind::Character(engine)) => {
            let gathered = character::gather(bytes, engine, input.sidecars, budget, diagnostics)?;
            return with_options(gathered, options, budget, diagnostics);
        }
        Some(Kind::Json | Kind::Egret | Kind::Godot) | None => {
            (text::read(JsonText::of(bytes), budget, diagnostics)?, Dialect::Json, None)
        }
    };
    let gathered = parts::gather(root, dialect, inside, input.sidecars, budget, diagnostics)?;
    with_options(gathered, options, budget, diagnostics)
}

/// Uses the image and the layers that the user named, if any.
fn with_options(
    mut gathered: Gathered,
    options: &ReadOptions,
    budget: &mut Budget<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Gathered> {
    gathered.layers = layers::find(&gathered, &options.layers, budget, diagnostics)?;
    if let Some(path) = options.image()? {
        gathered.use_picture(path)?;
    }
    Ok(gathered)
}

/// Returns true if the file is the JSON text of a sheet, with its image beside it.
#[cfg(feature = "convert")]
pub fn is_text(bytes: &[u8]) -> bool {
    Kind::of(bytes) == Some(Kind::Json)
}

/// Returns true if the file is a packed sheet.
#[cfg(feature = "convert")]
pub(crate) fn is_packed(bytes: &[u8]) -> bool {
    Kind::of(bytes) == Some(Kind::Packed)
}
