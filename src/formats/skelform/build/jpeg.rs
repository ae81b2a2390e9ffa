//! JPEG bytes → straight RGBA pixels, with one colour taken for transparent.

use crate::error::{Place, Result};
use crate::formats::image;

/// How far a channel may be from the colour that stands for nothing: JPEG keeps none exactly.
const NEAR: u8 = 100;

/// Decodes a JPEG whose size was charged before. What is near `clear` becomes transparent.
pub fn decode_jpeg(bytes: &[u8], clear: [u8; 3], place: &Place) -> Result<Vec<u8>> {
    let mut pixels = image::decode_jpeg(bytes, place)?;
    for pixel in pixels.as_chunks_mut::<4>().0 {
        let is_clear = clear.iter().zip(&*pixel).all(|(clear, channel)| clear.abs_diff(*channel) <= NEAR);
        *pixel = if is_clear { [0; 4] } else { [pixel[0], pixel[1], pixel[2], 255] };
    }
    Ok(pixels)
}
