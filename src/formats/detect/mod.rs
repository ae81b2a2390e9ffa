//! Detection of formats from the content of files.
//!
//! Every build contains all of it: a build without the reader still names the format. A score is 0 if a file
//! certainly has another format, and up to 100 if it certainly has this one.

pub mod animate;
pub mod atlas;
pub mod json;
pub mod pchr;
pub mod sheet;
pub mod spine;
pub mod xml;

/// The magic number of Aseprite files, at byte 4.
pub const ASEPRITE_MAGIC: u16 = 0xa5e0;

/// Returns true if a file starts like an Aseprite file.
pub fn is_aseprite(bytes: &[u8]) -> bool {
    bytes.get(4..6) == Some(&ASEPRITE_MAGIC.to_le_bytes())
}
