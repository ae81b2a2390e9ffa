//! The bytes of a file in the making: big-endian numbers, numbers of variable length, and strings.

use crate::error::{Error, Place, Result};
use crate::formats::spine::schema::Number;

#[derive(Debug, Default)]
pub struct Sink {
    pub bytes: Vec<u8>,
    /// True once an infinite number or NaN was written, which readers reject.
    pub has_infinite: bool,
}

impl Sink {
    /// Adds what another sink has got.
    pub fn append(&mut self, other: Self) {
        self.bytes.extend(other.bytes);
        self.has_infinite |= other.has_infinite;
    }

    pub fn u8(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    pub fn bool(&mut self, is: bool) {
        self.u8(is.into());
    }

    pub fn short(&mut self, number: u16) {
        self.bytes.extend(number.to_be_bytes());
    }

    pub fn i32(&mut self, number: i32) {
        self.bytes.extend(number.to_be_bytes());
    }

    pub fn number(&mut self, number: Number) {
        self.f32(number.0);
    }

    pub fn f32(&mut self, number: f32) {
        self.has_infinite |= !number.is_finite();
        self.bytes.extend(number.to_be_bytes());
    }

    pub fn numbers(&mut self, numbers: &[Number]) {
        self.bytes.reserve(size_of_val(numbers));
        numbers.iter().for_each(|number| self.number(*number));
    }

    /// A number of variable length: seven bits a byte, lowest first; the eighth bit means that more follow.
    pub fn varint(&mut self, mut number: u32) {
        while number >= 0x80 {
            self.u8(number as u8 | 0x80);
            number >>= 7;
        }
        self.u8(number as u8);
    }

    /// A number of variable length whose lowest bit is the sign.
    pub fn signed(&mut self, number: i32) {
        self.varint((number << 1 ^ number >> 31) as u32);
    }

    /// The number of values that follow.
    pub fn count(&mut self, count: usize) -> Result<()> {
        self.varint(u32::try_from(count).map_err(|_| too_many(count, "values", u32::MAX, Place::default()))?);
        Ok(())
    }

    /// Text, or null.
    pub fn string(&mut self, text: Option<&str>) -> Result<()> {
        let Some(text) = text else {
            self.u8(0);
            return Ok(());
        };
        self.count(text.len().saturating_add(1))?;
        self.bytes.extend(text.as_bytes());
        Ok(())
    }

    /// Red, green, blue and alpha.
    pub fn rgba(&mut self, color: [u8; 4]) {
        self.bytes.extend(color);
    }

    /// Red, green and blue, a byte each.
    pub fn rgb(&mut self, [r, g, b, _]: [u8; 4]) {
        self.bytes.extend([r, g, b]);
    }

    /// Red, green and blue in the lower 24 of 32 bits.
    pub fn dark(&mut self, [r, g, b, _]: [u8; 4]) {
        self.bytes.extend([0, r, g, b]);
    }
}

/// The error for an amount that the format cannot count.
pub fn too_many(found: usize, what: &str, most: u32, place: Place) -> Error {
    let message = format!("{found} {what} are too many for a binary skeleton of this version; at most {most} fit");
    Error::unsupported("too-many", place, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_variable_length_take_one_to_five_bytes() {
        let written = |write: &dyn Fn(&mut Sink)| {
            let mut sink = Sink::default();
            write(&mut sink);
            sink.bytes
        };
        assert_eq!(written(&|sink| sink.varint(0)), [0]);
        assert_eq!(written(&|sink| sink.varint(127)), [127]);
        assert_eq!(written(&|sink| sink.varint(128)), [0x80, 1]);
        assert_eq!(written(&|sink| sink.varint(-1_i32 as u32)), [0xff, 0xff, 0xff, 0xff, 0xf]);
        assert_eq!(written(&|sink| sink.signed(-1)), [1]);
        assert_eq!(written(&|sink| sink.signed(64)), [0x80, 1]);
        assert_eq!(written(&|sink| sink.signed(i32::MIN)), [0xff, 0xff, 0xff, 0xff, 0xf]);
    }
}
