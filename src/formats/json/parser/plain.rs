//! What only types that are pulled need: short numbers without a detour, and unique keys.

use std::fmt::Display;

use super::{HALF, LOST, Numeral, POWERS, Parser, Result, described, digits_of};

/// Numbers of up to this many characters, point included, have an exact mantissa.
const MAX_PLAIN: usize = 15;

impl Parser<'_> {
    /// A finite number of 32 bits.
    #[inline]
    pub fn number(&mut self) -> Result<f32> {
        self.peek();
        match self.plain() {
            Some(number) => Ok(number),
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

    /// The number that begins here, if it is short and has no exponent, as most are. `None` for other numbers and for
    /// anything else.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn plain(&mut self) -> Option<f32> {
        let rest = self.text.get(self.at..)?;
        let (sign, digits) = if let [b'-', digits @ ..] = rest { (-1.0, digits) } else { (1.0, rest) };
        let (whole, mantissa) = digits_of(digits, 0);
        let next = *digits.get(whole)?;
        if whole == 0 || whole > 1 && digits[0] == b'0' || matches!(next, b'e' | b'E') {
            return None;
        }
        let (mut len, mut number) = (whole, mantissa as f32);
        if next == b'.' {
            let (parts, mantissa) = digits_of(&digits[whole + 1..], mantissa);
            len += 1 + parts;
            let wide = mantissa as f64 / POWERS.get(parts)?;
            number = wide as f32;
            let is_over = !matches!(digits.get(len)?, b'e' | b'E');
            if parts == 0 || !is_over || wide.to_bits() & LOST == HALF {
                return None;
            }
        }
        if len > MAX_PLAIN {
            return None;
        }
        self.at += rest.len() - digits.len() + len;
        Some(sign * number)
    }

    /// A whole number.
    #[inline]
    pub fn count(&mut self) -> Result<u32> {
        self.peek();
        let rest = self.text.get(self.at..).unwrap_or_default();
        let (len, number) = digits_of(rest, 0);
        match rest.get(len) {
            Some(b'.' | b'e' | b'E') | None => {}
            Some(_) if len == 1 || (2..MAX_PLAIN).contains(&len) && rest[0] != b'0' => {
                if let Ok(number) = u32::try_from(number) {
                    self.at += len;
                    return Ok(number);
                }
            }
            Some(_) => {}
        }
        self.any_count()
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
