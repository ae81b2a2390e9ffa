//! The version that a file states, which is found without parsing the file.

use crate::formats::detect::json::{Keys, end_of_string, without_bom};
use crate::formats::detect::spine::binary_version;

/// Returns the version stated in a binary skeleton, or in JSON if it can be found without parsing.
pub fn stated_version(bytes: &[u8]) -> Option<&str> {
    if let Some(version) = binary_version(bytes) {
        return Some(version);
    }
    let text = without_bom(bytes);
    let (_, skeleton_at) = Keys::of(text).find(|(key, _)| key == b"skeleton")?;
    let skeleton = &text[skeleton_at..];
    let (_, version_at) = Keys::of(skeleton).find(|(key, _)| key == b"spine")?;
    let string = end_of_string(skeleton, version_at)?;
    std::str::from_utf8(&skeleton[version_at + 1..string - 1]).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_found_without_parsing() {
        let found = |text: &'static str| stated_version(text.as_bytes());
        assert_eq!(found(r#"{"bones": [{}], "skeleton": {"a": {"spine": "1"}, "spine": "4.1"}}"#), Some("4.1"));
        assert_eq!(found(r#"{"skeleton": {"spine": 4}}"#), None);
        assert_eq!(found(r#"{"skeleton": 4, "spine": "4"}"#), None);
        assert_eq!(found(r#"{"skeleton": {"spine": "4"#), None);
    }
}
