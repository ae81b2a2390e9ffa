//! JPEG → opaque RGBA pixels.

use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;

use crate::error::{Error, Place, Result};
use crate::formats::image::guard::{check_room, guarded};

/// Returns true if `bytes` starts like a JPEG.
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
    let reason = format!("{error:?}");
    // Some messages end in a line break.
    Error::malformed("bad-jpeg", place.clone(), format!("the JPEG cannot be decoded: {}", reason.trim_end()))
}

/// Returns the width and height without decoding the image.
pub fn jpeg_size(bytes: &[u8], place: &Place) -> Result<(u32, u32)> {
    guarded(
        "bad-jpeg",
        || place.clone(),
        || {
            let mut decoder = decoder(bytes);
            decoder.decode_headers().map_err(|error| broken(error, place))?;
            let info = decoder.info().ok_or_else(|| broken("the header is missing", place))?;
            Ok((info.width.into(), info.height.into()))
        },
    )
}

/// Decodes a JPEG, whose size must be charged before. A truncated image is an error.
pub fn decode_jpeg(bytes: &[u8], place: &Place) -> Result<Vec<u8>> {
    let (width, height) = jpeg_size(bytes, place)?;
    check_room(width, height, || place.clone())?;
    guarded("bad-jpeg", || place.clone(), || decoder(bytes).decode().map_err(|error| broken(error, place)))
}
