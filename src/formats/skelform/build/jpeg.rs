//! JPEG bytes → straight RGBA pixels, with one colour taken for transparent.

use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;

use crate::error::{Error, Place, Result};

/// How far a channel may be from the colour that stands for nothing: JPEG keeps none exactly.
const NEAR: u8 = 100;

/// Whether `bytes` begin like a JPEG.
pub fn is_jpeg(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xff\xd8\xff")
}

fn decoder(bytes: &[u8]) -> JpegDecoder<ZCursor<&[u8]>> {
    let options = DecoderOptions::new_safe()
        .set_strict_mode(true)
        .set_max_width(u16::MAX.into())
        .set_max_height(u16::MAX.into())
        .jpeg_set_out_colorspace(ColorSpace::RGBA);
    JpegDecoder::new_with_options(ZCursor::new(bytes), options)
}

fn broken(error: impl std::fmt::Debug, place: &Place) -> Error {
    Error::malformed("bad-jpeg", place.clone(), format!("the JPEG cannot be decoded: {error:?}"))
}

/// Width and height, before anything is decoded.
pub fn jpeg_size(bytes: &[u8], place: &Place) -> Result<(u32, u32)> {
    let mut decoder = decoder(bytes);
    decoder.decode_headers().map_err(|error| broken(error, place))?;
    let info = decoder.info().ok_or_else(|| broken("there is no header", place))?;
    Ok((info.width.into(), info.height.into()))
}

/// Decodes a JPEG whose size was charged before. What is near `clear` becomes transparent.
pub fn decode_jpeg(bytes: &[u8], clear: [u8; 3], place: &Place) -> Result<Vec<u8>> {
    let mut pixels = decoder(bytes).decode().map_err(|error| broken(error, place))?;
    for pixel in pixels.as_chunks_mut::<4>().0 {
        let is_clear = clear.iter().zip(&*pixel).all(|(clear, channel)| clear.abs_diff(*channel) <= NEAR);
        *pixel = if is_clear { [0; 4] } else { [pixel[0], pixel[1], pixel[2], 255] };
    }
    Ok(pixels)
}
