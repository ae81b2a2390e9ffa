//! The only place that turns bytes into numbers and numbers into bytes. Little-endian throughout.

mod reader;
mod source;
mod writer;

pub use reader::Reader;
pub use source::{Seekable, Source};
pub use writer::Writer;

/// A part of a file that stays as it is, and where it is there.
///
/// Cheap to clone: the bytes are shared with the file they came from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Block {
    /// The bytes; none where they were skipped.
    pub bytes: ::bytes::Bytes,
    /// Byte offset from the start of the file; 0 for bytes that came from no file.
    pub offset: u64,
    /// How many bytes the file has there, skipped or not.
    pub len: u64,
}

impl Block {
    /// The bytes at `offset` of a file.
    pub fn new(bytes: ::bytes::Bytes, offset: u64) -> Self {
        let len = bytes.len() as u64;
        Self { bytes, offset, len }
    }

    /// Whether the file has bytes there that were not read.
    pub fn is_skipped(&self) -> bool {
        self.bytes.len() as u64 != self.len
    }
}

impl From<Vec<u8>> for Block {
    fn from(bytes: Vec<u8>) -> Self {
        Self::new(bytes.into(), 0)
    }
}

/// The `u16` at byte `at`. Panics when the slice ends before.
#[inline]
pub(crate) fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

/// The `u32` at byte `at`. Panics when the slice ends before.
#[inline]
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

/// The `f32` at byte `at`. Panics when the slice ends before.
#[inline]
pub(crate) fn f32_at(bytes: &[u8], at: usize) -> f32 {
    f32::from_bits(u32_at(bytes, at))
}
