//! Detection of JSON without parsing it. The top-level keys identify the kind of file and its version.

const BOM: &[u8] = b"\xef\xbb\xbf";

/// Strips the byte order mark that some editors add.
pub fn without_bom(text: &[u8]) -> &[u8] {
    text.strip_prefix(BOM).unwrap_or(text)
}

/// JSON text and its position.
#[cfg(any(feature = "pachario", feature = "spine", feature = "sheet", feature = "animate"))]
#[derive(Debug, Clone, Copy)]
pub struct JsonText<'a> {
    /// UTF-8.
    pub text: &'a [u8],
    /// Offset from the start of the file.
    pub offset: u64,
}

#[cfg(any(feature = "pachario", feature = "spine", feature = "sheet", feature = "animate"))]
impl<'a> JsonText<'a> {
    /// Returns the text of a file that contains nothing else.
    pub fn of(bytes: &'a [u8]) -> Self {
        Self { text: bytes, offset: 0 }
    }

    /// Strips the byte order mark.
    pub fn without_bom(self) -> Self {
        let text = without_bom(self.text);
        Self { text, offset: self.offset.saturating_add((self.text.len() - text.len()) as u64) }
    }
}

/// Returns true if a file starts like a JSON object.
pub fn is_json(head: &[u8]) -> bool {
    without_bom(head).iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{')
}

/// An iterator over the raw keys of an object and the offsets of their values.
pub struct Keys<'a> {
    text: &'a [u8],
    /// Offset of the value of the last key, or after the opening bracket.
    at: usize,
    is_first: bool,
}

impl<'a> Keys<'a> {
    /// Iterates over the object at the start of `text`; empty for other text.
    pub fn of(text: &'a [u8]) -> Self {
        let opens = text.iter().position(|byte| !byte.is_ascii_whitespace()).filter(|&at| text[at] == b'{');
        Self { text, at: opens.map_or(text.len(), |at| at + 1), is_first: true }
    }

    fn skip_spaces(&mut self) {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    /// Advances to the comma after a value. Returns `None` at the end of the object.
    fn skip_value(&mut self) -> Option<()> {
        let mut depth = 0usize;
        loop {
            match self.text.get(self.at)? {
                b'"' => {
                    self.at = end_of_string(self.text, self.at)?;
                    continue;
                }
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth = depth.checked_sub(1)?,
                b',' if depth == 0 => return Some(()),
                _ => {}
            }
            self.at += 1;
        }
    }
}

impl<'a> Iterator for Keys<'a> {
    type Item = (&'a [u8], usize);

    fn next(&mut self) -> Option<Self::Item> {
        if !std::mem::take(&mut self.is_first) {
            self.skip_value()?;
            self.at += 1;
        }
        self.skip_spaces();
        let key_at = self.at;
        self.at = end_of_string(self.text, key_at)?;
        let key = &self.text[key_at + 1..self.at - 1];
        self.skip_spaces();
        if self.text.get(self.at) != Some(&b':') {
            return None;
        }
        self.at += 1;
        self.skip_spaces();
        Some((key, self.at))
    }
}

/// Returns the offset after the string that starts at `at`.
pub fn end_of_string(text: &[u8], at: usize) -> Option<usize> {
    if text.get(at) != Some(&b'"') {
        return None;
    }
    let mut at = at + 1;
    loop {
        match text.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}
