//! JSON that is as it should be, read quickly.
//!
//! Enters: text and how deep its lists and objects may lie in each other. Leaves: a value, or [`Odd`] for everything
//! that is not as expected: broken text, another type, a key that means nothing. Nothing is told about what was odd:
//! the text is to be read again, by `serde_json`, which knows where and what.
//!
//! Numbers are rounded once, to the nearest that there is, as `serde_json` rounds them.

use std::fmt;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess, Visitor,
};
use serde::forward_to_deserialize_any;

/// Something is not as expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Odd;

impl fmt::Display for Odd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("something is not as expected")
    }
}

impl std::error::Error for Odd {}

impl Error for Odd {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

type Result<T> = std::result::Result<T, Odd>;

/// Reads all of `text`, with at most `depth` lists and objects in each other.
pub fn read<'de, T: Deserialize<'de>>(text: &'de [u8], depth: u64) -> Result<T> {
    let text = std::str::from_utf8(text).map_err(|_| Odd)?;
    let mut parser = Parser { text, bytes: text.as_bytes(), at: 0, depth };
    let value = T::deserialize(&mut parser)?;
    if parser.peek() == 0 && parser.at == text.len() { Ok(value) } else { Err(Odd) }
}

struct Parser<'de> {
    text: &'de str,
    /// Of `text`.
    bytes: &'de [u8],
    at: usize,
    /// How many more lists and objects may be opened.
    depth: u64,
}

/// What ends the plain part of a string: a quote, a backslash, and what may not be in one.
const ENDS_PLAIN: [bool; 256] = {
    let mut ends = [false; 256];
    let mut at = 0;
    while at < 0x20 {
        ends[at] = true;
        at += 1;
    }
    ends[b'"' as usize] = true;
    ends[b'\\' as usize] = true;
    ends
};

/// Powers of ten that an `f32` has exactly.
const POWERS_32: [f32; 11] = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10];

/// A number as it is written.
struct Written<'de> {
    text: &'de str,
    is_negative: bool,
    /// Its digits without the point.
    digits: u64,
    /// How many of them are behind the point.
    behind: usize,
    /// `digits` holds all of them, and there is no exponent.
    is_plain: bool,
    is_whole: bool,
}

impl<'de> Parser<'de> {
    /// The next byte that is no blank; 0 at the end.
    #[inline]
    fn peek(&mut self) -> u8 {
        while let Some(&byte) = self.bytes.get(self.at) {
            if byte > b' ' || !matches!(byte, b' ' | b'\n' | b'\t' | b'\r') {
                return byte;
            }
            self.at += 1;
        }
        0
    }

    #[inline]
    fn take(&mut self, byte: u8) -> Result<()> {
        if self.peek() == byte {
            self.at += 1;
            Ok(())
        } else {
            Err(Odd)
        }
    }

    fn word(&mut self, word: &str) -> Result<()> {
        let end = self.at + word.len();
        if self.bytes.get(self.at..end) == Some(word.as_bytes()) {
            self.at = end;
            Ok(())
        } else {
            Err(Odd)
        }
    }

    /// A string, if it has no escapes; else where its text begins.
    #[inline]
    fn string(&mut self) -> Result<std::result::Result<&'de str, usize>> {
        self.take(b'"')?;
        let start = self.at;
        let rest = self.bytes.get(start..).unwrap_or_default();
        let len = rest.iter().position(|&byte| ENDS_PLAIN[usize::from(byte)]).ok_or(Odd)?;
        self.at = start + len + 1;
        match rest[len] {
            b'"' => self.text.get(start..start + len).map(Ok).ok_or(Odd),
            b'\\' => Ok(Err(start)),
            _ => Err(Odd),
        }
    }

    /// The string that begins at `start` and has escapes, behind the first of which the parser is.
    #[cold]
    fn unescaped(&mut self, start: usize) -> Result<String> {
        let mut is_escaped = true;
        for (at, &byte) in self.bytes.iter().enumerate().skip(self.at) {
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\\' => is_escaped = true,
                b'"' => {
                    self.at = at + 1;
                    let text = self.text.get(start - 1..self.at).ok_or(Odd)?;
                    return serde_json::from_str(text).map_err(|_| Odd);
                }
                _ => {}
            }
        }
        Err(Odd)
    }

    #[inline]
    fn number(&mut self) -> Result<Written<'de>> {
        let first = self.peek();
        let start = self.at;
        let is_negative = first == b'-';
        let mut at = start + usize::from(is_negative);
        let digit = |at: usize| self.bytes.get(at).map(|byte| byte.wrapping_sub(b'0')).filter(|&digit| digit < 10);
        let mut digits = 0_u64;
        let mut run = |at: &mut usize| {
            let from = *at;
            while let Some(next) = digit(*at) {
                digits = digits.wrapping_mul(10).wrapping_add(next.into());
                *at += 1;
            }
            *at - from
        };
        let before = run(&mut at);
        // Numbers do not begin with needless zeros.
        if before == 0 || (before > 1 && self.bytes.get(at - before) == Some(&b'0')) {
            return Err(Odd);
        }
        let (mut behind, mut is_whole, mut has_exponent) = (0, true, false);
        if self.bytes.get(at) == Some(&b'.') {
            at += 1;
            is_whole = false;
            behind = run(&mut at);
            if behind == 0 {
                return Err(Odd);
            }
        }
        if matches!(self.bytes.get(at), Some(b'e' | b'E')) {
            at += 1 + usize::from(matches!(self.bytes.get(at + 1), Some(b'+' | b'-')));
            (is_whole, has_exponent) = (false, true);
            if run(&mut at) == 0 {
                return Err(Odd);
            }
        }
        self.at = at;
        let text = self.text.get(start..at).ok_or(Odd)?;
        // So many digits are less than 2⁶⁴.
        let is_plain = !has_exponent && before + behind < 20;
        Ok(Written { text, is_negative, digits, behind, is_plain, is_whole })
    }

    #[inline]
    fn float(&mut self) -> Result<f32> {
        let number = self.number()?;
        if number.is_plain
            && number.digits <= 1 << 24
            && let Some(power) = POWERS_32.get(number.behind)
        {
            // Both are exact, so the quotient is rounded once.
            let value = number.digits as f32 / power;
            return Ok(if number.is_negative { -value } else { value });
        }
        number.text.parse().ok().filter(|value: &f32| value.is_finite()).ok_or(Odd)
    }

    #[inline]
    fn integer(&mut self) -> Result<i64> {
        let number = self.number()?;
        if !(number.is_plain && number.is_whole) || (number.is_negative && number.digits == 0) {
            return Err(Odd);
        }
        let value = i64::try_from(number.digits).map_err(|_| Odd)?;
        Ok(if number.is_negative { -value } else { value })
    }

    #[inline]
    fn open(&mut self, bracket: u8) -> Result<()> {
        self.take(bracket)?;
        self.depth = self.depth.checked_sub(1).ok_or(Odd)?;
        Ok(())
    }

    #[inline]
    fn close(&mut self, bracket: u8) -> Result<()> {
        self.take(bracket)?;
        self.depth += 1;
        Ok(())
    }
}

macro_rules! integers {
    ($($name:ident)*) => {$(
        #[inline]
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            visitor.visit_i64(self.integer()?)
        }
    )*};
}

impl<'de> Deserializer<'de> for &mut Parser<'de> {
    type Error = Odd;

    integers!(deserialize_i32 deserialize_i64 deserialize_u32);

    forward_to_deserialize_any! {
        i8 i16 u8 u16 u64 i128 u128 f64 char bytes byte_buf unit unit_struct tuple tuple_struct
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.peek() {
            b'"' => self.deserialize_str(visitor),
            b'[' => self.deserialize_seq(visitor),
            b'{' => self.deserialize_map(visitor),
            b't' | b'f' => self.deserialize_bool(visitor),
            _ => {
                let number = self.number()?;
                if number.is_whole {
                    match number.text.parse() {
                        Ok(value) => visitor.visit_u64(value),
                        Err(_) => Err(Odd),
                    }
                } else {
                    let value = number.text.parse().ok().filter(|value: &f64| value.is_finite());
                    visitor.visit_f64(value.ok_or(Odd)?)
                }
            }
        }
    }

    #[inline]
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_f32(self.float()?)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let value = self.peek() == b't';
        self.word(if value { "true" } else { "false" })?;
        visitor.visit_bool(value)
    }

    #[inline]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.string()? {
            Ok(text) => visitor.visit_borrowed_str(text),
            Err(start) => visitor.visit_string(self.unescaped(start)?),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    #[inline]
    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.peek() == b'n' {
            self.word("null")?;
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    #[inline]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.open(b'[')?;
        let value = visitor.visit_seq(Items { parser: self, is_first: true })?;
        self.close(b']')?;
        Ok(value)
    }

    #[inline]
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.open(b'{')?;
        let value = visitor.visit_map(Items { parser: self, is_first: true })?;
        self.close(b'}')?;
        Ok(value)
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let name = self.string()?.map_err(|_| Odd)?;
        visitor.visit_enum(name.into_deserializer())
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value> {
        // It means nothing, and that is to be told.
        Err(Odd)
    }
}

/// What is in a list or an object.
struct Items<'p, 'de> {
    parser: &'p mut Parser<'de>,
    is_first: bool,
}

impl Items<'_, '_> {
    /// Whether there is another one before `end`; takes the comma before it.
    #[inline]
    fn has_next(&mut self, end: u8) -> Result<bool> {
        if self.parser.peek() == end {
            return Ok(false);
        }
        if !std::mem::take(&mut self.is_first) {
            self.parser.take(b',')?;
        }
        Ok(true)
    }
}

impl<'de> SeqAccess<'de> for Items<'_, 'de> {
    type Error = Odd;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if self.has_next(b']')? { seed.deserialize(&mut *self.parser).map(Some) } else { Ok(None) }
    }
}

impl<'de> MapAccess<'de> for Items<'_, 'de> {
    type Error = Odd;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if self.has_next(b'}')? { seed.deserialize(&mut *self.parser).map(Some) } else { Ok(None) }
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        self.parser.take(b':')?;
        seed.deserialize(&mut *self.parser)
    }
}
