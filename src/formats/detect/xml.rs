//! Detection of the root element of XML without parsing it.

use super::json::without_bom;

/// The root element of a document.
#[derive(Debug, PartialEq, Eq)]
pub enum Root {
    Named(Vec<u8>),
    /// Not found within the bytes.
    NotYet,
    /// Not XML.
    None,
}

/// Finds the root element without parsing, in the first bytes of a file or in all of it.
fn root(bytes: &[u8]) -> Root {
    let mut rest = without_bom(bytes).trim_ascii_start();
    if !rest.starts_with(b"<") {
        return Root::None;
    }
    let after = |rest: &'_ [u8], end: &[u8]| rest.windows(end.len()).position(|found| found == end);
    loop {
        let end: &[u8] = match rest {
            [] | [b'<'] | [b'<', b'!'] => return Root::NotYet,
            [b'<', b'?', ..] => b"?>",
            [b'<', b'!', b'-', ..] => b"-->",
            [b'<', b'!', declared @ ..] => match declared.iter().find(|byte| matches!(byte, b'[' | b'>')) {
                Some(b'[') => b"]>",
                _ => b">",
            },
            [b'<', name @ ..] => {
                let is_end = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/');
                return name.iter().position(is_end).map_or(Root::NotYet, |end| Root::Named(name[..end].to_vec()));
            }
            _ => return Root::None,
        };
        let Some(at) = after(rest, end) else { return Root::NotYet };
        rest = rest[at + end.len()..].trim_ascii_start();
    }
}

/// Returns the name of the root element. Supports UTF-16.
pub fn root_name(bytes: &[u8]) -> Root {
    if !matches!(bytes, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]) {
        return root(bytes);
    }
    // The names are ASCII, so every other byte is enough.
    let is_little = bytes[0] == 0xff;
    let narrow: Vec<u8> = bytes[2..]
        .as_chunks::<2>()
        .0
        .iter()
        .take(MAX_PROLOG)
        .map(|pair| if is_little { pair[0] } else { pair[1] })
        .collect();
    root(&narrow)
}

/// Maximum number of characters in which the root element of a UTF-16 file is searched for.
const MAX_PROLOG: usize = 4096;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_is_found_before_anything_is_parsed() {
        let named = |text: &'static str, name: &str| assert_eq!(root(text.as_bytes()), Root::Named(name.into()));
        named("<a>", "a");
        named(
            "\u{feff} <?xml version=\"1.0\"?>\n<!-- <b> -->\n<!DOCTYPE plist PUBLIC \"x\" \"y\">\n<plist ",
            "plist",
        );
        named("<!DOCTYPE a [<!ENTITY b \"c\">]><a/>", "a");
        named("<!DOCTYPE a><a><![CDATA[<b/>]]></a>", "a");
        for text in ["<", "<?xml", "<!-- ", "<!DOCTYPE a", "<!DOCTYPE a [<!ENTITY b \"c\">", "<?xml?>  ", "<plis"]
        {
            assert_eq!(root(text.as_bytes()), Root::NotYet, "{text}");
        }
        for text in ["", "  ", "a<b>", "{", "<?a?>b"] {
            assert!(matches!(root(text.as_bytes()), Root::None | Root::NotYet), "{text}");
        }
    }
}
