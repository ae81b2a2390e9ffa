//! PCHR v1: a skeleton, skinned meshes, sampled frames and the pictures they are drawn from.
//!
//! [`read`](read()) finds the fields, [`build`](build()) checks what they mean and makes a
//! [`Character`], [`write`](write()) makes the bytes of a file.

mod build;
pub mod document;
mod read;
pub mod schema;
mod write;

use ::bytes::Bytes;

use super::ReadOptions;
use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result};
use crate::limits::Budget;

pub use build::{Bind, Checked, CheckedMesh, Matrix, build, check};
pub use document::{Document, Kind};
pub use read::{read, read_outline};
pub use write::write;

/// Sure when the magic is there.
pub(super) fn score(bytes: &[u8]) -> u8 {
    // A file that was cut inside its magic is still told as PCHR, with what is missing.
    let begins = bytes.iter().zip(&schema::MAGIC).all(|(byte, magic)| byte == magic);
    if !bytes.is_empty() && begins { 90 } else { 0 }
}

/// Magic and version, then the lengths of a JSON text and of an image that fill the file exactly.
fn is_packed_pachario(bytes: &[u8]) -> bool {
    let length = |at: usize| bytes[at..at + 4].iter().rev().fold(0u64, |sum, &byte| sum << 8 | u64::from(byte));
    bytes.len() > 16 && 16 + length(8) + length(12) == bytes.len() as u64 && bytes[16] == b'{'
}

pub(super) fn read_character(
    bytes: Bytes,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Character> {
    if is_packed_pachario(&bytes) {
        let message =
            "this is a packed Pachario file, which is not read yet; it shares its first bytes with PCHR v1";
        return Err(Error::unsupported("packed-pachario", Place::default(), message));
    }
    let mut budget = Budget::new(&options.limits);
    let file = read(bytes, &mut budget, diagnostics)?;
    build(&Document::v1(file), options, &mut budget, diagnostics)
}
