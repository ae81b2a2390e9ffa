//! The check whether an image can be decoded, for images that are copied.

use super::{charge_decoding, decode_picture, picture_size};
use crate::error::{Place, Result};
use crate::limits::{Budget, Limits};

/// Fails if an image cannot be decoded within `limits`.
pub fn check_decodable(bytes: &[u8], limits: &Limits, place: impl Fn() -> Place) -> Result<()> {
    let size = picture_size(bytes, &place)?;
    charge_decoding(bytes, size, &mut Budget::new(limits), &place)?;
    decode_picture(bytes, place).map(drop)
}
