//! Detection of the four forms of PCHR.

#[cfg(feature = "pachario")]
use super::json::JsonText;
use super::json::is_json;
use crate::bytes::u32_at;
use crate::error::Error;
use crate::formats::pchr::{Kind, schema};

/// Returns a high score for the magic number and a low one for JSON, which may be another format.
pub fn score(head: &[u8]) -> u8 {
    // A file truncated inside the magic number still counts as PCHR, so that the error says what is missing.
    let begins = head.iter().zip(&schema::MAGIC).all(|(byte, magic)| byte == magic);
    match () {
        () if is_json(head) => 20,
        () if !head.is_empty() && begins => 90,
        () => 0,
    }
}

/// Returns the form as which a complete file is read.
pub fn kind_of(bytes: &[u8]) -> Kind {
    match Kind::of(bytes, bytes.len() as u64) {
        Kind::Description if is_pachario(bytes) => Kind::PacharioJson,
        kind => kind,
    }
}

/// Size of the header: magic, version and two lengths.
pub const HEADER: usize = 16;

/// Returns the two lengths of a file that starts like PCHR and has JSON where the packed form has it.
pub fn lengths(head: &[u8]) -> Option<[u64; 2]> {
    let length = |at: usize| u64::from(u32_at(head, at));
    let is_close = head.len() > HEADER && head.starts_with(&schema::MAGIC) && head[HEADER] == b'{';
    is_close.then(|| [length(8), length(12)])
}

/// Returns true if a file of `len` bytes that starts with `head` is packed Pachario.
pub fn is_packed(head: &[u8], len: u64) -> bool {
    lengths(head).is_some_and(|[json, image]| HEADER as u64 + json + image == len)
}

/// Returns true if the text uses the keys of Pachario. Only keys are followed by a colon, so a name is not
/// mistaken for one.
pub fn is_pachario(text: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(text) else { return false };
    ["\"parentIdx\"", "\"imageIdx\"", "\"triangles\""]
        .iter()
        .any(|word| text.match_indices(word).any(|(at, _)| text[at + word.len()..].trim_start().starts_with(':')))
}

/// Returns the JSON text of a JSON file or of packed Pachario.
#[cfg(feature = "formats-all")]
pub fn json_text(bytes: &[u8]) -> Option<JsonText<'_>> {
    if is_json(bytes) { Some(JsonText::of(bytes).without_bom()) } else { packed_text(bytes) }
}

/// Returns the JSON text of packed Pachario.
#[cfg(feature = "pachario")]
pub fn packed_text(bytes: &[u8]) -> Option<JsonText<'_>> {
    let [json, _] = lengths(bytes).filter(|_| is_packed(bytes, bytes.len() as u64))?;
    let text = bytes.get(HEADER..HEADER + json as usize)?;
    Some(JsonText { text, offset: HEADER as u64 })
}

/// Adds a hint to errors about a file of `len` bytes that starts with `head` and is not PCHR v1 but almost packed
/// Pachario.
pub fn with_hint(error: Error, head: &[u8], len: u64) -> Error {
    let Some([json, image]) = lengths(head) else { return error };
    let expected = HEADER as u64 + json + image;
    error.with_hint(&format!(
        "; if this is packed Pachario, its length is wrong: JSON starts at byte {HEADER}, and {json} bytes of JSON \
        and {image} of image make a file of {expected} bytes, but it has {len}"
    ))
}
