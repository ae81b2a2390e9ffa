//! Conversion between slices of bytes and of numbers, little-endian throughout.

mod reader;
#[cfg(any(feature = "pachario", feature = "sheet", feature = "skelform", feature = "bake"))]
mod room;
mod source;
#[cfg(any(feature = "pachario", feature = "sheet", feature = "skelform", feature = "bake"))]
mod writer;

pub use reader::Reader;
#[cfg(feature = "aseprite")]
pub(crate) use room::filled;
#[cfg(any(feature = "aseprite", feature = "bake"))]
pub(crate) use room::room;
pub use source::{Seekable, Source};
#[cfg(any(feature = "pachario", feature = "sheet", feature = "skelform", feature = "bake"))]
pub(crate) use writer::Writer;

/// A verbatim part of a file, with its offset.
///
/// Cheap to clone: the bytes are shared with the file.
#[derive(Debug, Clone, Default)]
pub struct Block {
    /// The bytes; empty if they were skipped.
    pub bytes: ::bytes::Bytes,
    /// Byte offset from the start of the file; 0 for bytes that are not from a file.
    pub offset: u64,
    /// Length in the file in bytes, skipped or not.
    pub len: u64,
}

impl Block {
    /// Creates a block of bytes at `offset` of a file.
    pub fn new(bytes: ::bytes::Bytes, offset: u64) -> Self {
        let len = bytes.len() as u64;
        Self { bytes, offset, len }
    }

    /// Returns true if the bytes were skipped.
    pub fn is_skipped(&self) -> bool {
        self.bytes.len() as u64 != self.len
    }
}

impl From<Vec<u8>> for Block {
    fn from(bytes: Vec<u8>) -> Self {
        Self::new(bytes.into(), 0)
    }
}

/// Reads the `u16` at byte `at`. Panics if it is out of bounds.
#[inline]
pub(crate) fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

/// Reads the `u32` at byte `at`. Panics if it is out of bounds.
#[inline]
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

/// Reads the `f32` at byte `at`. Panics if it is out of bounds.
#[inline]
pub(crate) fn f32_at(bytes: &[u8], at: usize) -> f32 {
    f32::from_bits(u32_at(bytes, at))
}
