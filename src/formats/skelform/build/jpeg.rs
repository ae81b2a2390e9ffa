//! JPEG bytes → straight RGBA pixels, with a colour key for transparency.

use crate::error::{Place, Result};
use crate::formats::image;

/// Tolerance per channel around the transparent colour, since JPEG keeps no colour exactly.
const NEAR: u8 = 100;

/// Decodes a JPEG whose size has been charged. Pixels close to `clear` become transparent.
pub fn decode_jpeg(bytes: &[u8], clear: [u8; 3], place: &Place) -> Result<Vec<u8>> {
    let mut pixels = image::decode_jpeg(bytes, place)?;
    for pixel in pixels.as_chunks_mut::<4>().0 {
        let is_clear = clear.iter().zip(&*pixel).all(|(clear, channel)| clear.abs_diff(*channel) <= NEAR);
        *pixel = if is_clear { [0; 4] } else { [pixel[0], pixel[1], pixel[2], 255] };
    }
    Ok(pixels)
}
