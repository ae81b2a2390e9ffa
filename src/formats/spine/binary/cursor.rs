//! A cursor over the bytes of a file: big-endian numbers, numbers of variable length, strings and counts.
//!
//! Strings are borrowed. A count is checked against the bytes left, and its memory charged, before anything is
//! allocated. Every error has the offset of its value and, if the reading is traced, its JSON pointer.

use super::trace::{MaybeTrace, Step};
use crate::error::{Error, Place, Result};
use crate::formats::spine::schema::{Color, Number};
use crate::limits::Budget;

pub struct Cursor<'a, 'b, T> {
    rest: &'a [u8],
    len: usize,
    trace: T,
    pub budget: Budget<'b>,
}

/// The JSON pointer to the current value; empty if unknown.
fn pointer_of<'a>(trace: &mut impl MaybeTrace<'a>) -> String {
    trace.get().map(|trace| trace.pointer()).unwrap_or_default()
}

impl<'a, 'b, T: MaybeTrace<'a>> Cursor<'a, 'b, T> {
    pub fn new(bytes: &'a [u8], budget: Budget<'b>, trace: T) -> Self {
        Self { rest: bytes, len: bytes.len(), trace, budget }
    }

    /// The offset of the next byte.
    #[inline]
    pub fn offset(&self) -> usize {
        self.len - self.rest.len()
    }

    /// Notes that the next bytes belong to a field or an entry.
    #[inline(always)]
    pub fn enter(&mut self, name: &'a str) {
        self.enter_at(name, self.offset());
    }

    /// Like [`Self::enter`], for an entry that starts at `offset`, before its name was known.
    #[inline(always)]
    pub fn enter_at(&mut self, name: &'a str, offset: usize) {
        self.enter_step(Step::Name(name), offset);
    }

    /// Notes that the next bytes belong to an item of a list.
    #[inline(always)]
    pub fn enter_item(&mut self, index: usize) {
        self.enter_step(Step::Index(index), self.offset());
    }

    #[inline(always)]
    fn enter_step(&mut self, step: Step<'a>, offset: usize) {
        if let Some(trace) = self.trace.get() {
            trace.enter(step, offset);
        }
    }

    /// Ends what was entered last.
    #[inline(always)]
    pub fn leave(&mut self) {
        if let Some(trace) = self.trace.get() {
            trace.leave();
        }
    }

    /// True to keep timelines that are replaced by a later one of the same type.
    pub fn keeps_replaced(&mut self) -> bool {
        self.trace.get().is_some_and(|trace| trace.keeps_replaced())
    }

    /// The place of a field of the current value, or with an empty name of that value itself.
    pub fn place(&mut self, field: &'a str, offset: usize) -> Place {
        self.enter_at(field, offset);
        let place = Place::at(pointer_of(&mut self.trace), offset as u64);
        self.leave();
        place
    }

    /// The error for a field of the current value; `field` as in [`Self::place`].
    #[cold]
    pub fn fault(
        &mut self,
        code: &'static str,
        field: &'a str,
        offset: usize,
        message: impl Into<String>,
    ) -> Error {
        Error::malformed(code, self.place(field, offset), message)
    }

    #[cold]
    fn ends_early(&mut self, field: &'a str, needed: usize) -> Error {
        let (offset, left) = (self.offset(), self.rest.len());
        let message = format!("the file ends too early: {needed} bytes expected here, {left} left");
        self.fault("truncated", field, offset, message)
    }

    /// Charges memory for `count` values.
    #[inline]
    pub fn charge<V>(&mut self, count: usize) -> Result<()> {
        let offset = self.offset();
        let Self { budget, trace, .. } = self;
        budget.charge_memory(count as u64, size_of::<V>(), || Place::at(pointer_of(trace), offset as u64))
    }

    #[inline(always)]
    fn fixed<const N: usize>(&mut self, field: &'a str) -> Result<[u8; N]> {
        let Some((head, rest)) = self.rest.split_first_chunk::<N>() else {
            return Err(self.ends_early(field, N));
        };
        self.enter(field);
        self.leave();
        self.rest = rest;
        Ok(*head)
    }

    #[inline]
    pub fn u8(&mut self, field: &'a str) -> Result<u8> {
        Ok(self.fixed::<1>(field)?[0])
    }

    #[inline]
    pub fn bool(&mut self, field: &'a str) -> Result<bool> {
        match self.u8(field)? {
            0 => Ok(false),
            1 => Ok(true),
            other => {
                let at = self.offset() - 1;
                Err(self.fault("skel-value", field, at, format!("{other} is neither 0 (no) nor 1 (yes)")))
            }
        }
    }

    #[inline]
    pub fn i32(&mut self, field: &'a str) -> Result<i32> {
        Ok(i32::from_be_bytes(self.fixed(field)?))
    }

    /// Returns true if these are the next bytes.
    pub fn next_is<const N: usize>(&self, bytes: [u8; N]) -> bool {
        self.rest.starts_with(&bytes)
    }

    /// The next bytes.
    pub fn bytes<const N: usize>(&mut self, field: &'a str) -> Result<[u8; N]> {
        self.fixed(field)
    }

    #[inline]
    pub fn number(&mut self, field: &'a str) -> Result<Number> {
        let number = f32::from_be_bytes(self.fixed(field)?);
        if number.is_finite() {
            Ok(Number(number))
        } else {
            Err(self.not_finite(field, number, self.offset() - 4))
        }
    }

    /// A number for each field.
    pub fn each_number<const N: usize>(&mut self, fields: [&'a str; N]) -> Result<[Number; N]> {
        let mut numbers = [Number(0.0); N];
        for (number, field) in numbers.iter_mut().zip(fields) {
            *number = self.number(field)?;
        }
        Ok(numbers)
    }

    #[cold]
    fn not_finite(&mut self, field: &'a str, number: f32, at: usize) -> Error {
        self.fault("not-finite", field, at, format!("the number is {number}; it must be finite"))
    }

    /// Red, green, blue and alpha.
    #[inline]
    pub fn color(&mut self, field: &'a str) -> Result<Color<'a>> {
        Ok(Color::Rgba(self.fixed(field)?))
    }

    /// Red, green and blue in the lower 24 of 32 bits.
    #[inline]
    pub fn dark_color(&mut self, field: &'a str) -> Result<Color<'a>> {
        let [_, r, g, b] = self.fixed(field)?;
        Ok(Color::Rgba([r, g, b, u8::MAX]))
    }

    /// Red, green and blue, a byte each.
    #[inline]
    pub fn rgb(&mut self, field: &'a str) -> Result<Color<'a>> {
        let [r, g, b] = self.fixed(field)?;
        Ok(Color::Rgba([r, g, b, u8::MAX]))
    }

    /// A number of one to five bytes of seven bits, lowest first; the eighth bit means that more follow.
    #[inline]
    pub fn varint(&mut self, field: &'a str) -> Result<u32> {
        match self.rest {
            [byte, rest @ ..] if *byte < 0x80 => {
                self.enter(field);
                self.leave();
                self.rest = rest;
                Ok((*byte).into())
            }
            _ => self.long_varint(field),
        }
    }

    fn long_varint(&mut self, field: &'a str) -> Result<u32> {
        let start = self.offset();
        self.enter(field);
        self.leave();
        let mut value: u64 = 0;
        for shift in [0, 7, 14, 21, 28] {
            let [byte, rest @ ..] = self.rest else { return Err(self.ends_early(field, 1)) };
            self.rest = rest;
            value |= u64::from(byte & 0x7f) << shift;
            if *byte < 0x80 && value <= u32::MAX.into() {
                return Ok(value as u32);
            }
        }
        Err(self.fault("skel-value", field, start, "the number has more than 32 bits"))
    }

    /// A number of variable length whose lowest bit is the sign.
    pub fn signed(&mut self, field: &'a str) -> Result<i32> {
        let number = self.varint(field)?;
        Ok((number >> 1) as i32 ^ -((number & 1) as i32))
    }

    /// The number of values that follow. `min_size`: the minimum size of a value in bytes. Charges memory for them.
    #[inline]
    pub fn count<V>(&mut self, field: &'a str, min_size: usize) -> Result<usize> {
        let start = self.offset();
        let count = self.varint(field)? as usize;
        self.require::<V>(field, start, count, min_size)?;
        Ok(count)
    }

    /// Checks that `count` values, as stated at `start`, fit in the bytes left, and charges memory for them.
    #[inline]
    pub fn require<V>(&mut self, field: &'a str, start: usize, count: usize, min_size: usize) -> Result<()> {
        let (size, left) = (count.saturating_mul(min_size), self.rest.len());
        if size > left {
            let message = format!(
                "the file ends too early: a count of {count}, at least {size} bytes, but {left} bytes are left"
            );
            return Err(self.fault("truncated", field, start, message));
        }
        self.charge::<V>(count)
    }

    /// A list of `count` numbers, which is stated at `start`.
    pub fn numbers(&mut self, field: &'a str, start: usize, count: usize) -> Result<Vec<Number>> {
        self.require::<Number>(field, start, count, size_of::<f32>())?;
        let (bytes, rest) = self.rest.split_at(count * size_of::<f32>());
        let chunks = bytes.as_chunks().0;
        let numbers: Vec<Number> = chunks.iter().map(|&bytes| Number(f32::from_be_bytes(bytes))).collect();
        self.enter(field);
        if let Some(index) = numbers.iter().position(|number| !number.0.is_finite()) {
            let at = self.offset() + index * size_of::<f32>();
            self.enter_step(Step::Index(index), at);
            return Err(self.not_finite("", numbers[index].0, at));
        }
        self.items(0, count, size_of::<f32>());
        self.leave();
        self.rest = rest;
        Ok(numbers)
    }

    /// Notes the places of `count` items of `size` bytes. The first item has the index `first`.
    #[inline(always)]
    fn items(&mut self, first: usize, count: usize, size: usize) {
        let start = self.offset();
        if let Some(trace) = self.trace.get() {
            for index in 0..count {
                trace.enter(Step::Index(first + index), start + index * size);
                trace.leave();
            }
        }
    }

    /// `N` numbers of a field.
    #[inline]
    pub fn array<const N: usize>(&mut self, field: &'a str) -> Result<[f32; N]> {
        self.enter(field);
        let numbers = self.listed_array(0)?;
        self.leave();
        Ok(numbers)
    }

    /// `N` numbers of the current list. The first number has the index `first`.
    #[inline]
    pub fn listed_array<const N: usize>(&mut self, first: usize) -> Result<[f32; N]> {
        const SIZE: usize = size_of::<f32>();
        let Some((bytes, rest)) = self.rest.split_at_checked(N * SIZE) else {
            return Err(self.ends_early("", N * SIZE));
        };
        self.items(first, N, SIZE);
        let mut numbers = [0.0; N];
        for (number, &bytes) in numbers.iter_mut().zip(bytes.as_chunks().0) {
            *number = f32::from_be_bytes(bytes);
        }
        if let Some(index) = numbers.iter().position(|number| !number.is_finite()) {
            let at = self.offset() + index * SIZE;
            self.enter_step(Step::Index(first + index), at);
            return Err(self.not_finite("", numbers[index], at));
        }
        self.rest = rest;
        Ok(numbers)
    }

    /// A list of `count` unsigned 16-bit numbers, whose memory has been charged.
    pub fn shorts(&mut self, count: usize) -> Result<Vec<u32>> {
        const SIZE: usize = size_of::<u16>();
        let Some((bytes, rest)) = self.rest.split_at_checked(count.saturating_mul(SIZE)) else {
            return Err(self.ends_early("", count.saturating_mul(SIZE)));
        };
        self.items(0, count, SIZE);
        self.rest = rest;
        Ok(bytes.as_chunks().0.iter().map(|&bytes| u16::from_be_bytes(bytes).into()).collect())
    }

    /// Text, or `None` for null.
    #[inline]
    pub fn string(&mut self, field: &'a str) -> Result<Option<&'a str>> {
        let start = self.offset();
        let Some(len) = (self.varint(field)? as usize).checked_sub(1) else { return Ok(None) };
        let Some((bytes, rest)) = self.rest.split_at_checked(len) else {
            let message =
                format!("the file ends too early: {len} bytes of text expected here, {} left", self.rest.len());
            return Err(self.fault("truncated", field, start, message));
        };
        match std::str::from_utf8(bytes) {
            Ok(text) => {
                self.rest = rest;
                Ok(Some(text))
            }
            Err(error) => {
                let at = self.offset() + error.valid_up_to();
                Err(self.fault("bad-utf8", field, at, "the string is not valid UTF-8 from here on"))
            }
        }
    }

    /// Text that must not be null.
    #[inline]
    pub fn name(&mut self, field: &'a str) -> Result<&'a str> {
        let start = self.offset();
        match self.string(field)? {
            Some(name) => Ok(name),
            None => Err(self.fault("skel-value", field, start, "the text is null; a name is required here")),
        }
    }
}
