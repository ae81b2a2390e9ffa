//! Sheet JSON embedded in its PNG: an uncompressed `iTXt` chunk before the pixels.

use crate::formats::detect::json::JsonText;

/// The keyword of the chunk.
pub const KEYWORD: &str = "pchr-sheet";

/// Length of the PNG signature in bytes.
const SIGNATURE: usize = 8;

/// Returns the text in a PNG that describes its frames, if any.
pub fn find(png: &[u8]) -> Option<JsonText<'_>> {
    let mut at = SIGNATURE;
    loop {
        let length = usize::try_from(u32::from_be_bytes(*png.get(at..)?.first_chunk()?)).ok()?;
        let name = png.get(at + 4..at + 8)?;
        let start = at + 8;
        let content = png.get(start..start.checked_add(length)?)?;
        match name {
            b"iTXt" => {
                if let Some(skip) = text_start(content) {
                    return Some(JsonText { text: &content[skip..], offset: (start + skip) as u64 });
                }
            }
            // Chunks after the pixels are not searched.
            b"IDAT" | b"IEND" => return None,
            _ => {}
        }
        at = start + length + 4;
    }
}

/// Returns the offset of the text in our chunk: after the keyword, two bytes for no compression, the language tag
/// and the translated keyword.
fn text_start(content: &[u8]) -> Option<usize> {
    let rest = content.strip_prefix(KEYWORD.as_bytes())?.strip_prefix(&[0, 0, 0])?;
    let language = rest.iter().position(|byte| *byte == 0)? + 1;
    let translated = rest[language..].iter().position(|byte| *byte == 0)? + 1;
    Some(content.len() - rest.len() + language + translated)
}
