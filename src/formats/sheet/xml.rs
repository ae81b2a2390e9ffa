//! XML → a stream of elements, safe against expansion attacks.
//!
//! A `DOCTYPE` with declarations is rejected, so no entity can be expanded; the nesting depth is checked against
//! the limit for JSON. UTF-16 is supported if the text starts with a byte order mark.

use std::borrow::Cow;

use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

use crate::error::{Error, Place, Result};
use crate::formats::detect::json::without_bom;
use crate::limits::Budget;

/// The text of a file.
pub struct Text<'a> {
    text: Cow<'a, str>,
    /// Offset of the text in the file.
    start: u64,
    /// True if the file is UTF-16, so that offsets in the text are not offsets in the file.
    is_wide: bool,
}

impl Text<'_> {
    /// Returns true if a comment contains `words`.
    pub fn has_comment(&self, words: &str) -> bool {
        let comments = self.text.split("<!--").skip(1);
        comments.flat_map(|rest| rest.split("-->").next()).any(|comment| comment.contains(words))
    }
}

#[cfg(test)]
impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Self {
        Self { text: Cow::Borrowed(text), start: 0, is_wide: false }
    }
}

/// Decodes the text of a file.
pub fn text<'a>(bytes: &'a [u8], budget: &mut Budget<'_>) -> Result<Text<'a>> {
    let wide: Option<fn([u8; 2]) -> u16> = match bytes {
        [0xff, 0xfe, ..] => Some(u16::from_le_bytes),
        [0xfe, 0xff, ..] => Some(u16::from_be_bytes),
        _ => None,
    };
    let Some(unit) = wide else {
        let text = without_bom(bytes);
        let offset = (bytes.len() - text.len()) as u64;
        return std::str::from_utf8(text)
            .map(|text| Text { text: Cow::Borrowed(text), start: offset, is_wide: false })
            .map_err(|error| {
                let place = Place::at("", offset + error.valid_up_to() as u64);
                Error::malformed("bad-utf8", place, "the XML is not valid UTF-8")
            });
    };
    // At most three bytes of UTF-8 for two of UTF-16.
    budget.charge_memory(bytes.len() as u64, 2, || Place::at("", 0))?;
    let units = bytes[2..].as_chunks().0.iter().map(|pair| unit(*pair));
    let text: Result<String, _> = char::decode_utf16(units).collect();
    text.map(|text| Text { text: Cow::Owned(text), start: 2, is_wide: true })
        .map_err(|_| Error::malformed("bad-utf8", Place::at("", 2), "the XML is not valid UTF-16"))
}

/// A part of an XML document.
pub enum Part<'a> {
    /// The start of an element; the flag is true if the element is empty and has no `End`.
    Start(Element<'a>, bool),
    End,
    /// A piece of text; entities are separate pieces.
    Text(Cow<'a, str>),
}

/// An element and its offset.
pub struct Element<'a> {
    inner: BytesStart<'a>,
    pub offset: u64,
}

impl<'a> Element<'a> {
    /// Returns the name without a namespace.
    pub fn name(&self) -> String {
        String::from_utf8_lossy(self.inner.local_name().as_ref()).into_owned()
    }

    /// Calls `take` with the name and value of each attribute.
    pub fn attributes(&self, mut take: impl FnMut(&str, Cow<'_, str>)) -> Result<()> {
        for attribute in self.inner.attributes().with_checks(false) {
            let attribute = attribute.map_err(|error| unreadable(self.offset, &error.into()))?;
            let raw = std::str::from_utf8(&attribute.value).unwrap_or_default();
            // Invalid entities are kept verbatim.
            let value = quick_xml::escape::unescape(raw).unwrap_or(Cow::Borrowed(raw));
            take(&String::from_utf8_lossy(attribute.key.as_ref()), value);
        }
        Ok(())
    }
}

/// Iterates over a document.
pub struct Parts<'a> {
    reader: Reader<&'a [u8]>,
    text: &'a Text<'a>,
    depth: u64,
    has_root: bool,
}

impl<'a> Parts<'a> {
    pub fn of(text: &'a Text<'_>) -> Self {
        Self { reader: Reader::from_str(&text.text), text, depth: 0, has_root: false }
    }

    /// Returns the offset of the next part in the file; for UTF-16, the offset of the whole text.
    pub fn offset(&self) -> u64 {
        self.in_file(self.reader.buffer_position())
    }

    fn in_file(&self, position: u64) -> u64 {
        if self.text.is_wide { self.text.start } else { self.text.start + position }
    }

    /// Returns the next part, or `None` at the end.
    pub fn next(&mut self, budget: &Budget<'_>) -> Result<Option<Part<'a>>> {
        loop {
            let offset = self.offset();
            let event = self.reader.read_event();
            let event = event.map_err(|error| unreadable(self.in_file(self.reader.error_position()), &error))?;
            match event {
                Event::Start(start) => {
                    self.depth += 1;
                    budget.check_json_depth(self.depth, || Place::at("", offset))?;
                    self.has_root = true;
                    return Ok(Some(Part::Start(Element { inner: start, offset }, false)));
                }
                Event::Empty(start) => {
                    self.has_root = true;
                    return Ok(Some(Part::Start(Element { inner: start, offset }, true)));
                }
                Event::End(_) => {
                    self.depth = self.depth.saturating_sub(1);
                    return Ok(Some(Part::End));
                }
                Event::Text(text) => return Ok(Some(Part::Text(decoded(text.decode(), offset)?))),
                Event::CData(text) => return Ok(Some(Part::Text(decoded(text.decode(), offset)?))),
                Event::GeneralRef(reference) => {
                    let name = decoded(reference.decode(), offset)?;
                    let char = reference.resolve_char_ref().map_err(|error| unreadable(offset, &error))?;
                    let text = match (char, quick_xml::escape::resolve_predefined_entity(&name)) {
                        (Some(char), _) => Cow::Owned(char.to_string()),
                        (None, Some(text)) => Cow::Borrowed(text),
                        (None, None) => {
                            let message = format!("the entity `{name}` is not declared");
                            return Err(Error::malformed("bad-xml", Place::at("", offset), message));
                        }
                    };
                    return Ok(Some(Part::Text(text)));
                }
                Event::DocType(text) if text.contains(&b'[') => {
                    let message = "the document declares its own entities or elements (an internal DTD), which is \
                    not supported; remove the part in `[ ]` after `<!DOCTYPE`";
                    return Err(Error::unsupported("xml-dtd", Place::at("", offset), message));
                }
                Event::DocType(_) | Event::Decl(_) | Event::PI(_) | Event::Comment(_) => {}
                Event::Eof if self.depth > 0 || !self.has_root => {
                    let message = "the XML ends before its last element is closed";
                    return Err(Error::malformed("bad-xml", Place::at("", offset), message));
                }
                Event::Eof => return Ok(None),
            }
        }
    }
}

fn decoded<'a>(
    text: Result<Cow<'a, str>, quick_xml::encoding::EncodingError>,
    offset: u64,
) -> Result<Cow<'a, str>> {
    text.map_err(|error| unreadable(offset, &error.into()))
}

fn unreadable(offset: u64, error: &quick_xml::Error) -> Error {
    Error::malformed("bad-xml", Place::at("", offset), format!("invalid XML: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    fn walk(text: &str) -> Result<usize> {
        let limits = Limits::default();
        let text = Text::from(text);
        let (budget, mut parts, mut count) = (Budget::new(&limits), Parts::of(&text), 0);
        while parts.next(&budget)?.is_some() {
            count += 1;
        }
        Ok(count)
    }

    #[test]
    fn expansion_attacks_are_rejected() {
        let laughs = "<!DOCTYPE a [<!ENTITY b \"cc\"><!ENTITY d \"&b;&b;\">]><a>&d;</a>";
        assert_eq!(walk(laughs).unwrap_err().code(), "xml-dtd");
        assert_eq!(walk("<a>&b;</a>").unwrap_err().code(), "bad-xml");
        let deep = "<a>".repeat(1_000_000);
        assert_eq!(walk(&deep).unwrap_err().code(), "limit-exceeded");
        for broken in ["", "<a>", "<a></b>", "<a", "<?xml?>", "<a>&#xffffffff;</a>"] {
            assert_eq!(walk(broken).unwrap_err().code(), "bad-xml", "{broken}");
        }
        assert_eq!(walk("<!DOCTYPE a PUBLIC \"-//X\" \"http://x\"><a>1&amp;&#65;</a>").unwrap(), 5);
    }
}
