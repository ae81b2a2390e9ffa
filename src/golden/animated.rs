//! The composited frames of an animated PNG, GIF or WebP.

use std::io::{BufRead, Cursor, Seek};
use std::path::Path;

use ::bytes::Bytes;
use image::codecs::gif::GifDecoder;
use image::codecs::png::PngDecoder;
use image::codecs::webp::WebPDecoder;
use image::{AnimationDecoder, ImageDecoder, ImageError, ImageResult};

use super::frames::GoldenFrame;
use super::still::{decode_reference, picture_of};
use crate::error::{Error, Place, Result};
use crate::export::AnimatedFormat;
use crate::formats::image::{check_webp_frames, guarded, png_size};
use crate::formats::read_file;
use crate::limits::{Budget, Limits};

type Decoded = Box<dyn Iterator<Item = Result<GoldenFrame>>>;

/// Opens an animated picture.
pub fn frames(path: &Path, format: AnimatedFormat, limits: &Limits) -> Result<Decoded> {
    let bytes = read_file(path, limits)?;
    let place = Place::file(path.display());
    // A clip of one frame is an ordinary PNG.
    if format == AnimatedFormat::Apng && !guarded("bad-png", || place.clone(), || is_animated_png(&bytes, &place))?
    {
        let picture = decode_reference(&bytes, limits).map_err(|error| error.in_file(path.display()))?;
        return Ok(Box::new(std::iter::once(Ok(GoldenFrame { picture, shown_ms: 0.0 }))));
    }
    let mut frames = guarded("bad-png", || place.clone(), || open(&bytes, format, limits, &place))?;
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

fn is_animated_png(bytes: &Bytes, place: &Place) -> Result<bool> {
    png_decoder(Cursor::new(bytes), bytes)
        .and_then(|decoder| decoder.is_apng())
        .map_err(|error| broken(&error, place))
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

fn open(bytes: &Bytes, format: AnimatedFormat, limits: &Limits, place: &Place) -> Result<image::Frames<'static>> {
    let input = Cursor::new(bytes.clone());
    let broken = |error: ImageError| broken(&error, place);
    match format {
        AnimatedFormat::Apng => {
            let decoder = checked(png_decoder(input, bytes), APNG_BYTES, limits, place)?;
            Ok(decoder.apng().map_err(broken)?.into_frames())
        }
        // A frame may be larger than the canvas; the decoder counts its memory.
        AnimatedFormat::Gif => Ok(checked(GifDecoder::new(input), GIF_BYTES, limits, place)?.into_frames()),
        AnimatedFormat::Webp => {
            let decoder = checked(WebPDecoder::new(input), WEBP_BYTES, limits, place)?;
            check_webp_frames(bytes, decoder.dimensions(), || place.clone())?;
            Ok(decoder.into_frames())
        }
        AnimatedFormat::Raw | AnimatedFormat::Y4m | AnimatedFormat::Compressed(_) => {
            Err(Error::misuse("no-frames", "a video cannot be read as a reference"))
        }
    }
}

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
