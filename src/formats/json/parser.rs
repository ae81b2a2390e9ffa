//! JSON text, whose values are pulled one after another in a single pass.
//!
//! Numbers have the value that `serde_json` gives them, to the bit, and the same texts are refused, apart from the limits on
//! depth; a test in `read.rs` compares both. Strings are borrowed unless they contain escapes. Depth is checked before a
//! list or object is entered, so readers may recurse.

#[cfg(any(feature = "spine", feature = "animate"))]
pub mod plain;

use std::borrow::Cow;
use std::fmt::Display;
use std::ops::Range;

use serde::de::Unexpected;

/// Maximum nesting depth, even if the caller allows more.
const MAX_DEPTH: usize = 127;

/// Up to this many digits fit into 64 bits.
const MAX_DIGITS: usize = 19;

/// Whole numbers up to this are exact.
const MAX_EXACT: u64 = 1 << f64::MANTISSA_DIGITS;

/// The bits of a number of 64 bits for which 32 bits have no room, and their value halfway between two numbers.
const LOST: u64 = (1 << 29) - 1;
const HALF: u64 = 1 << 28;

const TOO_LARGE: &str = "the number does not fit in 32 bits";

/// The powers of ten that are exact.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
    1e20, 1e21, 1e22,
];

pub type Result<T> = std::result::Result<T, Box<ParseError>>;

/// Why a text cannot be read.
#[derive(Debug)]
pub struct ParseError {
    pub kind: ParseErrorKind,
    /// The offset in the text; the length of the text if it ends too early. `None` while it is not known.
    pub at: Option<usize>,
    /// True if it lies between values: the JSON pointer is that of the list or object.
    pub is_between: bool,
    pub message: Cow<'static, str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParseErrorKind {
    /// The text is not JSON.
    Syntax,
    /// A value is not what it should be.
    Value,
    /// Lists and objects nest more deeply than allowed. The depth.
    Depth(u64),
}

/// Something odd about a value, with which the text can be read all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Oddity {
    /// An unknown key; the reader ignores its value, which contains this.
    Ignored(Content),
    /// It is 0 or 1, and is read as a boolean.
    NumberAsBoolean,
}

/// What an ignored value contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// `null`, or an empty string, list or object.
    Nothing,
    /// A string.
    Text,
    Other,
}

/// A number as it is written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Numeral {
    Whole(u64),
    Negative(i64),
    Float(f64),
}

impl Numeral {
    fn unexpected(self) -> Unexpected<'static> {
        match self {
            Self::Whole(number) => Unexpected::Unsigned(number),
            Self::Negative(number) => Unexpected::Signed(number),
            Self::Float(number) => Unexpected::Float(number),
        }
    }
}

/// A position in JSON text, from which values are read.
pub struct Parser<'a> {
    text: &'a [u8],
    /// The longest prefix of the text that is valid UTF-8.
    valid: &'a str,
    at: usize,
    /// The number of lists and objects around the next value.
    depth: usize,
    max_depth: u64,
    /// The offsets of odd values.
    pub odd: Vec<(usize, Oddity)>,
    /// Whether 0 and 1 may stand for booleans.
    takes_numbers: bool,
    /// True inside an ignored value, where invalid UTF-8 and lone surrogates are accepted, as `serde_json` does.
    is_skipping: bool,
}

impl<'a> Parser<'a> {
    /// `max_depth`: how many lists and objects may be inside each other.
    pub fn new(text: &'a [u8], max_depth: u64, takes_numbers: bool) -> Self {
        let valid = match std::str::from_utf8(text) {
            Ok(valid) => valid,
            Err(error) => std::str::from_utf8(&text[..error.valid_up_to()]).unwrap_or_default(),
        };
        Self { text, valid, at: 0, depth: 0, max_depth, odd: Vec::new(), takes_numbers, is_skipping: false }
    }

    /// Skips white space, and returns the next byte.
    #[inline]
    pub fn peek(&mut self) -> Option<u8> {
        let mut next = *self.text.get(self.at)?;
        if next == b' ' {
            self.at += 1;
            next = *self.text.get(self.at)?;
        }
        if next > b' ' { Some(next) } else { self.after_space() }
    }

    /// Likewise, if there may be more than one space.
    fn after_space(&mut self) -> Option<u8> {
        let rest = &self.text[self.at..];
        let is_space = |byte: &u8| matches!(byte, b' ' | b'\n' | b'\t' | b'\r');
        let len = rest.iter().position(|byte| !is_space(byte)).unwrap_or(rest.len());
        self.at += len;
        rest.get(len).copied()
    }

    /// The offset of the next value.
    #[inline]
    pub fn start(&mut self) -> usize {
        self.peek();
        self.at
    }

    /// Checks that nothing follows.
    pub fn end(&mut self) -> Result<()> {
        match self.peek() {
            Some(_) => Err(self.between("trailing characters")),
            None => Ok(()),
        }
    }

    /// The error for a value at `at`.
    #[cold]
    pub fn refused(&self, at: usize, message: impl Into<Cow<'static, str>>) -> Box<ParseError> {
        Box::new(ParseError {
            kind: ParseErrorKind::Value,
            at: Some(at),
            is_between: false,
            message: message.into(),
        })
    }

    #[cold]
    fn syntax(&self, at: usize, message: &'static str) -> Box<ParseError> {
        Box::new(ParseError {
            kind: ParseErrorKind::Syntax,
            at: Some(at),
            is_between: false,
            message: message.into(),
        })
    }

    /// The error for what is between values.
    #[cold]
    pub fn between(&self, message: &'static str) -> Box<ParseError> {
        Box::new(ParseError { is_between: true, ..*self.syntax(self.at, message) })
    }

    /// The error for the next value, which is something else.
    #[cold]
    pub fn unexpected(&mut self, expected: &dyn Display) -> Box<ParseError> {
        let start = self.start();
        let number;
        let text;
        let found = match self.text.get(start) {
            Some(b'{') => Unexpected::Map,
            Some(b'[') => Unexpected::Seq,
            Some(b'"') => match self.string() {
                Ok(string) => {
                    text = string;
                    Unexpected::Str(&text)
                }
                Err(fault) => return fault,
            },
            Some(b'-' | b'0'..=b'9') => match self.numeral() {
                Ok(numeral) => {
                    number = numeral;
                    number.unexpected()
                }
                Err(fault) => return fault,
            },
            _ => match self.literal() {
                Ok(Some(is)) => Unexpected::Bool(is),
                Ok(None) => Unexpected::Unit,
                Err(fault) => return fault,
            },
        };
        self.refused(start, described(found, expected))
    }

    /// `true`, `false` or, as `None`, `null`.
    pub fn literal(&mut self) -> Result<Option<bool>> {
        let (word, is): (&[u8], _) = match self.peek() {
            Some(b't') => (b"true", Some(true)),
            Some(b'f') => (b"false", Some(false)),
            Some(b'n') => (b"null", None),
            Some(_) => return Err(self.syntax(self.at, "expected value")),
            None => return Err(self.syntax(self.at, "the file ends where a value should be")),
        };
        let rest = &self.text[self.at..];
        match word.iter().zip(rest).position(|(expected, found)| expected != found) {
            Some(place) => Err(self.syntax(self.at + place, "expected ident")),
            None if rest.len() < word.len() => {
                Err(self.syntax(self.text.len(), "the file ends where a value should be"))
            }
            None => {
                self.at += word.len();
                Ok(is)
            }
        }
    }

    /// Skips `null`; false if the next value is another.
    #[inline]
    pub fn null(&mut self) -> Result<bool> {
        Ok(self.peek() == Some(b'n') && self.literal()?.is_none())
    }

    /// A boolean, for which 0 and 1 may stand.
    pub fn boolean(&mut self) -> Result<bool> {
        let start = self.start();
        match self.text.get(start) {
            Some(b't' | b'f') => Ok(self.literal()? == Some(true)),
            Some(b'-' | b'0'..=b'9') if self.takes_numbers => match self.numeral()? {
                Numeral::Whole(number @ (0 | 1)) => Ok(self.number_as_boolean(start, number == 1)),
                Numeral::Float(number @ (0.0 | 1.0)) => Ok(self.number_as_boolean(start, number == 1.0)),
                other => Err(self.refused(start, described(other.unexpected(), &"a boolean"))),
            },
            _ => Err(self.unexpected(&"a boolean")),
        }
    }

    fn number_as_boolean(&mut self, start: usize, is: bool) -> bool {
        self.odd.push((start, Oddity::NumberAsBoolean));
        is
    }

    /// The nearest number of 32 bits to the number that was read from `start`, and has been rounded to 64 bits.
    #[inline]
    pub fn narrow(&self, wide: f64, start: usize) -> Result<f32> {
        let mut number = wide as f32;
        let is_tiny = wide.abs() < f64::from(f32::MIN_POSITIVE) && wide != 0.0;
        if wide.to_bits() & LOST == HALF || is_tiny {
            // Rounded twice, it might be the neighbour.
            let digits = std::str::from_utf8(&self.text[start..self.at]).unwrap_or_default();
            number = digits.parse().unwrap_or(number);
        }
        if number.is_finite() { Ok(number) } else { Err(self.refused(start, TOO_LARGE)) }
    }

    /// The number that begins here.
    pub fn numeral(&mut self) -> Result<Numeral> {
        let (text, start) = (self.text, self.at);
        let mut at = start;
        let is_negative = text.get(at) == Some(&b'-');
        at += usize::from(is_negative);
        let first = at;
        let (whole, mut mantissa) = digits_of(&text[first..], 0);
        at += whole;
        if whole == 0 {
            return Err(self.bad_number(at));
        }
        if whole > 1 && text[first] == b'0' {
            return Err(self.bad_number(first + 1));
        }
        let mut parts = 0;
        let is_whole = !matches!(text.get(at), Some(b'.' | b'e' | b'E'));
        if text.get(at) == Some(&b'.') {
            (parts, mantissa) = digits_of(&text[at + 1..], mantissa);
            at += 1 + parts;
            if parts == 0 {
                return Err(self.bad_number(at));
            }
        }
        let mut exponent = 0_i32;
        if let Some(b'e' | b'E') = text.get(at) {
            at += 1;
            let is_negative = text.get(at) == Some(&b'-');
            at += usize::from(matches!(text.get(at), Some(b'+' | b'-')));
            let start = at;
            while let Some(digit @ b'0'..=b'9') = text.get(at) {
                exponent = exponent.saturating_mul(10).saturating_add(i32::from(digit - b'0'));
                at += 1;
            }
            if at == start {
                return Err(self.bad_number(at));
            }
            exponent = if is_negative { -exponent } else { exponent };
        }
        self.at = at;
        let power = i64::from(exponent) - parts as i64;
        let (is_exact, mantissa) = (whole + parts <= MAX_DIGITS, mantissa as u64);
        if is_exact && is_whole {
            return Ok(match (is_negative, 0_i64.checked_sub_unsigned(mantissa)) {
                (false, _) => Numeral::Whole(mantissa),
                (true, Some(number)) if number < 0 => Numeral::Negative(number),
                (true, _) => Numeral::Float(-(mantissa as f64)),
            });
        }
        let place = power.unsigned_abs() as usize;
        if is_exact
            && mantissa <= MAX_EXACT
            && let Some(scale) = POWERS.get(place)
        {
            // Both are exact, so the result is rounded once.
            let number = if power < 0 { mantissa as f64 / scale } else { mantissa as f64 * scale };
            return Ok(Numeral::Float(if is_negative { -number } else { number }));
        }
        let digits = std::str::from_utf8(&text[start..at]).unwrap_or_default();
        if is_whole && let Ok(number) = digits.parse() {
            return Ok(Numeral::Whole(number));
        }
        match digits.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Numeral::Float(number)),
            _ => Err(self.refused(start, TOO_LARGE)),
        }
    }

    #[cold]
    fn bad_number(&self, at: usize) -> Box<ParseError> {
        let ends = at >= self.text.len();
        self.syntax(at, if ends { "the file ends where a value should be" } else { "invalid number" })
    }

    /// A string.
    #[inline]
    pub fn text(&mut self) -> Result<Cow<'a, str>> {
        match self.peek() {
            Some(b'"') => self.string(),
            _ => Err(self.unexpected(&"a string")),
        }
    }

    /// The string that begins here.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn string(&mut self) -> Result<Cow<'a, str>> {
        let start = self.at + 1;
        let mut at = start;
        while let Some(&byte) = self.text.get(at) {
            match byte {
                // Most are lower-case letters.
                b']'.. => at += 1,
                b'"' => {
                    self.at = at + 1;
                    return Ok(Cow::Borrowed(self.slice(start..at)?));
                }
                b'\\' | 0..0x20 => return self.escaped(start).map(Cow::Owned),
                _ => at += 1,
            }
        }
        Err(self.syntax(self.text.len(), "the file ends inside a string; it is incomplete"))
    }

    /// A part of the text without escapes.
    #[inline]
    fn slice(&self, range: Range<usize>) -> Result<&'a str> {
        match self.valid.get(range.clone()) {
            Some(text) => Ok(text),
            None if self.is_skipping => Ok("\u{fffd}"),
            None => std::str::from_utf8(&self.text[range.clone()])
                .map_err(|error| self.syntax(range.start + error.valid_up_to(), "invalid unicode code point")),
        }
    }

    /// The string whose content begins at `from`, with escapes.
    fn escaped(&mut self, mut from: usize) -> Result<String> {
        let mut string = String::new();
        let mut at = from;
        loop {
            match self.text.get(at) {
                None => return Err(self.syntax(at, "the file ends inside a string; it is incomplete")),
                Some(b'"') => {
                    string.push_str(self.slice(from..at)?);
                    self.at = at + 1;
                    return Ok(string);
                }
                Some(b'\\') => {
                    string.push_str(self.slice(from..at)?);
                    let (char, after) = self.escape(at + 1)?;
                    string.push(char);
                    (at, from) = (after, after);
                }
                Some(0..0x20) => {
                    let message = "control character (\\u0000-\\u001F) found while parsing a string";
                    return Err(self.syntax(at, message));
                }
                Some(_) => at += 1,
            }
        }
    }

    /// The character of an escape at the byte after its backslash, and the offset after it.
    fn escape(&self, at: usize) -> Result<(char, usize)> {
        let plain = match self.text.get(at) {
            None => return Err(self.syntax(at, "the file ends inside a string; it is incomplete")),
            Some(byte @ (b'"' | b'\\' | b'/')) => char::from(*byte),
            Some(b'b') => '\x08',
            Some(b'f') => '\x0c',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unit(at + 1),
            Some(_) => return Err(self.syntax(at, "invalid escape")),
        };
        Ok((plain, at + 1))
    }

    /// The character of one or two escaped units of UTF-16.
    fn unit(&self, at: usize) -> Result<(char, usize)> {
        let hex = |at: usize| {
            let ends = || self.syntax(self.text.len(), "the file ends inside a string; it is incomplete");
            let digits = self.text.get(at..at + 4).ok_or_else(ends)?;
            let digit = |number: Option<u32>, digit: &u8| Some(number? * 16 + char::from(*digit).to_digit(16)?);
            digits.iter().fold(Some(0), digit).ok_or_else(|| self.syntax(at, "invalid escape"))
        };
        let first = hex(at)?;
        if self.is_skipping {
            return Ok((char::REPLACEMENT_CHARACTER, at + 4));
        }
        if !(0xd800..0xdc00).contains(&first) {
            let char = char::from_u32(first);
            return Ok((char.ok_or_else(|| self.syntax(at, "lone leading surrogate in hex escape"))?, at + 4));
        }
        if self.text.get(at + 4..at + 6) != Some(b"\\u") {
            return Err(self.syntax(at, "unexpected end of hex escape"));
        }
        let second = hex(at + 6)?.wrapping_sub(0xdc00);
        let char =
            if second < 0x400 { char::from_u32(0x1_0000 + (first - 0xd800) * 0x400 + second) } else { None };
        Ok((char.ok_or_else(|| self.syntax(at, "lone leading surrogate in hex escape"))?, at + 10))
    }

    /// Enters the list or object that begins here.
    pub fn enter(&mut self) -> Result<()> {
        let depth = self.depth as u64 + 1;
        if depth > self.max_depth {
            let kind = ParseErrorKind::Depth(depth);
            return Err(Box::new(ParseError { kind, ..*self.syntax(self.at, "") }));
        }
        if self.depth == MAX_DEPTH {
            return Err(self.syntax(self.at, "recursion limit exceeded"));
        }
        self.depth += 1;
        self.at += 1;
        Ok(())
    }

    /// Goes to the next item of a list; false, and behind the list, after the last.
    // Web pages are to be small.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub fn next_item(&mut self, is_first: &mut bool) -> Result<bool> {
        let is_first = std::mem::take(is_first);
        match self.peek() {
            Some(b']') => {
                self.leave();
                Ok(false)
            }
            Some(b',') if !is_first => {
                self.at += 1;
                if matches!(self.peek(), None | Some(b']')) { Err(self.no_item(true)) } else { Ok(true) }
            }
            Some(_) if is_first => Ok(true),
            _ => Err(self.no_item(false)),
        }
    }

    #[cold]
    fn no_item(&mut self, is_after_comma: bool) -> Box<ParseError> {
        let next = self.peek();
        self.between(match (next, is_after_comma) {
            (Some(_), true) => "trailing comma",
            (None, true) => "the file ends where a value should be",
            (Some(_), false) => "expected `,` or `]`",
            (None, false) => "the file ends inside a list; it is incomplete",
        })
    }

    /// Leaves the list or object that ends here.
    #[inline]
    pub fn leave(&mut self) {
        self.at += 1;
        self.depth -= 1;
    }

    /// Goes to the value of the next entry of an object, and returns its key; `None`, and behind the object, after the
    /// last.
    #[inline]
    pub fn next_key(&mut self, is_first: &mut bool) -> Result<Option<Cow<'a, str>>> {
        let is_first = std::mem::take(is_first);
        let next = match self.peek() {
            Some(b'}') => {
                self.leave();
                return Ok(None);
            }
            Some(b',') if !is_first => {
                self.at += 1;
                self.peek()
            }
            Some(_) if !is_first => return Err(self.between("expected `,` or `}`")),
            Some(other) => Some(other),
            None => return Err(self.between("the file ends inside an object; it is incomplete")),
        };
        let key = match next {
            Some(b'"') => self.string().map_err(|fault| Box::new(ParseError { is_between: true, ..*fault }))?,
            Some(b'}') => return Err(self.between("trailing comma")),
            Some(_) => return Err(self.between("key must be a string")),
            None => return Err(self.between("the file ends where a value should be")),
        };
        match self.peek() {
            Some(b':') => self.at += 1,
            Some(_) => return Err(self.between("expected `:`")),
            None => return Err(self.between("the file ends inside an object; it is incomplete")),
        }
        Ok(Some(key))
    }

    /// Calls `read` for each item of a list, which has to read it.
    #[inline]
    pub fn list(&mut self, mut read: impl FnMut(&mut Self) -> Result<()>) -> Result<()> {
        if self.peek() != Some(b'[') {
            return Err(self.unexpected(&"a sequence"));
        }
        self.enter()?;
        let mut is_first = true;
        while self.next_item(&mut is_first)? {
            read(self)?;
        }
        Ok(())
    }

    /// Calls `read` with each key of an object, which has to read the value. Some programs write empty objects as empty
    /// lists.
    #[inline]
    pub fn object(
        &mut self,
        expected: impl Display,
        mut read: impl FnMut(&mut Self, Cow<'a, str>) -> Result<()>,
    ) -> Result<()> {
        let mut is_first = true;
        if self.enter_object(&expected)? {
            while let Some(key) = self.next_key(&mut is_first)? {
                read(self, key)?;
            }
        }
        Ok(())
    }

    /// Enters an object; false, and behind it, for an empty list.
    fn enter_object(&mut self, expected: &dyn Display) -> Result<bool> {
        let start = self.start();
        let is_list = match self.text.get(start) {
            Some(b'{') => false,
            Some(b'[') => true,
            _ => return Err(self.unexpected(expected)),
        };
        self.enter()?;
        if is_list && self.next_item(&mut true)? {
            return Err(self.refused(start, described(Unexpected::Seq, expected)));
        }
        Ok(!is_list)
    }

    /// Skips a value that the reader does not use.
    pub fn ignore(&mut self) -> Result<()> {
        let start = self.start();
        self.is_skipping = true;
        let content = self.skip()?;
        self.is_skipping = false;
        self.odd.push((start, Oddity::Ignored(content)));
        Ok(())
    }

    /// Skips a value.
    fn skip(&mut self) -> Result<Content> {
        let mut content = Content::Nothing;
        match self.peek() {
            Some(b'{') => self.object("", |parser, _| {
                content = Content::Other;
                parser.skip().map(drop)
            })?,
            Some(b'[') => self.list(|parser| {
                content = Content::Other;
                parser.skip().map(drop)
            })?,
            Some(b'"') if !self.string()?.is_empty() => content = Content::Text,
            Some(b'"') => {}
            Some(b'-' | b'0'..=b'9') => match self.numeral() {
                Err(fault) if fault.kind == ParseErrorKind::Syntax => return Err(fault),
                // A number that is too large does not matter here.
                _ => content = Content::Other,
            },
            _ if self.literal()?.is_some() => content = Content::Other,
            _ => {}
        }
        Ok(content)
    }
}

/// The text of a JSON string in its quotes; `None` if it is invalid.
pub fn unquoted(string: &[u8]) -> Option<Cow<'_, str>> {
    Parser::new(string, 0, false).text().ok()
}

/// Returns how many digits `text` begins with, and the number `before` with these digits appended, which wraps if there
/// are too many.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn digits_of(text: &[u8], before: i64) -> (usize, i64) {
    let (mut len, mut number) = (0, before);
    while let Some(digit) = text.get(len).map(|byte| byte.wrapping_sub(b'0')).filter(|digit| *digit < 10) {
        number = number.wrapping_mul(10).wrapping_add(digit.into());
        len += 1;
    }
    (len, number)
}

/// The message for a value of another type than expected.
pub fn described(found: Unexpected<'_>, expected: &dyn Display) -> String {
    match found {
        // `Display` would write hundreds of zeros.
        Unexpected::Float(number) => format!("invalid type: floating point `{number:?}`, expected {expected}"),
        Unexpected::Unit => format!("invalid type: null, expected {expected}"),
        found => format!("invalid type: {found}, expected {expected}"),
    }
}
