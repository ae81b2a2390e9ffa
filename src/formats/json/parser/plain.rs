//! What only types that are pulled need: short numbers without a detour, lists of them, and unique keys.

use std::fmt::Display;

use super::{HALF, LOST, Numeral, POWERS, Parser, Result, described, digits_of};
use crate::formats::json::pull::Numeric;

/// Numbers of up to this many characters, point included, have an exact mantissa.
const MAX_PLAIN: usize = 15;

/// Returns the number at an offset, and where it ends, if it is short and has no exponent, as most are. `None` for other
/// numbers and for anything else.
#[inline]
pub fn plain_number(text: &[u8], start: usize) -> Option<(f32, usize)> {
    let is_negative = *text.get(start)? == b'-';
    let first = start + usize::from(is_negative);
    let digits = text.get(first..)?;
    let (whole, mut mantissa) = digits_of(digits, 0);
    if whole == 0 || whole > 1 && digits[0] == b'0' {
        return None;
    }
    let (mut len, mut parts) = (whole, 0);
    if digits.get(whole) == Some(&b'.') {
        (parts, mantissa) = digits_of(&digits[whole + 1..], mantissa);
        len += 1 + parts;
        if parts == 0 {
            return None;
        }
    }
    let wide = mantissa as f64 / POWERS.get(parts)?;
    // A number halfway between two of 32 bits may have been rounded to it.
    let is_plain = len <= MAX_PLAIN && !matches!(digits.get(len)?, b'e' | b'E') && wide.to_bits() & LOST != HALF;
    is_plain.then_some((if is_negative { -wide as f32 } else { wide as f32 }, first + len))
}

/// Returns the whole number at an offset, and where it ends, if it is short.
#[inline]
pub fn plain_count(text: &[u8], start: usize) -> Option<(u32, usize)> {
    let (len, number) = digits_of(text.get(start..)?, 0);
    let is_short = len == 1 || (2..MAX_PLAIN).contains(&len) && text[start] != b'0';
    if !is_short || matches!(text.get(start + len)?, b'.' | b'e' | b'E') {
        return None;
    }
    Some((u32::try_from(number).ok()?, start + len))
}

impl<'a> Parser<'a> {
    /// A finite number of 32 bits.
    #[inline]
    pub fn number(&mut self) -> Result<f32> {
        self.peek();
        match plain_number(self.text, self.at) {
            Some((number, end)) => {
                self.at = end;
                Ok(number)
            }
            None => self.any_number(),
        }
    }

    #[cold]
    fn any_number(&mut self) -> Result<f32> {
        let start = self.at;
        match self.text.get(start) {
            Some(b'-' | b'0'..=b'9') => {}
            _ => return Err(self.unexpected(&"f32")),
        }
        match self.numeral()? {
            Numeral::Whole(number) => Ok(number as f32),
            Numeral::Negative(number) => Ok(number as f32),
            Numeral::Float(number) => self.narrow(number, start),
        }
    }

    /// A whole number.
    #[inline]
    pub fn count(&mut self) -> Result<u32> {
        self.peek();
        match plain_count(self.text, self.at) {
            Some((number, end)) => {
                self.at = end;
                Ok(number)
            }
            None => self.any_count(),
        }
    }

    /// Calls `take` with each number of a list.
    #[inline]
    pub fn numbers<T: Numeric<'a>>(&mut self, mut take: impl FnMut(T)) -> Result<()> {
        self.list(|json| {
            let (text, start) = (json.text, json.at);
            let mut at = start;
            while let Some((number, end)) = T::plain(text, at) {
                take(number);
                if text.get(end) != Some(&b',') {
                    json.at = end;
                    return Ok(());
                }
                at = end + 1;
                while let Some(b' ' | b'\n' | b'\t' | b'\r') = text.get(at) {
                    at += 1;
                }
            }
            json.at = at;
            if at > start && json.peek().is_none_or(|next| next == b']') {
                return Err(json.no_item(true));
            }
            T::pull(json).map(&mut take)
        })
    }

    #[cold]
    fn any_count(&mut self) -> Result<u32> {
        let start = self.at;
        let numeral = match self.text.get(start) {
            Some(b'-' | b'0'..=b'9') => self.numeral()?,
            _ => return Err(self.unexpected(&"u32")),
        };
        let invalid = |number: &dyn Display| format!("invalid value: integer `{number}`, expected u32");
        let message = match numeral {
            Numeral::Whole(number) => match u32::try_from(number) {
                Ok(number) => return Ok(number),
                Err(_) => invalid(&number),
            },
            Numeral::Negative(number) => invalid(&number),
            Numeral::Float(_) => described(numeral.unexpected(), &"u32"),
        };
        Err(self.refused(start, message))
    }

    /// Notes that the object that begins at `start` has a key, which it must not have twice.
    #[inline]
    pub fn refuse_duplicate(&self, seen: &mut u64, bit: usize, start: usize, name: &str) -> Result<()> {
        let is_twice = *seen & 1 << bit != 0;
        *seen |= 1 << bit;
        if is_twice { Err(self.refused(start, format!("duplicate field `{name}`"))) } else { Ok(()) }
    }
}
