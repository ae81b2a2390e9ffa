//! SkelForm `.skf` and `.skfe` files from version 0.2 on: a ZIP archive of a JSON text and its pictures.
//!
//! `container` finds and unpacks entries, `read` parses the text, `normalise` converts all versions to one form,
//! `build` validates it and makes a [`Character`], and `lint` finds what is probably unintended. Versions before
//! 0.2 are refused with an error that says so. `upgrade` rewrites a file as version 0.7, `write` converts any
//! character with stored frames.

pub(super) mod archive;
mod build;
pub(super) mod container;
mod lint;
mod normalise;
mod read;
mod schema;
#[cfg(feature = "convert")]
mod stated;
#[cfg(feature = "convert")]
pub(crate) mod upgrade;
#[cfg(feature = "convert")]
pub(crate) mod write;

use ::bytes::Bytes;

use super::table::Reader;
use super::{Input, ReadOptions};
use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result};
use crate::limits::Budget;
#[cfg(feature = "convert")]
use crate::limits::Limits;
use crate::model::Model;

use build::Pixels;
use container::Container;
use normalise::Armature;

/// The reader of this format.
pub(super) const READER: Option<Reader> = Some(Reader {
    read: read_character,
    #[cfg(feature = "convert")]
    texts: stated::texts,
});

/// Reads a character, with its pictures from the same file.
pub(super) fn read_character(
    input: &Input<'_>,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Character> {
    read(input, options, Pixels::Decoded, diagnostics, |_, _, _, _| {})
}

/// Like [`read_character`], but the pages of complete PNGs are blank: the format declares all else about them.
#[cfg(feature = "convert")]
pub(super) fn read_with_blank_pages(
    input: &Input<'_>,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Character> {
    read(input, options, Pixels::Blank, diagnostics, |_, _, _, _| {})
}

/// Reads a character, and passes its parsed and normalised text to `inspect` if there are no errors.
fn read(
    input: &Input<'_>,
    options: &ReadOptions,
    pixels: Pixels,
    diagnostics: &mut Diagnostics,
    inspect: impl FnOnce(&schema::Root<'_>, &Armature<'_>, &Model, &mut Diagnostics),
) -> Result<Character> {
    let mut budget = options.budget();
    let container = Container::open(&input.bytes, &mut budget)?;
    let text = armature_text(&container, &mut budget)?;
    let offset = container.data_offset(read::ARMATURE);
    let mut root = read::read(&text, offset, &mut budget, diagnostics)?;
    read::list_only_atlas(&mut root, &container, &mut budget)?;
    let armature = normalise::normalise(&root)?;
    let active = match container.load(read::EDITOR, &mut budget)? {
        Some(editor) => read::active_styles(&editor, &budget),
        None => None,
    };
    let character = build::build(
        &root,
        &armature,
        active.as_deref(),
        (&container, options, pixels),
        &mut budget,
        diagnostics,
    )?;
    inspect(&root, &armature, character.model(), diagnostics);
    Ok(character)
}

/// Returns name and stored size in bytes, packed or not, of each file in an archive, in the order of the
/// directory.
#[cfg(feature = "convert")]
pub(crate) fn entry_sizes(bytes: &Bytes, limits: &Limits) -> Result<Vec<(String, u64)>> {
    let container = Container::open(bytes, &mut Budget::new(limits))?;
    let size = |name: &str| Some((name.to_owned(), container.packed(name)?.data.len() as u64));
    Ok(container.names().into_iter().filter_map(size).collect())
}

/// Loads the text that every file contains.
fn armature_text(container: &Container, budget: &mut Budget<'_>) -> Result<Bytes> {
    container.load(read::ARMATURE, budget)?.ok_or_else(|| {
        let message = "this entry is missing, so the archive is not a SkelForm character";
        Error::malformed("missing-entry", Place::inside(read::ARMATURE), message)
    })
}

/// Reports every error and oddity, up to the first error.
pub(super) fn examine(
    input: &Input<'_>,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Option<Character>> {
    read(input, options, Pixels::Decoded, diagnostics, lint::lint).map(Some)
}
