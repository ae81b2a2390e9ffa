//! Charges for decoding an image, before anything is allocated. `docs/limits.md` lists them.

#[cfg(feature = "pictures")]
use super::picture::working_bytes;
#[cfg(not(feature = "pictures"))]
use super::png::working_bytes;
use crate::error::{Error, Place, Result};
use crate::limits::Budget;

/// Charges the pixels of the image in `bytes`, which has this size in its header, and the memory of its decoder.
#[cfg(feature = "pictures")]
pub fn charge_decoding(
    bytes: &[u8],
    size: (u32, u32),
    budget: &mut Budget<'_>,
    place: impl Fn() -> Place,
) -> Result<()> {
    budget.charge_pixels(size.0, size.1, &place)?;
    charge_decoder(bytes, size, budget, place)
}

/// Charges the memory that the decoder of an image needs besides the pixels, which have been charged, and besides
/// copies of the file's own bytes. The charges of all images add up, since images are decoded in parallel.
pub fn charge_decoder(
    bytes: &[u8],
    size: (u32, u32),
    budget: &mut Budget<'_>,
    place: impl FnOnce() -> Place,
) -> Result<()> {
    budget.charge_memory(working_bytes(bytes, size), 1, place)
}

/// Fails if `bytes` are too few for an image of this size, even if each of them holds `most` pixels.
pub fn check_density(
    code: &'static str,
    bytes: &[u8],
    (width, height): (u32, u32),
    most: u64,
    place: impl FnOnce() -> Place,
) -> Result<()> {
    if (bytes.len() as u64).saturating_mul(most) >= u64::from(width) * u64::from(height) {
        return Ok(());
    }
    let message = format!("{} bytes cannot contain an image of {width}×{height} pixels", bytes.len());
    Err(Error::malformed(code, place(), message))
}
