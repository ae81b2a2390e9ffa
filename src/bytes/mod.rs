//! The only place that turns bytes into numbers and numbers into bytes. Little-endian throughout.

mod reader;
mod writer;

pub use reader::Reader;
pub use writer::Writer;

/// A part of a file that stays as it is, and the offset at which it begins there.
///
/// Cheap to clone: the bytes are shared with the file they came from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Block {
    /// The bytes.
    pub bytes: ::bytes::Bytes,
    /// Byte offset from the start of the file; 0 for bytes that came from no file.
    pub offset: u64,
}

impl From<Vec<u8>> for Block {
    fn from(bytes: Vec<u8>) -> Self {
        Self { bytes: bytes.into(), offset: 0 }
    }
}

/// The `u16` at byte `at`. Panics when the slice ends before.
#[inline]
pub(crate) fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

/// The `f32` at byte `at`. Panics when the slice ends before.
#[inline]
pub(crate) fn f32_at(bytes: &[u8], at: usize) -> f32 {
    f32::from_bits(u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]))
}
