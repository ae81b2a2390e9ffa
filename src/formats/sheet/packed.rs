//! `.sprsh`: magic, version, two lengths, JSON text and PNG.

use ::bytes::Bytes;

use crate::bytes::{Block, Reader, Writer};
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result};
use crate::formats::detect::json::JsonText;
use crate::formats::detect::sheet::PACKED_MAGIC;

/// The only version.
pub const VERSION: u32 = 1;

/// The content of a packed sheet.
#[derive(Debug, Clone)]
pub struct Packed {
    /// The JSON text.
    pub json: Block,
    /// The PNG.
    pub image: Block,
}

impl Packed {
    /// Returns the JSON text and its offset.
    pub(crate) fn text(&self) -> JsonText<'_> {
        JsonText { text: &self.json.bytes, offset: self.json.offset }
    }
}

/// Splits a packed sheet into its parts without copying.
pub fn read(bytes: &Bytes, diagnostics: &mut Diagnostics) -> Result<Packed> {
    let mut reader = Reader::new(bytes.clone());
    if reader.array("magic")? != PACKED_MAGIC {
        return Err(Error::malformed("bad-magic", Place::at("magic", 0), "a packed sheet starts with `SPSH`"));
    }
    let (place, version) = reader.placed("version", Reader::u32)?;
    if version != VERSION {
        let message = format!("unknown version {version}, only version {VERSION} is supported");
        return Err(Error::unsupported("unknown-version", place, message));
    }
    let json_len = reader.u32("jsonLength")?;
    let (image_place, image_len) = reader.placed("imageLength", Reader::u32)?;
    let json = reader.block("json", json_len.into())?;
    let image = reader.block("image", image_len.into())?;
    if image_len == 0 {
        let message = "the packed sheet contains no image; pack it with its image, or use its JSON";
        return Err(Error::malformed("sheet-without-image", image_place, message));
    }
    if reader.remaining() > 0 {
        let message = format!("{} bytes after the image are ignored", reader.remaining());
        diagnostics.warn("trailing-bytes", reader.place("end"), message);
    }
    Ok(Packed { json, image })
}

/// Returns everything before the image, which is `image_len` bytes long.
pub fn header(json: &[u8], image_len: u64) -> Result<Vec<u8>> {
    let mut out = head(json.len(), image_len)?;
    out.bytes(json);
    out.into_bytes()
}

/// Returns the bytes of a packed sheet in parts that follow each other, like its text.
#[cfg(feature = "convert")]
pub(crate) fn write_parts(json: &[Bytes], image: &Bytes) -> Result<Vec<Bytes>> {
    head(json.iter().map(Bytes::len).sum(), image.len() as u64)?.into_packed(json, image)
}

/// Writes everything before the text.
fn head(json_len: usize, image_len: u64) -> Result<Writer> {
    let image_len = usize::try_from(image_len).unwrap_or(usize::MAX);
    Writer::packed(PACKED_MAGIC, VERSION, [("jsonLength", json_len), ("imageLength", image_len)])
}
