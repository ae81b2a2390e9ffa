//! Which of the four forms of PCHR a file is in.

use super::json::{is_json, without_bom};
use crate::bytes::u32_at;
use crate::formats::pchr::{Kind, schema};

/// High where the magic number is in place; JSON may be something else.
pub fn score(head: &[u8]) -> u8 {
    // A file that was cut inside its magic number is still PCHR, and the error says what is missing.
    let begins = head.iter().zip(&schema::MAGIC).all(|(byte, magic)| byte == magic);
    match () {
        () if is_json(head) => 20,
        () if !head.is_empty() && begins => 90,
        () => 0,
    }
}

/// The form that a whole file is read as.
pub fn kind_of(bytes: &[u8]) -> Kind {
    match Kind::of(bytes, bytes.len() as u64) {
        Kind::Description if is_pachario(bytes) => Kind::PacharioJson,
        kind => kind,
    }
}

/// Magic, version and two lengths.
pub const HEADER: usize = 16;

/// The two lengths, of a file that begins as PCHR does and has JSON where the packed form has it.
pub fn lengths(head: &[u8]) -> Option<[u64; 2]> {
    let length = |at: usize| u64::from(u32_at(head, at));
    let is_close = head.len() > HEADER && head.starts_with(&schema::MAGIC) && head[HEADER] == b'{';
    is_close.then(|| [length(8), length(12)])
}

/// Whether a file of `len` bytes that begins with `head` is packed Pachario.
pub fn is_packed(head: &[u8], len: u64) -> bool {
    lengths(head).is_some_and(|[json, image]| HEADER as u64 + json + image == len)
}

/// Whether the older words are used. A key is followed by a colon and a string is not, so a name cannot be
/// taken for one.
pub fn is_pachario(text: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(text) else { return false };
    ["\"parentIdx\"", "\"imageIdx\"", "\"triangles\""]
        .iter()
        .any(|word| text.match_indices(word).any(|(at, _)| text[at + word.len()..].trim_start().starts_with(':')))
}

/// JSON text and where it is.
#[derive(Debug, Clone, Copy)]
pub struct JsonText<'a> {
    /// UTF-8.
    pub text: &'a [u8],
    /// Where it begins in its file.
    pub offset: u64,
}

/// The text of a JSON file, without the mark that some editors put in front.
pub fn text_of(bytes: &[u8]) -> JsonText<'_> {
    let text = without_bom(bytes);
    JsonText { text, offset: (bytes.len() - text.len()) as u64 }
}

/// The JSON text of a file that is JSON or has it inside.
pub fn json_text(bytes: &[u8]) -> Option<JsonText<'_>> {
    if is_json(bytes) { Some(text_of(bytes)) } else { packed_text(bytes) }
}

/// The JSON text of packed Pachario.
pub fn packed_text(bytes: &[u8]) -> Option<JsonText<'_>> {
    let [json, _] = lengths(bytes).filter(|_| is_packed(bytes, bytes.len() as u64))?;
    let text = bytes.get(HEADER..HEADER + json as usize)?;
    Some(JsonText { text, offset: HEADER as u64 })
}

/// What to add to an error about a file of `len` bytes that begins with `head` and is neither a v1 file nor quite packed
/// Pachario.
pub fn hint(head: &[u8], len: u64) -> Option<String> {
    let [json, image] = lengths(head)?;
    let expected = HEADER as u64 + json + image;
    Some(format!(
        "; or is this packed Pachario? JSON begins at byte {HEADER}, but {json} bytes of it and {image} of picture \
         make a file of {expected} bytes, this one has {len}"
    ))
}
