//! Detects atlases from their first lines.

/// The properties of a page.
pub const PAGE_KEYS: [&str; 6] = ["size", "format", "filter", "repeat", "pma", "scale"];

/// Checks whether `bytes`, the start of a file or all of it, is an atlas: the name of a page and a property of it.
pub fn resembles_atlas(bytes: &[u8]) -> Resemblance {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    let (name, next) = match text.iter().position(|byte| *byte == b'\n') {
        Some(end) => (text[..end].trim_ascii_end(), Some(&text[end + 1..])),
        None => (text.trim_ascii_end(), None),
    };
    if name.is_empty() || matches!(name[0], b'{' | b'<' | b'[') || name.iter().any(u8::is_ascii_control) {
        return Resemblance::None;
    }
    let Some(next) = next else {
        let name = name.to_ascii_lowercase();
        let has_extension = [&b".png"[..], b".jpg", b".jpeg", b".webp"].iter().any(|end| name.ends_with(end));
        return if has_extension { Resemblance::Possible } else { Resemblance::None };
    };
    let line = &next[..next.iter().position(|byte| *byte == b'\n').unwrap_or(next.len())];
    let key = line.split(|byte| *byte == b':').next().unwrap_or_default().trim_ascii();
    if line.contains(&b':') {
        let is_known = PAGE_KEYS.iter().any(|known| known.as_bytes() == key);
        return if is_known { Resemblance::Sure } else { Resemblance::None };
    }
    // The line is truncated.
    let may_be_known = PAGE_KEYS.iter().any(|known| known.as_bytes().starts_with(key));
    if line.len() == next.len() && may_be_known { Resemblance::Possible } else { Resemblance::None }
}

/// The likelihood that a file has a given format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resemblance {
    None,
    /// More bytes are needed to decide.
    Possible,
    Sure,
}
