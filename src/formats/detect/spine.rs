//! Detection of Spine skeletons: JSON by its top-level keys, a binary file by its version.
//!
//! All JSON starts with `{`, so keys are counted for and against Spine until the decision is clear, which takes a
//! few keys: nothing is parsed, and truncated or invalid text is judged by the part that is there.

use super::json::{Keys, without_bom};

/// Lead in keys at which the decision is clear.
const CLEAR: i32 = 3;

/// Returns a score between the scores of the reader that accepts all JSON and of a magic number.
pub fn score(bytes: &[u8]) -> u8 {
    match kind(bytes) {
        Some(_) => 60,
        None => 0,
    }
}

/// Returns true if a file that starts with `head` may be a skeleton: JSON, or binary with a version.
#[cfg(feature = "convert")]
pub fn may_be(head: &[u8]) -> bool {
    without_bom(head).trim_ascii_start().first().is_none_or(|byte| *byte == b'{') || score(head) > 0
}

/// Returns the human-readable name of a skeleton, or `None` for other files.
pub fn kind(bytes: &[u8]) -> Option<&'static str> {
    if binary_version(bytes).is_some() {
        return Some("Spine skeleton (binary)");
    }
    is_spine(bytes).then_some("Spine skeleton (JSON)")
}

/// Returns true if the text has more keys of a skeleton than of other characters.
fn is_spine(text: &[u8]) -> bool {
    let text = without_bom(text);
    let mut lead: i32 = 0;
    for (key, value_at) in Keys::of(text) {
        let opens_with = |byte| text.get(value_at) == Some(&byte);
        lead += match key {
            b"skeleton" if opens_with(b'{') => 2,
            b"slots" | b"skins" | b"ik" | b"transform" | b"path" | b"events" => 1,
            b"animations" if opens_with(b'{') => 1,
            b"animations" if opens_with(b'[') => -1,
            b"version" | b"fps" | b"images" | b"meshes" => -1,
            _ => 0,
        };
        if lead.abs() >= CLEAR {
            break;
        }
    }
    lead > 0
}

/// Returns the version of a binary skeleton. It follows a hash, which is text up to 3.8 and eight bytes in 4. In
/// older files it is known to be near the start, preceded by its length.
pub fn binary_version(bytes: &[u8]) -> Option<&str> {
    binary_version_at(bytes).map(|(text, _)| text)
}

/// Like [`binary_version`], with the offset of the version.
pub fn binary_version_at(bytes: &[u8]) -> Option<(&str, usize)> {
    let text_at = |at: usize| {
        let len = usize::from(*bytes.get(at)?);
        let text = bytes.get(at + 1..at + len.max(1))?;
        Some((std::str::from_utf8(text).ok()?, at + 1))
    };
    if without_bom(bytes).trim_ascii_start().first() == Some(&b'{') {
        return None;
    }
    let after_hash = text_at(0).and_then(|(hash, start)| text_at(start + hash.len()));
    let found = [text_at(8), after_hash].into_iter().flatten();
    found.into_iter().find(|(text, _)| is_version(text)).or_else(|| version_within(bytes))
}

/// Maximum length of a version in bytes.
const MAX_VERSION: usize = 40;

/// Returns true if `text` starts with two numbers, as `4.2.43` and `3.8-from-4.0.64` do.
pub fn is_version(text: &str) -> bool {
    let number = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (major, rest) = text.split_at(number(text));
    let minor = rest.strip_prefix('.').map_or(0, number);
    let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic());
    is_plain && text.len() <= MAX_VERSION && (1..=2).contains(&major.len()) && (1..=3).contains(&minor)
}

/// Maximum number of bytes in which [`version_within`] searches for a version.
const VERSION_WITHIN: usize = 64;

/// Finds the first three numbers separated by dots that are preceded by the length of the text, or that length
/// plus one.
fn version_within(bytes: &[u8]) -> Option<(&str, usize)> {
    let head = &bytes[..bytes.len().min(VERSION_WITHIN)];
    let is_part = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
    (1..head.len()).find_map(|start| {
        let len = head[start..].iter().take_while(|byte| is_part(byte)).count();
        let is_len = [len, len + 1].contains(&usize::from(head[start - 1]));
        let text = std::str::from_utf8(&head[start..start + len]).ok().filter(|_| is_len)?;
        let numbers = text.split('.').filter(|part| part.parse::<u16>().is_ok()).count();
        (numbers == 3 && text.split('.').count() == 3).then_some((text, start))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binary_skeletons_state_their_version() {
        let mut old = vec![28];
        old.extend(b"abcdefghijklmnopqrstuvwxyz!");
        old.extend(b"\x073.8.75");
        assert_eq!(binary_version(&old), Some("3.8.75"));
        assert_eq!(binary_version(b"\x01\x02\x03\x04\x05\x06\x07\x08\x074.1.17rest"), Some("4.1.17"));
        assert_eq!(binary_version(b"{ \"skeleton\": { \"spine\": \"3.8.75\" } }"), None);
        assert_eq!(binary_version(b""), None);
        // After anything, preceded by its length or by one more.
        assert_eq!(binary_version(b"\0\x07\x062.1.08\x42"), Some("2.1.08"));
        assert_eq!(binary_version(b"\xff\xfe\x072.1.27\x42"), Some("2.1.27"));
        assert_eq!(binary_version(b"\xff\xfe\x092.1.27\x42"), None);
        assert_eq!(binary_version(b"\xff\xfe\x042.1"), None);
        assert_eq!(score(b"PCHR\x01\0\0\0"), 0);
    }

    #[test]
    fn keys_are_recognised_in_any_order() {
        let is = |text: &str| is_spine(text.as_bytes());
        assert!(is(r#"{"skeleton": {"spine": "3.8.75"}, "bones": []}"#));
        assert!(is("\u{feff}\n{ \"skeleton\" : {\"hash\": \"\\\"}"));
        assert!(is(r#"{"bones": [{"name": "a\"}"}], "slots": [], "animations": {}}"#));
        assert!(is(r#"{"animations": {"a": {"b": [1, {}]}}, "bones": [], "skeleton": {}}"#));
        // An unknown key does not turn another character into a skeleton.
        assert!(!is(r#"{"skeleton": {}, "version": 1, "fps": 24, "images": [], "bones": [], "meshes": []}"#));
        assert!(!is(r#"{"version": 1, "slots": [], "animations": []}"#));
        assert!(!is(r#"{"bones": [], "animations": []}"#));
        assert!(!is(r#"{"note": {"skeleton": {}, "slots": []}}"#));
        assert!(!is("[1]") && !is("{}") && !is("{\"slots") && !is("") && !is("{\"slots\" 1"));
    }
}
