//! PCHR v1: a skeleton, skinned meshes, sampled frames and the pictures they are drawn from.
//!
//! [`read`](read()) finds the fields, [`build`](build()) checks what they mean and makes a
//! [`Character`], [`write`](write()) makes the bytes of a file.

mod build;
mod read;
pub mod schema;
mod write;

use ::bytes::Bytes;

use super::ReadOptions;
use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::error::Result;
use crate::limits::Budget;

pub use build::build;
pub use read::read;
pub use write::write;

/// Sure when the magic is there.
pub(super) fn score(bytes: &[u8]) -> u8 {
    // A file that was cut inside its magic is still told as PCHR, with what is missing.
    let begins = bytes.iter().zip(&schema::MAGIC).all(|(byte, magic)| byte == magic);
    if !bytes.is_empty() && begins { 90 } else { 0 }
}

pub(super) fn read_character(
    bytes: Bytes,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Character> {
    let mut budget = Budget::new(&options.limits);
    let file = read(bytes, &mut budget, diagnostics)?;
    build(file, options, &mut budget, diagnostics)
}
