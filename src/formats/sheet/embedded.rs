//! A sheet's JSON inside its own PNG: an `iTXt` chunk before the pixels, not compressed.

use super::text::Text;

/// What the chunk is called.
pub const KEYWORD: &str = "pchr-sheet";

/// Signature, and length, name and check sum of a chunk.
const SIGNATURE: usize = 8;

/// The text in a PNG that says how its frames lie; `None` where it has none.
pub fn find(png: &[u8]) -> Option<Text<'_>> {
    let mut at = SIGNATURE;
    loop {
        let length = usize::try_from(u32::from_be_bytes(*png.get(at..)?.first_chunk()?)).ok()?;
        let name = png.get(at + 4..at + 8)?;
        let start = at + 8;
        let content = png.get(start..start.checked_add(length)?)?;
        match name {
            b"iTXt" => {
                if let Some(skip) = text_start(content) {
                    return Some(Text { bytes: &content[skip..], offset: (start + skip) as u64 });
                }
            }
            // What stands behind the pixels nobody wants to wait for.
            b"IDAT" | b"IEND" => return None,
            _ => {}
        }
        at = start + length + 4;
    }
}

/// Where the text begins in a chunk of ours: behind the keyword, two bytes that say that it is not compressed, and
/// two names of its language.
fn text_start(content: &[u8]) -> Option<usize> {
    let rest = content.strip_prefix(KEYWORD.as_bytes())?.strip_prefix(&[0, 0, 0])?;
    let language = rest.iter().position(|byte| *byte == 0)? + 1;
    let translated = rest[language..].iter().position(|byte| *byte == 0)? + 1;
    Some(content.len() - rest.len() + language + translated)
}
