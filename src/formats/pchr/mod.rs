//! The PCHR family: v1, its JSON description, the older Pachario JSON, and packed Pachario.
//!
//! [`read_document`] detects the form from the content and parses the fields, [`build`](build()) validates them
//! and makes a [`Character`]. [`read`](read()) and [`write`](write()) handle only the bytes of v1.

mod build;
#[cfg(feature = "convert")]
mod convert;
pub(crate) mod document;
#[cfg(any(feature = "pachario", feature = "bake"))]
pub(crate) mod influences;
#[cfg_attr(not(feature = "pachario"), path = "json_absent.rs")]
pub mod json;
mod lint;
#[cfg(feature = "convert")]
mod outline;
mod read;
#[cfg(any(feature = "pachario", feature = "bake"))]
mod records;
pub(crate) mod schema;
#[cfg(feature = "bake")]
mod to_v1;
mod used_bytes;
#[cfg(feature = "bake")]
mod write;

#[cfg(feature = "convert")]
use super::keys::{ItemKind, Items, Text, Texts};
use super::table::Reader;
use super::{Input, ReadOptions};
use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::error::Result;
use crate::formats::detect::pchr::with_hint;
use crate::limits::Budget;

#[cfg(feature = "formats-all")]
pub(crate) use crate::formats::detect::pchr::json_text;
pub(crate) use crate::formats::detect::pchr::kind_of;
#[cfg(feature = "convert")]
pub use build::Bind;
pub use build::build;
#[cfg(feature = "bake")]
pub use build::is_bind_name;
use build::{PageDecoder, assemble, check};
#[cfg(feature = "convert")]
pub use convert::verify;
pub use document::{Document, Kind};
#[cfg(feature = "convert")]
pub(crate) use outline::{Outline, read_file_outline};
pub use read::read;
use read::read_outline;
pub(crate) use used_bytes::used_bytes;
#[cfg(feature = "bake")]
pub use write::write;
#[cfg(feature = "convert")]
pub(crate) use write::write_parts;

/// The reader of this format.
pub(super) const READER: Option<Reader> = Some(Reader {
    read: read_character,
    #[cfg(feature = "convert")]
    texts: |input, _, _| Ok(stated_texts(input)),
});

/// Returns the text of a JSON form. It states frames, not keys.
#[cfg(feature = "convert")]
fn stated_texts(input: &Input<'_>) -> Option<Texts> {
    const ITEMS: Items = &[
        (ItemKind::Image, &["images"]),
        (ItemKind::Bone, &["bones"]),
        (ItemKind::Mesh, &["meshes"]),
        (ItemKind::Animation, &["animations"]),
    ];
    let form = match kind_of(&input.bytes) {
        Kind::Description => "description",
        Kind::PacharioJson => "pachario",
        // The text is inside of a binary file.
        Kind::V1 | Kind::PackedPachario => return None,
    };
    let text = Text { bytes: input.bytes.clone(), ..Text::default() };
    Some(Texts { form: form.to_owned(), texts: vec![text], shape: None, items: ITEMS })
}

/// Reads any of the four forms, with the pictures next to the file.
pub fn read_document(
    input: &Input<'_>,
    budget: &mut Budget<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Document> {
    let len = input.bytes.len() as u64;
    match Kind::of(&input.bytes, len) {
        Kind::V1 => {
            let file = read(input.bytes.clone(), budget, diagnostics);
            file.map(Document::v1).map_err(|error| with_hint(error, &input.bytes, len))
        }
        kind @ (Kind::Description | Kind::PacharioJson | Kind::PackedPachario) => {
            json::read_form(kind, input, budget, diagnostics)
        }
    }
}

pub(super) fn read_character(
    input: &Input<'_>,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Character> {
    let mut budget = options.budget();
    let document = read_document(input, &mut budget, diagnostics)?;
    build(&document, options, &mut budget, diagnostics)
}

/// Reports every error and oddity, unlike [`read_character`], which stops at the first error.
pub(super) fn examine(
    input: &Input<'_>,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Option<Character>> {
    let mut budget = options.budget();
    // Without the fields there is nothing to check.
    let document = read_document(input, &mut budget, diagnostics)?;
    let checked = check(&document, options, &mut budget, diagnostics)?;
    let mut decoder = PageDecoder::new(&document);
    let mut pages = Vec::with_capacity(document.file.images.len());
    for (index, has_picture) in checked.has_picture.iter().enumerate() {
        pages.push(if *has_picture { diagnostics.recover(decoder.page(index))? } else { None });
    }
    lint::lint(&document, &checked, &pages, options, diagnostics);
    // The lints have judged the alpha of the pages.
    Ok(assemble(&document, checked, pages, options, &mut Diagnostics::default()).ok())
}
