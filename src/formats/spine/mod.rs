//! Spine JSON and binary skeletons of 2.1 to 4.3, with pictures from an atlas or loose files.
//!
//! `read` parses the fields, with `binary` for binary skeletons. `legacy` converts older forms to the form of 3.6, and
//! `build` validates the result and makes a [`Character`], which is played by the rules of its version. Other versions
//! are refused; the error names the version.
//!
//! `rewrite` writes a file in another version or form: `translate` converts the document, and features that the version
//! lacks are baked. `write` writes stored frames.

mod atlas_candidate;
mod atlas_names;
mod binary;
mod build;
mod constraint_list;
mod curves;
mod evidence;
mod find_atlas;
mod find_image;
mod find_page;
#[cfg(test)]
#[cfg(feature = "convert")]
mod fixtures;
mod folder_regions;
mod ignored;
mod legacy;
mod lint;
mod locate;
mod marks;
#[cfg(feature = "convert")]
mod picture_files;
mod read;
#[cfg(feature = "convert")]
pub(crate) mod rewrite;
mod schema;
mod short_colors;
#[cfg(feature = "convert")]
mod stated;
mod stated_version;
#[cfg(feature = "convert")]
mod translate;
mod version;
#[cfg(feature = "convert")]
pub(crate) mod write;

use super::detect::{self, json::JsonText};
use super::table::Reader;
use super::{Input, ReadOptions};
use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::error::Result;
use crate::limits::Budget;
#[cfg(feature = "convert")]
use crate::limits::Limits;

pub use super::detect::spine::kind;
#[cfg(feature = "convert")]
pub(crate) use super::detect::spine::may_be;
#[cfg(feature = "convert")]
pub(crate) use picture_files::{PictureFiles, picture_files};
#[cfg(feature = "convert")]
pub(crate) use stated_version::stated_version;

/// The reader of this format.
pub(super) const READER: Option<Reader> = Some(Reader {
    read: read_character,
    #[cfg(feature = "convert")]
    texts: stated::texts,
});

/// Reads a character, with its pictures from the files next to it.
pub fn read_character(
    input: &Input<'_>,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Character> {
    let mut budget = options.budget();
    let root = read::read(&input.bytes, &mut budget, diagnostics)?;
    let character = build::build(&root, input, options, &mut budget, diagnostics);
    if diagnostics.errors() > 0 {
        diagnostics.locate(|pointers| binary::locate(&input.bytes, pointers));
    }
    character.map_err(|error| binary::with_offset(error, &input.bytes))
}

/// Returns the name of the conversion target for binary skeletons of the version of a file; 3.8 for older files.
#[cfg(feature = "convert")]
pub(crate) fn binary_target(bytes: &[u8], limits: &Limits) -> Result<&'static str> {
    let root = read::read(bytes, &mut Budget::new(limits), &mut Diagnostics::default())?;
    Ok(rewrite::Form::binary_target(binary::Layout::played(root.version)))
}

/// Reports every error and oddity, unlike [`read_character`], which stops at the first error. Returns the character if
/// nothing prevents opening it. An error that ends it is added to the findings, if it is about the content of the file.
pub(super) fn examine(
    input: &Input<'_>,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Option<Character>> {
    let mut budget = options.budget();
    // Without the fields there is nothing to check.
    let root = read::read(&input.bytes, &mut budget, diagnostics)?;
    let checked = check(&root, input, options, &mut budget, diagnostics);
    diagnostics.locate(|pointers| binary::locate(&input.bytes, pointers));
    checked.map_err(|error| binary::with_offset(error, &input.bytes))
}

fn check(
    root: &schema::Root<'_>,
    input: &Input<'_>,
    options: &ReadOptions,
    budget: &mut Budget<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Option<Character>> {
    match build::check(root, input, options, budget, diagnostics) {
        Ok(Some(checked)) => {
            let (character, attached) = checked.into_character();
            let is_binary = detect::spine::binary_version(&input.bytes).is_some();
            let json = (!is_binary).then(|| JsonText::of(&input.bytes).without_bom());
            lint::lint(root, character.model(), &attached, json, diagnostics);
            Ok(Some(character))
        }
        // Lints would be unreliable on a file with errors.
        Ok(None) => Ok(None),
        Err(error) => diagnostics.reject_last(error).map(|()| None),
    }
}
