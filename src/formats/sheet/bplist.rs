//! Binary property lists → the same values as from XML.
//!
//! A list can contain another one any number of times, so a few bytes can expand beyond any memory, or without
//! end. So only the values that a sheet needs are read, no deeper than necessary, and in proportion to the size of
//! the file.

use std::borrow::Cow;

use super::value::{Dict, MAX_DEPTH, PAIR_BYTES, Value};
use crate::error::{Error, Place, Result};
use crate::limits::Budget;

/// Size of the trailer of a file.
const TRAILER: usize = 32;
/// Maximum reading cost per byte of the file: keys are shared, references to them are not.
const COST_PER_BYTE: u64 = 6;

struct List<'a> {
    bytes: &'a [u8],
    /// The table of object offsets.
    offsets: &'a [u8],
    offset_size: usize,
    ref_size: usize,
    cost_left: u64,
}

/// Reads a file.
pub fn read<'a>(bytes: &'a [u8], budget: &mut Budget<'_>) -> Result<Value<'a>> {
    let fault =
        || broken(bytes.len().saturating_sub(TRAILER), "the trailer of the binary property list is invalid");
    let start = bytes.len().checked_sub(TRAILER).ok_or_else(fault)?;
    let trailer = &bytes[start..];
    let number = |at: usize| number(&trailer[at..at + 8]);
    let (offset_size, ref_size) = (usize::from(trailer[6]), usize::from(trailer[7]));
    let [count, root, table] = [8, 16, 24].map(number);
    if !(1..=8).contains(&offset_size) || !(1..=8).contains(&ref_size) {
        return Err(fault());
    }
    let len = usize::try_from(count).ok().and_then(|count| count.checked_mul(offset_size));
    let table = usize::try_from(table).ok();
    let end = len.zip(table).and_then(|(len, table)| table.checked_add(len)).filter(|end| *end <= start);
    let offsets = table.zip(end).map(|(table, end)| &bytes[table..end]).ok_or_else(fault)?;
    let cost_left = COST_PER_BYTE * bytes.len() as u64;
    let mut list = List { bytes: &bytes[..start], offsets, offset_size, ref_size, cost_left };
    list.value(root, 0, budget)
}

/// Reads a big-endian number of at most eight bytes.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

fn broken(offset: usize, message: &str) -> Error {
    Error::malformed("bad-plist", Place::at("", offset as u64), message)
}

impl<'a> List<'a> {
    /// Reads an object at nesting depth `depth`, at most [`MAX_DEPTH`].
    fn value(&mut self, object: u64, depth: usize, budget: &mut Budget<'_>) -> Result<Value<'a>> {
        let index = usize::try_from(object).ok().and_then(|object| object.checked_mul(self.offset_size));
        let entry = index.and_then(|index| self.offsets.get(index..)?.get(..self.offset_size));
        let Some(entry) = entry else {
            let message =
                format!("object {object} does not exist, there are {}", self.offsets.len() / self.offset_size);
            return Err(broken(0, &message));
        };
        let at = usize::try_from(number(entry)).unwrap_or(usize::MAX);
        let marker = *self
            .bytes
            .get(at)
            .ok_or_else(|| broken(at.min(self.bytes.len()), "the file ends before this object"))?;
        self.spend(1, at)?;
        let (kind, low) = (marker >> 4, usize::from(marker & 15));
        Ok(match (kind, low) {
            (0, 8) => Value::Bool(false),
            (0, 9) => Value::Bool(true),
            (1, 0..=3) => {
                let bytes = self.take(at + 1, 1 << low)?;
                // Only integers of eight bytes are signed.
                let integer = number(bytes);
                Value::Number(if low == 3 { integer as i64 as f64 } else { integer as f64 })
            }
            (2, 2) => Value::Number(f32::from_bits(number(self.take(at + 1, 4)?) as u32).into()),
            (2, 3) => Value::Number(f64::from_bits(number(self.take(at + 1, 8)?))),
            (5, _) => {
                let (start, len) = self.length(at)?;
                let text = self.take(start, len)?;
                self.spend(len as u64 / 4, at)?;
                let text = std::str::from_utf8(text).map_err(|_| broken(start, "the string is not ASCII"))?;
                Value::Text(Cow::Borrowed(text))
            }
            (6, _) => {
                let (start, len) = self.length(at)?;
                let wide = self.take(start, len.saturating_mul(2))?;
                self.spend(len as u64 / 2, at)?;
                budget.charge_memory(len as u64, 3, || Place::at("", start as u64))?;
                let units = wide.as_chunks().0.iter().map(|pair| u16::from_be_bytes(*pair));
                let text: std::result::Result<String, _> = char::decode_utf16(units).collect();
                Value::Text(Cow::Owned(text.map_err(|_| broken(start, "the string is not UTF-16"))?))
            }
            (13, _) if depth < MAX_DEPTH => self.dict(at, depth, budget)?,
            (10 | 12, _) => Value::Other("an array"),
            (13, _) => Value::Other("a dictionary"),
            (3, _) => Value::Other("a date"),
            (4, _) => Value::Other("data"),
            _ => Value::Other("an unknown object"),
        })
    }

    fn dict(&mut self, at: usize, depth: usize, budget: &mut Budget<'_>) -> Result<Value<'a>> {
        let (start, count) = self.length(at)?;
        let len = count.saturating_mul(self.ref_size);
        let keys = self.take(start, len)?;
        let values = self.take(start + len, len)?;
        let mut dict = Dict::default();
        for (key, value) in keys.chunks_exact(self.ref_size).zip(values.chunks_exact(self.ref_size)) {
            let key = self.value(number(key), MAX_DEPTH, budget)?;
            let value = self.value(number(value), depth + 1, budget)?;
            if let Value::Text(key) = key {
                budget.charge_memory(1, PAIR_BYTES, || Place::at("", at as u64))?;
                dict.0.push((key, value));
            }
        }
        Ok(Value::Dict(dict))
    }

    /// Returns the start of the content of the object at `at`, and its length in items.
    fn length(&self, at: usize) -> Result<(usize, usize)> {
        let low = self.bytes[at] & 15;
        if low < 15 {
            return Ok((at + 1, low.into()));
        }
        let marker = self.take(at + 1, 1)?[0];
        if marker >> 4 != 1 || marker & 15 > 3 {
            return Err(broken(at + 1, "expected a length"));
        }
        let size = 1 << (marker & 15);
        let len = number(self.take(at + 2, size)?);
        Ok((at + 2 + size, usize::try_from(len).unwrap_or(usize::MAX)))
    }

    fn take(&self, start: usize, len: usize) -> Result<&'a [u8]> {
        let found = start.checked_add(len).and_then(|end| self.bytes.get(start..end));
        found.ok_or_else(|| broken(start, "an object is longer than the file"))
    }

    fn spend(&mut self, cost: u64, at: usize) -> Result<()> {
        let left = self.cost_left.checked_sub(cost);
        let message = "the objects contain each other so often that they expand far beyond the size of the file";
        self.cost_left = left.ok_or_else(|| broken(at, message))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::detect::sheet::BPLIST_MAGIC;
    use crate::limits::Limits;

    /// Builds a file of these objects. The first is the root; references take two bytes.
    fn file(objects: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = BPLIST_MAGIC.to_vec();
        let mut offsets = Vec::new();
        for object in objects {
            offsets.extend((bytes.len() as u32).to_be_bytes());
            bytes.extend(object);
        }
        let table = bytes.len() as u64;
        bytes.extend(offsets);
        bytes.extend([0, 0, 0, 0, 0, 0, 4, 2]);
        for number in [objects.len() as u64, 0, table] {
            bytes.extend(number.to_be_bytes());
        }
        bytes
    }

    fn dict(pairs: &[(u16, u16)]) -> Vec<u8> {
        let mut bytes = vec![0xdf, 0x11];
        bytes.extend((pairs.len() as u16).to_be_bytes());
        pairs.iter().for_each(|(key, _)| bytes.extend(key.to_be_bytes()));
        pairs.iter().for_each(|(_, value)| bytes.extend(value.to_be_bytes()));
        bytes
    }

    fn text(text: &str) -> Vec<u8> {
        [&[0x50 + text.len() as u8], text.as_bytes()].concat()
    }

    fn found(bytes: &[u8]) -> Result<Value<'_>> {
        let limits = Limits::default();
        read(bytes, &mut Budget::new(&limits))
    }

    #[test]
    fn all_types_of_values_are_read() {
        let objects = [
            dict(&[(1, 2), (1, 3), (1, 4), (1, 5), (1, 6), (1, 7), (1, 8)]),
            text("k"),
            vec![0x10, 200],
            [&[0x13][..], &(-5i64).to_be_bytes()].concat(),
            [&[0x22][..], &1.5f32.to_be_bytes()].concat(),
            [&[0x23][..], &2.5f64.to_be_bytes()].concat(),
            vec![0x09],
            vec![0x62, 0, 0xe4, 0x20, 0xac],
            vec![0xa1, 0, 0],
        ];
        let bytes = file(&objects);
        let Value::Dict(dict) = found(&bytes).unwrap() else { panic!() };
        let values: Vec<&Value<'_>> = dict.pairs().map(|(_, value)| value).collect();
        let text = Value::Text("ä€".into());
        let numbers = [200.0, -5.0, 1.5, 2.5].map(Value::Number);
        let expected = [&numbers[0], &numbers[1], &numbers[2], &numbers[3], &Value::Bool(true), &text];
        assert_eq!(values[..6], expected);
        assert_eq!(*values[6], Value::Other("an array"));
    }

    #[test]
    fn recursive_and_nested_objects_are_bounded() {
        // A dictionary that contains itself.
        assert!(found(&file(&[dict(&[(1, 0)]), text("a")])).is_ok());
        // 1000³ values.
        let level = |next: u16| dict(&vec![(4, next); 1000]);
        let bomb = file(&[level(1), level(2), level(3), vec![9], text("a")]);
        let error = found(&bomb).unwrap_err();
        assert!(error.to_string().contains("contain each other so often"), "{error}");
    }

    #[test]
    fn invalid_files_are_rejected() {
        let fine = file(&[dict(&[(1, 1)]), text("abc")]);
        for cut in 0..fine.len() {
            assert_eq!(found(&fine[..cut]).unwrap_err().code(), "bad-plist", "{cut}");
        }
        for at in 8..fine.len() {
            for byte in [0, 0x0f, 0x5f, 0x6f, 0xdf, 0xff] {
                let mut broken = fine.clone();
                broken[at] = byte;
                _ = found(&broken);
            }
        }
        assert!(found(&file(&[vec![0x14, 0, 0]])).is_ok());
    }
}
