//! The counterpart of [`Reader`](super::Reader).

use crate::error::{Error, Place, Result};

/// Appends numbers, strings and blocks to a buffer.
#[derive(Debug, Default)]
pub struct Writer {
    out: Vec<u8>,
}

impl Writer {
    /// Returns the bytes written.
    pub fn into_bytes(self) -> Vec<u8> {
        self.out
    }

    /// Appends raw bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    /// Appends one byte.
    pub fn u8(&mut self, value: u8) {
        self.out.push(value);
    }

    /// Appends an unsigned 16-bit number.
    pub fn u16(&mut self, value: u16) {
        self.bytes(&value.to_le_bytes());
    }

    /// Appends a signed 16-bit number.
    pub fn i16(&mut self, value: i16) {
        self.bytes(&value.to_le_bytes());
    }

    /// Appends an unsigned 32-bit number.
    pub fn u32(&mut self, value: u32) {
        self.bytes(&value.to_le_bytes());
    }

    /// Appends a length or count that is stored in 16 bits.
    pub fn count_u16(&mut self, path: &str, count: usize) -> Result<()> {
        self.u16(u16::try_from(count).map_err(|_| too_many(path, count, u16::MAX.into()))?);
        Ok(())
    }

    /// Appends a length or count that is stored in 32 bits.
    pub fn count_u32(&mut self, path: &str, count: usize) -> Result<()> {
        self.u32(u32::try_from(count).map_err(|_| too_many(path, count, u32::MAX))?);
        Ok(())
    }

    /// Appends a `u16` byte length followed by the text.
    pub fn string(&mut self, path: &str, text: &str) -> Result<()> {
        self.count_u16(path, text.len())?;
        self.bytes(text.as_bytes());
        Ok(())
    }
}

fn too_many(path: &str, count: usize, max: u32) -> Error {
    let place = Place { path: path.to_owned(), ..Place::default() };
    Error::unsupported("too-many", place, format!("{count} is too many, the format allows at most {max}"))
}
