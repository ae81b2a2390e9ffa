//! Everything that is called PCHR: v1, the JSON that describes it, the older Pachario JSON, and that packed.
//!
//! [`read_document`] tells them apart by their content and finds the fields, [`build`](build()) checks what they
//! mean and makes a [`Character`]. [`read`](read()) and [`write`](write()) are the bytes of v1 alone.

mod build;
mod convert;
pub mod document;
#[cfg(feature = "formats-all")]
pub mod json;
mod lint;
mod outline;
#[cfg(feature = "formats-all")]
pub mod packed;
mod read;
pub mod schema;
mod write;

use super::{Input, ReadOptions};
use crate::character::Character;
use crate::diagnostics::Diagnostics;
#[cfg(feature = "formats-all")]
use crate::error::Place;
use crate::error::{Error, Result};
use crate::limits::Budget;

pub use build::{Bind, build, is_bind_name};
use build::{PageDecoder, check};
pub use convert::ImageFormat;
pub use document::{Document, Kind};
pub use outline::{MeshOutline, Outline, read_file_outline};
pub use read::{read, read_outline};
pub use write::write;

/// Sure when the magic is there; JSON could be something else.
pub(super) fn score(head: &[u8]) -> u8 {
    // A file that was cut inside its magic is still told as PCHR, with what is missing.
    let begins = head.iter().zip(&schema::MAGIC).all(|(byte, magic)| byte == magic);
    #[cfg(feature = "formats-all")]
    if json::is_json(head) {
        return 20;
    }
    if !head.is_empty() && begins { 90 } else { 0 }
}

/// Reads any of the four, with the pictures that lie beside it.
pub fn read_document(
    input: &Input<'_>,
    budget: &mut Budget<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Document> {
    #[cfg(feature = "formats-all")]
    match Kind::of(&input.bytes, input.bytes.len() as u64) {
        Kind::V1 => {
            if let Some(hint) = packed::hint(&input.bytes, input.bytes.len() as u64) {
                let file = read(input.bytes.clone(), budget, diagnostics);
                return file.map(Document::v1).map_err(|error| error.with_hint(&hint));
            }
        }
        Kind::Description | Kind::PacharioJson => {
            let mut document = read_json(&input.bytes, budget, diagnostics)?;
            load_pictures(&mut document, input, budget)?;
            return Ok(document);
        }
        Kind::PackedPachario => {
            budget.check_file(input.bytes.len() as u64)?;
            return packed::read(&input.bytes, budget, diagnostics);
        }
    }
    read(input.bytes.clone(), budget, diagnostics).map(Document::v1)
}

/// Either JSON form, without its pictures.
#[cfg(feature = "formats-all")]
fn read_json(bytes: &[u8], budget: &mut Budget<'_>, diagnostics: &mut Diagnostics) -> Result<Document> {
    budget.check_file(bytes.len() as u64)?;
    json::read(json::JsonText { text: bytes, offset: 0 }, budget, diagnostics)
}

/// Which of the four a whole file is read as.
pub fn kind_of(bytes: &[u8]) -> Kind {
    match Kind::of(bytes, bytes.len() as u64) {
        #[cfg(feature = "formats-all")]
        Kind::Description => json::kind_of(bytes),
        kind => kind,
    }
}

/// The JSON text of a file that is JSON or has it inside.
#[cfg(feature = "formats-all")]
pub fn json_text(bytes: &[u8]) -> Option<json::JsonText<'_>> {
    if json::is_json(bytes) { Some(json::text_of(bytes)) } else { packed::json_text(bytes) }
}

/// The pictures that a JSON form names, each read once. Together they may be as large as one file, and one that many
/// images name counts each time: whoever writes the character writes it as often.
#[cfg(feature = "formats-all")]
fn load_pictures(document: &mut Document, input: &Input<'_>, budget: &mut Budget<'_>) -> Result<()> {
    /// Units of work that a byte of a picture takes each time that it is named again.
    const REPEATED_BYTE: u64 = 2;
    let mut known = std::collections::HashMap::new();
    let mut total = 0;
    for (index, (image, sidecar)) in document.file.images.iter_mut().zip(&mut document.sidecars).enumerate() {
        let loaded = match known.get(&sidecar.path) {
            Some(loaded) => {
                let bytes =
                    std::result::Result::as_ref(loaded).map_or(0, |bytes: &::bytes::Bytes| bytes.len() as u64);
                let place = || Place { path: format!("images[{index}].path"), ..Place::default() };
                budget.charge_work(bytes, REPEATED_BYTE, place)?;
                Clone::clone(loaded)
            }
            None => {
                let loaded = input.sidecars.load(&sidecar.path, budget.limits())?;
                known.insert(sidecar.path.clone(), loaded.clone());
                loaded
            }
        };
        match loaded {
            Ok(bytes) => {
                total += bytes.len() as u64;
                budget.check_file(total).map_err(|error| error.in_file(&sidecar.path))?;
                image.data = crate::bytes::Block::new(bytes, 0);
                sidecar.missing = None;
            }
            Err(why) => sidecar.missing = Some(why),
        }
    }
    Ok(())
}

/// Whether the pictures are there that a JSON form names, and how large their files are.
#[cfg(feature = "formats-all")]
fn find_pictures(document: &mut Document, sidecars: &dyn super::Sidecars) {
    for (image, sidecar) in document.file.images.iter_mut().zip(&mut document.sidecars) {
        match sidecars.size(&sidecar.path) {
            Ok(len) => {
                image.data = crate::bytes::Block { len, ..Default::default() };
                sidecar.missing = None;
            }
            Err(why) => sidecar.missing = Some(why),
        }
    }
}

/// Checks everything that [`build`](build()) checks, pictures included, and tells the bind pose.
pub fn verify(
    document: &Document,
    options: &ReadOptions,
    budget: &mut Budget<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Bind> {
    let checked = check(document, options, budget, diagnostics)?;
    let mut decoder = PageDecoder::new(document);
    for (index, has_picture) in checked.has_picture.iter().enumerate() {
        if *has_picture {
            decoder.page(index)?;
        }
    }
    checked.bind.ok_or_else(|| Error::misuse("has-errors", "a document with errors has no bind pose"))
}

pub(super) fn read_character(
    input: &Input<'_>,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Character> {
    let mut budget = Budget::new(&options.limits);
    let document = read_document(input, &mut budget, diagnostics)?;
    build(&document, options, &mut budget, diagnostics)
}

/// Looks for everything that is wrong or odd, where [`read_character`] stops at the first error.
pub(super) fn examine(input: &Input<'_>, options: &ReadOptions, diagnostics: &mut Diagnostics) -> Result<()> {
    let mut budget = Budget::new(&options.limits);
    let document = match read_document(input, &mut budget, diagnostics) {
        Ok(document) => document,
        // Where the fields are not found nothing more can be said.
        Err(error) => return diagnostics.refuse_last(error),
    };
    let checked = match check(&document, options, &mut budget, diagnostics) {
        Ok(checked) => checked,
        Err(error) => return diagnostics.refuse_last(error),
    };
    let mut decoder = PageDecoder::new(&document);
    let mut pages = Vec::with_capacity(document.file.images.len());
    for (index, has_picture) in checked.has_picture.iter().enumerate() {
        let mut page = None;
        if *has_picture {
            match decoder.page(index) {
                Ok(decoded) => page = Some(decoded),
                Err(error) => diagnostics.refuse(error)?,
            }
        }
        pages.push(page);
    }
    lint::lint(&document, &checked, &pages, options, diagnostics);
    Ok(())
}
