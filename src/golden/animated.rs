//! The composited frames of an animated PNG, GIF or WebP.

use std::io::{BufRead, Cursor, Seek};
use std::path::Path;

use ::bytes::Bytes;
use image::codecs::gif::GifDecoder;
use image::codecs::png::PngDecoder;
use image::codecs::webp::WebPDecoder;
use image::{AnimationDecoder, ImageDecoder, ImageError, ImageResult};

use super::frames::{Decoded, GoldenFrame};
use super::still::picture_of;
use crate::error::{Error, Place, Result};
use crate::formats::image::{check_webp_frames, decode_still, guarded, png_size};
use crate::formats::read_file;
use crate::limits::{Budget, Limits};

/// Opens an animated picture with the decoder of its format.
pub fn frames(
    path: &Path,
    decoder: fn(&Bytes, &Limits, &Place) -> Result<image::Frames<'static>>,
    limits: &Limits,
) -> Result<Decoded> {
    let bytes = read_file(path, limits)?;
    let place = Place::file(path.display());
    let mut frames = guarded("bad-png", || place.clone(), || decoder(&bytes, limits, &place))?;
    let mut is_over = false;
    // The decoders panic on some damaged files, and repeat their error forever.
    let next = move || {
        if is_over {
            return None;
        }
        let next = guarded(
            "bad-png",
            || place.clone(),
            || frames.next().map(|frame| frame_of(frame, &place)).transpose(),
        );
        is_over = next.is_err();
        next.transpose()
    };
    Ok(Box::new(std::iter::from_fn(next)))
}

/// Decodes an APNG, or an ordinary PNG: a clip of one frame is one.
pub fn apng(bytes: &Bytes, limits: &Limits, place: &Place) -> Result<image::Frames<'static>> {
    let broken = |error: ImageError| broken(&error, place);
    let is_animated = png_decoder(Cursor::new(bytes), bytes).and_then(|decoder| decoder.is_apng());
    if is_animated.map_err(broken)? {
        let decoder = checked(png_decoder(Cursor::new(bytes.clone()), bytes), APNG_BYTES, limits, place)?;
        return Ok(decoder.apng().map_err(broken)?.into_frames());
    }
    let ((width, height), pixels) = decode_still(bytes, limits, || place.clone())?;
    let frame = image::RgbaImage::from_raw(width, height, pixels).map(image::Frame::new);
    Ok(image::Frames::new(Box::new(frame.map(Ok).into_iter())))
}

/// Decodes a GIF. A frame may be larger than the canvas; the decoder counts its memory.
pub fn gif(bytes: &Bytes, limits: &Limits, place: &Place) -> Result<image::Frames<'static>> {
    Ok(checked(GifDecoder::new(Cursor::new(bytes.clone())), GIF_BYTES, limits, place)?.into_frames())
}

/// Decodes a WebP.
pub fn webp(bytes: &Bytes, limits: &Limits, place: &Place) -> Result<image::Frames<'static>> {
    let decoder = checked(WebPDecoder::new(Cursor::new(bytes.clone())), WEBP_BYTES, limits, place)?;
    check_webp_frames(bytes, decoder.dimensions(), || place.clone())?;
    Ok(decoder.into_frames())
}

/// Prepares a decoder that unpacks at most a few megabytes of colour profiles and texts.
fn png_decoder<R: BufRead + Seek>(input: R, bytes: &[u8]) -> ImageResult<PngDecoder<R>> {
    let row = png_size(bytes).map_or(0, |(width, _)| u64::from(width) * PNG_ROW_BYTES);
    let mut limits = image::Limits::no_limits();
    limits.max_alloc = Some(MAX_CHUNK_BYTES + row);
    PngDecoder::with_limits(input, limits)
}

/// Memory for the chunks of a PNG that are not pixels, in bytes.
const MAX_CHUNK_BYTES: u64 = 16 << 20;
/// Memory for a row in bytes per pixel.
const PNG_ROW_BYTES: u64 = 8;

/// Bytes per pixel that a decoder needs besides the returned picture: the canvas, the previous canvas, the frame as
/// stored and as composited, and the list of pixels that the decoder of PNGs makes to clear a frame.
const APNG_BYTES: u64 = 48;
/// The same for GIFs: the canvas, the frame as stored and as composited.
const GIF_BYTES: u64 = 12;
/// The same for WebPs: the canvas, the frame as stored and as composited, and what decoding a still picture needs.
const WEBP_BYTES: u64 = 14;

/// Charges the size in the header, and `working` bytes per pixel for the decoder, before any frame is decoded.
fn checked<D: ImageDecoder>(decoder: ImageResult<D>, working: u64, limits: &Limits, place: &Place) -> Result<D> {
    let mut decoder = decoder.map_err(|error| broken(&error, place))?;
    let (width, height) = decoder.dimensions();
    let mut budget = Budget::new(limits);
    budget.charge_pixels(width, height, || place.clone())?;
    budget.charge_memory(u64::from(width) * u64::from(height) * working, 1, || place.clone())?;
    let mut decoder_limits = image::Limits::default();
    (decoder_limits.max_image_width, decoder_limits.max_image_height) = (Some(width), Some(height));
    decoder_limits.max_alloc = Some(limits.memory_bytes);
    decoder.set_limits(decoder_limits).map_err(|error| broken(&error, place))?;
    Ok(decoder)
}

fn frame_of(frame: ImageResult<image::Frame>, place: &Place) -> Result<GoldenFrame> {
    let frame = frame.map_err(|error| broken(&error, place))?;
    let (numerator, denominator) = frame.delay().numer_denom_ms();
    let shown_ms = f64::from(numerator) / f64::from(denominator.max(1));
    let buffer = frame.buffer();
    let picture = picture_of(buffer.width(), buffer.height(), buffer.as_raw())?;
    Ok(GoldenFrame { picture, shown_ms })
}

fn broken(error: &ImageError, place: &Place) -> Error {
    Error::malformed("bad-png", place.clone(), format!("the picture cannot be decoded: {error}"))
}
