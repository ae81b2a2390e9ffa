//! JSON text without parsing it: whether it is any, and the outermost keys, which say what kind of file it is and which
//! version.

const BOM: &[u8] = b"\xef\xbb\xbf";

/// The text without the mark that some editors put in front.
pub fn without_bom(text: &[u8]) -> &[u8] {
    text.strip_prefix(BOM).unwrap_or(text)
}

/// Whether a file begins as JSON with an object in it does.
pub fn is_json(head: &[u8]) -> bool {
    without_bom(head).iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{')
}

/// The keys of an object as they are written, and where the value of each begins.
pub struct Keys<'a> {
    text: &'a [u8],
    /// At the value of the last key, or behind the bracket.
    at: usize,
    is_first: bool,
}

impl<'a> Keys<'a> {
    /// Those of the object that `text` begins with; none of anything else.
    pub fn of(text: &'a [u8]) -> Self {
        let opens = text.iter().position(|byte| !byte.is_ascii_whitespace()).filter(|&at| text[at] == b'{');
        Self { text, at: opens.map_or(text.len(), |at| at + 1), is_first: true }
    }

    fn skip_spaces(&mut self) {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    /// To the comma behind a value, or to the end of the object.
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

/// Behind the string that begins at `at`.
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
