//! Packed Pachario: the older JSON and its picture in one file.
//!
//! Magic, version and extension are those of PCHR v1. What tells the two apart is that the two lengths in the
//! header fill the file exactly and that JSON begins behind it.

use ::bytes::Bytes;

use super::document::{Document, Kind};
use super::json::{self, JsonText};
use super::read::magic_and_version;
use super::schema;
use crate::bytes::{Block, Reader, Writer, u32_at};
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result};
use crate::limits::Budget;

/// Magic, version and two lengths.
const HEADER: usize = 16;

/// The two lengths, of a file that begins as PCHR does and has JSON where the packed form has it.
fn lengths(head: &[u8]) -> Option<[u64; 2]> {
    let length = |at: usize| u64::from(u32_at(head, at));
    let is_close = head.len() > HEADER && head.starts_with(&schema::MAGIC) && head[HEADER] == b'{';
    is_close.then(|| [length(8), length(12)])
}

/// Whether a file of `len` bytes that begins with `head` is packed Pachario.
pub fn is_packed(head: &[u8], len: u64) -> bool {
    lengths(head).is_some_and(|[json, image]| HEADER as u64 + json + image == len)
}

/// The JSON text of a file that [`is_packed`].
pub fn json_text(bytes: &[u8]) -> Option<JsonText<'_>> {
    let [json, _] = lengths(bytes).filter(|_| is_packed(bytes, bytes.len() as u64))?;
    let text = bytes.get(HEADER..HEADER + json as usize)?;
    Some(JsonText { text, offset: HEADER as u64 })
}

/// What to add to an error about a file of `len` bytes that begins with `head` and is neither a v1 file nor quite
/// this.
pub fn hint(head: &[u8], len: u64) -> Option<String> {
    let [json, image] = lengths(head)?;
    let expected = HEADER as u64 + json + image;
    Some(format!(
        "; or is this packed Pachario? JSON begins at byte {HEADER}, but {json} bytes of it and {image} of picture \
         make a file of {expected} bytes, this one has {len}"
    ))
}

/// Reads a file that [`is_packed`].
pub fn read(bytes: &Bytes, budget: &mut Budget<'_>, diagnostics: &mut Diagnostics) -> Result<Document> {
    let Some(json) = json_text(bytes) else {
        return Err(Error::malformed("bad-magic", Place::default(), "this is no packed Pachario file"));
    };
    magic_and_version(&mut Reader::new(bytes.clone()))?;
    let image_at = HEADER + json.text.len();
    let mut document = json::read(json, budget, diagnostics)?;
    document.kind = Kind::PackedPachario;
    let picture = Block::new(bytes.slice(image_at..), image_at as u64);
    let has_picture = picture.len > 0;
    for (index, (image, sidecar)) in document.file.images.iter_mut().zip(&mut document.sidecars).enumerate() {
        sidecar.missing = match index {
            0 if has_picture => {
                image.data = picture.clone();
                None
            }
            0 => Some("the file holds no picture".to_owned()),
            _ => Some("a packed file holds the picture of its first image only".to_owned()),
        };
    }
    if has_picture && document.file.images.is_empty() {
        let message = "the file holds a picture, but `images` is empty";
        diagnostics.warn("unnamed-image", Place::at("", picture.offset), message);
    }
    Ok(document)
}

/// The bytes of a packed file.
pub fn write(json: &[u8], picture: &[u8]) -> Result<Vec<u8>> {
    let mut out = Writer::default();
    out.bytes(&schema::MAGIC);
    out.u32(schema::VERSION);
    out.count_u32("JSON", json.len())?;
    out.count_u32("picture", picture.len())?;
    out.bytes(json);
    out.bytes(picture);
    Ok(out.into_bytes())
}
