//! Packed Pachario: Pachario JSON and its picture in one file.
//!
//! It has the magic number, the version and the extension of PCHR v1, but the two lengths in its header add up to the
//! size of the file, and JSON follows the header.

use ::bytes::Bytes;

#[cfg(feature = "convert")]
use crate::bytes::Writer;
use crate::bytes::{Block, Reader};
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result};
use crate::formats::detect::pchr::HEADER;
use crate::formats::pchr::document::{Document, Kind};
use crate::formats::pchr::read::magic_and_version;
#[cfg(feature = "convert")]
use crate::formats::pchr::schema;
use crate::limits::Budget;

pub(crate) use crate::formats::detect::pchr::packed_text as json_text;

/// Reads a file of this form.
pub(crate) fn read(bytes: &Bytes, budget: &mut Budget<'_>, diagnostics: &mut Diagnostics) -> Result<Document> {
    let Some(json) = json_text(bytes) else {
        return Err(Error::malformed("bad-magic", Place::default(), "not a packed Pachario file"));
    };
    magic_and_version(&mut Reader::new(bytes.clone()))?;
    let image_at = HEADER + json.text.len();
    let mut document = super::read(json, budget, diagnostics).map_err(|error| match error.code() {
        "unknown-format" => error.with_hint("; it is in a file with the header of packed Pachario"),
        _ => error,
    })?;
    document.kind = Kind::PackedPachario;
    let picture = Block::new(bytes.slice(image_at..), image_at as u64);
    let has_picture = picture.len > 0;
    for (index, (image, sidecar)) in document.file.images.iter_mut().zip(&mut document.sidecars).enumerate() {
        sidecar.missing = match index {
            0 if has_picture => {
                image.data = picture.clone();
                None
            }
            0 => Some("the file contains no picture".to_owned()),
            _ => Some("a packed file contains only the picture of its first image".to_owned()),
        };
    }
    if has_picture && document.file.images.is_empty() {
        let message = "the file contains a picture, but `images` is empty";
        diagnostics.warn("unnamed-image", Place::at("", picture.offset), message);
    }
    Ok(document)
}

/// Returns the bytes of a packed file in parts that follow each other, like its JSON.
#[cfg(feature = "convert")]
pub fn write_packed(json: &[Bytes], picture: &Bytes) -> Result<Vec<Bytes>> {
    let lengths = [("JSON", json.iter().map(Bytes::len).sum()), ("picture", picture.len())];
    Writer::packed(schema::MAGIC, schema::VERSION, lengths)?.into_packed(json, picture)
}
