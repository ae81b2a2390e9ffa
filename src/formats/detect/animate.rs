//! Detection of Adobe Animate's texture atlases.

use super::json::{Keys, is_json, without_bom};
use crate::formats::HEAD;

/// The name of the file in an archive.
pub const ANIMATION: &str = "Animation.json";
/// Where the names of an archive's entries are: at most this far from its end.
const DIRECTORY: usize = 1 << 20;

/// Returns the score of a file: above that of other JSON, and of other archives. Other programs call their files
/// `Animation.json`, too, so the name says nothing, except in an archive.
pub fn score(bytes: &[u8]) -> u8 {
    if is_zip(bytes) {
        let end = &bytes[bytes.len().saturating_sub(DIRECTORY)..];
        let has_animation = end.windows(ANIMATION.len()).any(|name| name == ANIMATION.as_bytes());
        return if has_animation { 65 } else { 0 };
    }
    if is_json(bytes) && is_atlas(without_bom(bytes)) { 80 } else { 0 }
}

/// Returns true for an object of an object that has a timeline, or is truncated before that.
fn is_atlas(text: &[u8]) -> bool {
    // What only other characters have ends the search: they can be large.
    let mut keys =
        Keys::of(text).take_while(|(key, _)| !matches!(*key, b"skeleton" | b"bones" | b"slots" | b"frames"));
    let main = keys.find(|(key, _)| matches!(*key, b"AN" | b"ANIMATION"));
    let Some(main) = main.and_then(|(_, at)| text.get(at..)).filter(|main| main.starts_with(b"{")) else {
        return false;
    };
    text.len() as u64 <= HEAD || Keys::of(main).any(|(key, _)| matches!(key, b"TL" | b"TIMELINE"))
}

/// Returns true for the list of sprites that an atlas shows, which is no character by itself.
#[cfg(feature = "formats-all")]
pub fn is_spritemap(text: &[u8]) -> bool {
    Keys::of(without_bom(text)).any(|(key, _)| key == b"ATLAS")
}

/// Returns true if a file starts like a ZIP archive.
pub fn is_zip(head: &[u8]) -> bool {
    head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06")
}
