//! A cursor over a file that tracks its position in bytes and in the format's own terms.

use super::{Block, Source};
use crate::error::{Error, Place, Result};

/// Reads a file from start to end. Errors name the path and the offset at which reading stopped.
#[derive(Debug)]
pub struct Reader<S> {
    source: S,
    offset: u64,
    path: Vec<(&'static str, usize)>,
    /// Name of the source in errors.
    whole: &'static str,
}

impl<S: Source> Reader<S> {
    /// Creates a reader at the first byte of a file.
    pub fn new(source: S) -> Self {
        Self { source, offset: 0, path: Vec::new(), whole: "file" }
    }

    /// Creates a reader of `part`, which was read before and is called `name` in errors. Its paths continue the
    /// current
    /// path of this reader.
    #[cfg(feature = "aseprite")]
    pub fn within(&self, name: &'static str, part: Block) -> Reader<::bytes::Bytes> {
        Reader { source: part.bytes, offset: part.offset, path: self.path.clone(), whole: name }
    }

    /// Returns the offset of the next byte.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the number of bytes left.
    pub fn remaining(&self) -> u64 {
        self.source.remaining()
    }

    /// Calls `read` for each of the `count` items of the list `name`. Errors in items have paths `name[i].…`.
    ///
    /// `count` is checked against the bytes left, at `min_size` bytes (at least 1) per item, before anything is
    /// allocated.
    pub fn list<T>(
        &mut self,
        name: &'static str,
        count: usize,
        min_size: usize,
        mut read: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        let len = (count as u64).saturating_mul(min_size.max(1) as u64);
        if len > self.remaining() {
            let (left, whole) = (self.remaining(), self.whole);
            let message =
                format!("the {whole} ends too early: {count} {name} take at least {len} bytes, {left} left");
            return Err(Error::malformed("truncated", self.place(name), message));
        }
        let mut items = Vec::with_capacity(count);
        for index in 0..count {
            self.path.push((name, index));
            items.push(read(self)?);
            self.path.pop();
        }
        Ok(items)
    }

    /// Reads `len` bytes. If the source is in memory they are shared, not copied.
    pub fn block(&mut self, field: &'static str, len: u64) -> Result<Block> {
        self.require(field, len)?;
        let bytes = self.source.take(len as usize).map_err(|error| self.failed(field, error))?;
        let block = Block::new(bytes, self.offset);
        self.offset += len;
        Ok(block)
    }

    /// Skips `len` bytes and returns their position.
    pub fn skip(&mut self, field: &'static str, len: u64) -> Result<Block> {
        self.require(field, len)?;
        self.source.skip(len).map_err(|error| self.failed(field, error))?;
        let block = Block { bytes: Default::default(), offset: self.offset, len };
        self.offset += len;
        Ok(block)
    }

    /// Reads a byte.
    pub fn u8(&mut self, field: &'static str) -> Result<u8> {
        Ok(self.array::<1>(field)?[0])
    }

    /// Reads an unsigned 16-bit number.
    pub fn u16(&mut self, field: &'static str) -> Result<u16> {
        Ok(u16::from_le_bytes(self.array(field)?))
    }

    /// Reads a signed 16-bit number.
    pub fn i16(&mut self, field: &'static str) -> Result<i16> {
        Ok(i16::from_le_bytes(self.array(field)?))
    }

    /// Reads an unsigned 32-bit number.
    pub fn u32(&mut self, field: &'static str) -> Result<u32> {
        Ok(u32::from_le_bytes(self.array(field)?))
    }

    /// Reads a field, and returns its place, too.
    pub fn placed<T>(
        &mut self,
        field: &'static str,
        read: fn(&mut Self, &'static str) -> Result<T>,
    ) -> Result<(Place, T)> {
        let place = self.place(field);
        Ok((place, read(self, field)?))
    }

    /// Reads `N` bytes.
    pub fn array<const N: usize>(&mut self, field: &'static str) -> Result<[u8; N]> {
        self.require(field, N as u64)?;
        let mut array = [0; N];
        self.source.fill(&mut array).map_err(|error| self.failed(field, error))?;
        self.offset += N as u64;
        Ok(array)
    }

    /// Reads a `u16` byte length followed by that many bytes of UTF-8.
    pub fn string(&mut self, field: &'static str) -> Result<String> {
        let len = self.u16(field)?;
        let block = self.block(field, u64::from(len))?;
        match std::str::from_utf8(&block.bytes) {
            Ok(text) => Ok(text.to_owned()),
            Err(error) => {
                let at = block.offset + error.valid_up_to() as u64;
                let place = Place::at(self.path_to(field), at);
                Err(Error::malformed("bad-utf8", place, "the string is not valid UTF-8 from here on"))
            }
        }
    }

    /// Returns the place of `field`, at the offset of the next byte.
    pub fn place(&self, field: &str) -> Place {
        Place::at(self.path_to(field), self.offset())
    }

    fn path_to(&self, field: &str) -> String {
        use std::fmt::Write;
        let mut path = String::new();
        for (name, index) in &self.path {
            // Writing to a String cannot fail.
            let _ = write!(path, "{name}[{index}].");
        }
        path + field
    }

    fn failed(&self, field: &str, source: std::io::Error) -> Error {
        Error::Io { place: Box::new(self.place(field)), source }
    }

    fn require(&self, field: &str, len: u64) -> Result<()> {
        let left = self.remaining();
        if len <= left {
            return Ok(());
        }
        let whole = self.whole;
        let message = format!("the {whole} ends too early: {len} bytes expected here, {left} left");
        Err(Error::malformed("truncated", self.place(field), message))
    }
}
