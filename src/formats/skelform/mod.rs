//! SkelForm's `.skf` and `.skfe` from version 0.2 on: a ZIP with one JSON text and its pictures.
//!
//! `container` finds and unpacks the entries, `read` the fields, `normalise` brings all versions into one form, `build`
//! checks what it means and makes a [`Character`], `lint` looks for what nobody may have meant. What is older than 0.2 is
//! refused by name. `upgrade` writes what was read as a file of 0.7, `write` any character with stored frames.

mod build;
mod container;
mod lint;
mod normalise;
mod read;
mod schema;
pub mod upgrade;
pub mod write;

use ::bytes::Bytes;

use super::table::Reader;
use super::{Input, ReadOptions};
use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result};
use crate::limits::{Budget, Limits};
use crate::model::Model;

use container::Container;
use normalise::Armature;

/// The reader.
pub(super) const READER: Option<Reader> = Some(Reader { read: read_character, examine, as_sheet: None });

/// Reads a character with its pictures, which are in the same file.
pub fn read_character(
    input: &Input<'_>,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Character> {
    read(input, options, diagnostics, |_, _, _, _| {})
}

/// Reads a character, and shows `look` the text that it was made of once it has no errors.
fn read(
    input: &Input<'_>,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
    look: impl FnOnce(&schema::Root<'_>, &Armature<'_>, &Model, &mut Diagnostics),
) -> Result<Character> {
    let mut budget = Budget::new(&options.limits);
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
    let character =
        build::build(&root, &armature, active.as_deref(), (&container, options), &mut budget, diagnostics)?;
    look(&root, &armature, character.model(), diagnostics);
    Ok(character)
}

/// By name how many bytes each file in an archive takes there, packed or not, in the order in which they are listed.
pub fn entry_bytes(bytes: &Bytes, limits: &Limits) -> Result<Vec<(String, u64)>> {
    let container = Container::open(bytes, &mut Budget::new(limits))?;
    let size = |name: &str| Some((name.to_owned(), container.packed(name)?.data.len() as u64));
    Ok(container.names().into_iter().filter_map(size).collect())
}

/// The text that every file has.
fn armature_text(container: &Container, budget: &mut Budget<'_>) -> Result<Bytes> {
    container.load(read::ARMATURE, budget)?.ok_or_else(|| {
        let message = "there is no such entry in this archive, so it is no SkelForm character";
        let place = Place { path: read::ARMATURE.to_owned(), ..Place::default() };
        Error::malformed("missing-entry", place, message)
    })
}

/// Looks for everything that is wrong or odd, up to the first error.
pub(super) fn examine(input: &Input<'_>, options: &ReadOptions, diagnostics: &mut Diagnostics) -> Result<()> {
    match read(input, options, diagnostics, lint::lint) {
        Ok(_) => Ok(()),
        Err(error) => diagnostics.refuse_last(error),
    }
}
