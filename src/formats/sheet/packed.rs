//! `.sprsh`: magic, version, two lengths, the JSON text and the PNG.

use ::bytes::Bytes;

use super::text::Text;
use crate::bytes::{Block, Reader, Writer};
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result};
use crate::formats::detect::sheet::PACKED_MAGIC;

/// The only version there is.
pub const VERSION: u32 = 1;

/// What is in a packed sheet.
#[derive(Debug, Clone)]
pub struct Packed {
    /// The JSON text.
    pub json: Block,
    /// The PNG.
    pub image: Block,
}

impl Packed {
    /// The JSON text and where it is.
    pub fn text(&self) -> Text<'_> {
        Text { bytes: &self.json.bytes, offset: self.json.offset }
    }
}

/// Takes a packed sheet apart. Nothing is copied.
pub fn read(bytes: &Bytes, diagnostics: &mut Diagnostics) -> Result<Packed> {
    let mut reader = Reader::new(bytes.clone());
    if reader.array("magic")? != PACKED_MAGIC {
        return Err(Error::malformed("bad-magic", Place::at("magic", 0), "a packed sheet begins with `SPSH`"));
    }
    let place = reader.place("version");
    let version = reader.u32("version")?;
    if version != VERSION {
        let message = format!("version {version} is not known, there is only {VERSION}");
        return Err(Error::unsupported("unknown-version", place, message));
    }
    let json_len = reader.u32("jsonLength")?;
    let image_place = reader.place("imageLength");
    let image_len = reader.u32("imageLength")?;
    let json = reader.block("json", json_len.into())?;
    let image = reader.block("image", image_len.into())?;
    if image_len == 0 {
        let message = "the sheet is packed without its picture; pack it with one, or use its JSON";
        return Err(Error::malformed("sheet-without-image", image_place, message));
    }
    if reader.remaining() > 0 {
        let message = format!("{} bytes follow the picture; they are ignored", reader.remaining());
        diagnostics.warn("trailing-bytes", reader.place("end"), message);
    }
    Ok(Packed { json, image })
}

/// Everything before the picture, which is `image_len` bytes long.
pub fn header(json: &[u8], image_len: u64) -> Result<Vec<u8>> {
    let mut out = Writer::default();
    out.bytes(&PACKED_MAGIC);
    out.u32(VERSION);
    out.count_u32("jsonLength", json.len())?;
    out.count_u32("imageLength", usize::try_from(image_len).unwrap_or(usize::MAX))?;
    out.bytes(json);
    Ok(out.into_bytes())
}
