//! WebP → straight RGBA pixels. Only the first frame of an animation is decoded.

use std::io::Cursor;

use image_webp::{DecodingError, WebPDecoder};

use super::webp_frames;
use crate::error::{Error, Place, Result};
use crate::formats::image::guard::{check_room, guarded};

fn broken(error: &DecodingError, place: &Place) -> Error {
    Error::malformed("bad-webp", place.clone(), format!("the WebP cannot be decoded: {error}"))
}

fn decoder<'a>(bytes: &'a [u8], place: &Place) -> Result<WebPDecoder<Cursor<&'a [u8]>>> {
    WebPDecoder::new(Cursor::new(bytes)).map_err(|error| broken(&error, place))
}

/// Returns the width and height without decoding the image.
pub fn webp_size(bytes: &[u8], place: &Place) -> Result<(u32, u32)> {
    guarded("bad-webp", || place.clone(), || Ok(decoder(bytes, place)?.dimensions()))
}

/// Fails if a frame is larger than the image, or if its data are too few for its size.
pub fn check_webp_frames(bytes: &[u8], size: (u32, u32), place: impl FnOnce() -> Place) -> Result<()> {
    webp_frames::check(bytes, size)
        .map_err(|reason| Error::malformed("bad-webp", place(), format!("the WebP cannot be decoded: {reason}")))
}

/// Returns the memory that decoding needs besides the pixels.
pub fn working_bytes(bytes: &[u8], (width, height): (u32, u32)) -> u64 {
    let padded = |side: u32| u64::from(side).next_multiple_of(16);
    padded(width).saturating_mul(padded(height)).saturating_mul(webp_frames::working_bytes_per_pixel(bytes))
}

/// Decodes a WebP, whose size must be charged before. A truncated image is an error.
pub fn decode_webp(bytes: &[u8], place: &Place) -> Result<Vec<u8>> {
    let decode = || {
        let mut decoder = decoder(bytes, place)?;
        let (width, height) = decoder.dimensions();
        check_webp_frames(bytes, (width, height), || place.clone())?;
        check_room(width, height, || place.clone())?;
        let mut pixels = vec![0; width as usize * height as usize * 4];
        let too_large = || broken(&DecodingError::ImageTooLarge, place);
        let len = decoder.output_buffer_size().filter(|len| *len <= pixels.len()).ok_or_else(too_large)?;
        decoder.read_image(&mut pixels[..len]).map_err(|error| broken(&error, place))?;
        if !decoder.has_alpha() {
            spread(&mut pixels);
        }
        Ok(pixels)
    };
    guarded("bad-webp", || place.clone(), decode)
}

/// Turns RGB pixels at the beginning of `pixels` into opaque RGBA pixels that fill it.
fn spread(pixels: &mut [u8]) {
    for at in (0..pixels.len() / 4).rev() {
        let [r, g, b] = [0, 1, 2].map(|channel| pixels[3 * at + channel]);
        pixels[4 * at..][..4].copy_from_slice(&[r, g, b, 255]);
    }
}
