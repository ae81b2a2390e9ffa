//! Which format a file is in, going by its bytes.
//!
//! All of this is in every build: one without a reader still says what a file is. A score is 0 where a file is
//! certainly of another format, and up to 100 where it certainly is of this one.

pub mod json;
pub mod pchr;
pub mod sheet;
pub mod spine;
pub mod xml;

/// The magic number of Aseprite's files, at byte 4.
pub const ASEPRITE_MAGIC: u16 = 0xa5e0;

/// Whether a file begins as Aseprite's do.
pub fn is_aseprite(bytes: &[u8]) -> bool {
    bytes.get(4..6) == Some(&ASEPRITE_MAGIC.to_le_bytes())
}
