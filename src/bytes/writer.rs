//! The counterpart of [`Reader`](super::Reader).

use std::io;

use ::bytes::Bytes;

use super::room::{no_memory, room};
use crate::error::Result;
#[cfg(any(feature = "sheet", feature = "skelform", feature = "bake"))]
use crate::error::{Error, Place};

/// Appends numbers, strings and blocks to a file in memory.
///
/// A failed allocation is an error of [`Self::into_bytes`] and [`Self::into_parts`]; nothing is written after it.
#[derive(Debug, Default)]
pub struct Writer {
    /// The beginning of the file.
    parts: Vec<Bytes>,
    /// The bytes after `parts`.
    out: Vec<u8>,
    has_failed: bool,
}

/// Length at which a part of a stream ends: a list of parts grows without being copied.
const PART: usize = 1 << 20;

impl Writer {
    /// Returns the bytes written.
    pub fn into_bytes(self) -> Result<Vec<u8>> {
        if self.parts.is_empty() {
            return if self.has_failed { Err(no_memory()) } else { Ok(self.out) };
        }
        let parts = self.into_parts()?;
        let mut bytes = room(parts.iter().map(Bytes::len).sum())?;
        parts.iter().for_each(|part| bytes.extend_from_slice(part));
        Ok(bytes)
    }

    /// Returns the bytes written, in parts that follow each other. Shared blocks are parts of their own.
    pub fn into_parts(mut self) -> Result<Vec<Bytes>> {
        self.end_part();
        if self.has_failed { Err(no_memory()) } else { Ok(self.parts) }
    }

    /// Allocates room for `len` more bytes. Returns false if that or an earlier allocation failed.
    pub fn reserve(&mut self, len: usize) -> bool {
        self.has_failed = self.has_failed || self.out.try_reserve(len).is_err();
        !self.has_failed
    }

    fn push_part(&mut self, part: Bytes) {
        self.has_failed = self.has_failed || self.parts.try_reserve(1).is_err();
        if !self.has_failed {
            self.parts.push(part);
        }
    }

    fn end_part(&mut self) {
        if !self.out.is_empty() {
            let part = std::mem::take(&mut self.out).into();
            self.push_part(part);
        }
    }

    /// Appends raw bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        if self.reserve(bytes.len()) {
            self.out.extend_from_slice(bytes);
        }
    }
}

#[cfg(any(feature = "sheet", feature = "skelform", feature = "bake"))]
impl Writer {
    /// Appends an unsigned 32-bit number.
    pub fn u32(&mut self, value: u32) {
        self.bytes(&value.to_le_bytes());
    }

    /// Appends a length or count that is stored in 32 bits.
    pub fn count_u32(&mut self, path: &str, count: usize) -> Result<()> {
        self.u32(u32::try_from(count).map_err(|_| Self::too_many(path, count, u32::MAX))?);
        Ok(())
    }

    /// Begins a file that packs a text and an image: a magic number, a version, and the two lengths with their names.
    #[cfg(feature = "sheet")]
    pub fn packed(magic: [u8; 4], version: u32, lengths: [(&str, usize); 2]) -> Result<Self> {
        let mut out = Self::default();
        out.bytes(&magic);
        out.u32(version);
        for (path, len) in lengths {
            out.count_u32(path, len)?;
        }
        Ok(out)
    }

    fn too_many(path: &str, count: usize, max: u32) -> Error {
        Error::unsupported(
            "too-many",
            Place::inside(path),
            format!("{count} is too many, the format allows at most {max}"),
        )
    }
}

#[cfg(any(feature = "skelform", feature = "bake"))]
impl Writer {
    /// Appends an unsigned 16-bit number.
    pub fn u16(&mut self, value: u16) {
        self.bytes(&value.to_le_bytes());
    }

    /// Appends a length or count that is stored in 16 bits.
    pub fn count_u16(&mut self, path: &str, count: usize) -> Result<()> {
        self.u16(u16::try_from(count).map_err(|_| Self::too_many(path, count, u16::MAX.into()))?);
        Ok(())
    }
}

#[cfg(feature = "bake")]
impl Writer {
    /// Blocks of at least this many bytes are shared instead of copied.
    const SHARED: usize = 1 << 10;

    /// Appends a block that may be long.
    pub fn block(&mut self, block: &Bytes) {
        if block.len() < Self::SHARED {
            return self.bytes(block);
        }
        self.end_part();
        self.push_part(block.clone());
    }

    /// Appends the text and the image of [`Self::packed`], and returns all parts.
    #[cfg(feature = "convert")]
    pub fn into_packed(mut self, text: &[Bytes], image: &Bytes) -> Result<Vec<Bytes>> {
        text.iter().for_each(|part| self.block(part));
        self.block(image);
        self.into_parts()
    }

    /// Appends one byte.
    pub fn u8(&mut self, value: u8) {
        self.bytes(&[value]);
    }

    /// Appends a signed 16-bit number.
    pub fn i16(&mut self, value: i16) {
        self.bytes(&value.to_le_bytes());
    }

    /// Appends a `u16` byte length followed by the text.
    pub fn string(&mut self, path: &str, text: &str) -> Result<()> {
        self.count_u16(path, text.len())?;
        self.bytes(text.as_bytes());
        Ok(())
    }
}

/// Appends a stream whose length is not known.
impl io::Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.out.len().saturating_add(bytes.len()) > PART {
            self.end_part();
        }
        self.bytes(bytes);
        if self.has_failed { Err(io::ErrorKind::OutOfMemory.into()) } else { Ok(bytes.len()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
#[cfg(feature = "formats-all")]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_failed_allocation_is_an_error() {
        let fails = |into: fn(Writer) -> Result<()>| {
            let mut writer = Writer::default();
            writer.u32(1);
            assert!(!writer.reserve(usize::MAX), "no system has that much memory");
            writer.u32(2);
            assert!(writer.write(b"text").is_err());
            let error = into(writer).unwrap_err();
            assert!(matches!(&error, Error::Io { source, .. } if source.kind() == io::ErrorKind::OutOfMemory));
            assert_eq!(error.to_string(), "out of memory");
        };
        fails(|writer| writer.into_bytes().map(drop));
        fails(|writer| writer.into_parts().map(drop));
    }

    #[cfg(feature = "bake")]
    #[test]
    fn long_blocks_are_shared() {
        let long = Bytes::from(vec![7; Writer::SHARED]);
        let write = || {
            let mut writer = Writer::default();
            writer.u16(0x0201);
            writer.block(&Bytes::from_static(b"short"));
            writer.block(&long);
            writer.u8(9);
            writer
        };
        let parts = write().into_parts().unwrap();
        assert_eq!(parts.len(), 3);
        assert_eq!((&parts[0][..], &parts[2][..]), (&b"\x01\x02short"[..], &b"\x09"[..]));
        assert_eq!(parts[1].as_ptr(), long.as_ptr());
        assert_eq!(write().into_bytes().unwrap(), parts.concat());
        assert!(Writer::default().into_parts().unwrap().is_empty());
    }

    #[test]
    fn a_stream_is_not_copied_while_it_grows() {
        let mut writer = Writer::default();
        let text: Vec<u8> = (0..5 * PART / 2).map(|at| at as u8).collect();
        text.chunks(1000).for_each(|chunk| writer.write_all(chunk).unwrap());
        let parts = writer.into_parts().unwrap();
        assert!(parts.len() == 3 && parts.iter().all(|part| part.len() <= PART));
        assert!(parts.concat() == text);
    }
}
