//! Pachario JSON and its picture → packed Pachario.

use ::bytes::Bytes;

use crate::bytes::Writer;
use crate::error::Result;
use crate::formats::pchr::schema;

/// Returns the bytes of a packed file in parts that follow each other, like its JSON.
pub fn write_packed(json: &[Bytes], picture: &Bytes) -> Result<Vec<Bytes>> {
    let mut out = head(json.iter().map(Bytes::len).sum(), picture.len())?;
    json.iter().for_each(|part| out.block(part));
    out.block(picture);
    out.into_parts()
}

/// Writes everything before the JSON.
fn head(json_len: usize, picture_len: usize) -> Result<Writer> {
    let mut out = Writer::default();
    out.bytes(&schema::MAGIC);
    out.u32(schema::VERSION);
    out.count_u32("JSON", json_len)?;
    out.count_u32("picture", picture_len)?;
    Ok(out)
}
