//! WebP → straight RGBA pixels. Only the first frame of an animation is decoded.

use std::io::Cursor;

use image_webp::{DecodingError, WebPDecoder};

use super::webp_frames;
use crate::error::{Error, Place, Result};
use crate::formats::image::guard::{check_room, guarded};

/// Returns true if `bytes` starts like a WebP.
pub fn is_webp(bytes: &[u8]) -> bool {
    bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP")
}

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

/// Decodes a WebP, whose size must be charged before. A truncated image is an error.
pub fn decode_webp(bytes: &[u8], place: &Place) -> Result<Vec<u8>> {
    let decode = || {
        let mut decoder = decoder(bytes, place)?;
        let (width, height) = decoder.dimensions();
        check_room(width, height, || place.clone())?;
        if let Some(frame) = webp_frames::too_large(bytes, (width, height)) {
            let message = format!(
                "the WebP cannot be decoded: a frame of {}×{} pixels does not fit into {width}×{height}",
                frame.0, frame.1
            );
            return Err(Error::malformed("bad-webp", place.clone(), message));
        }
        let too_large = || broken(&DecodingError::ImageTooLarge, place);
        let mut pixels = vec![0; decoder.output_buffer_size().ok_or_else(too_large)?];
        decoder.read_image(&mut pixels).map_err(|error| broken(&error, place))?;
        Ok(if decoder.has_alpha() { pixels } else { opaque(&pixels) })
    };
    guarded("bad-webp", || place.clone(), decode)
}

fn opaque(rgb: &[u8]) -> Vec<u8> {
    rgb.as_chunks().0.iter().flat_map(|&[r, g, b]| [r, g, b, 255]).collect()
}
