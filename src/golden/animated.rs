//! The composited frames of an animated PNG, GIF or WebP.

use std::io::Cursor;
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
use crate::formats::image::guarded;
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
    let decoder = PngDecoder::new(Cursor::new(bytes)).map_err(|error| broken(&error, place))?;
    decoder.is_apng().map_err(|error| broken(&error, place))
}

fn open(bytes: &Bytes, format: AnimatedFormat, limits: &Limits, place: &Place) -> Result<image::Frames<'static>> {
    let input = Cursor::new(bytes.clone());
    let broken = |error: ImageError| broken(&error, place);
    match format {
        AnimatedFormat::Apng => {
            let decoder = checked(PngDecoder::new(input), limits, place)?;
            Ok(decoder.apng().map_err(broken)?.into_frames())
        }
        AnimatedFormat::Gif => Ok(checked(GifDecoder::new(input), limits, place)?.into_frames()),
        AnimatedFormat::Webp => Ok(checked(WebPDecoder::new(input), limits, place)?.into_frames()),
        AnimatedFormat::Raw | AnimatedFormat::Y4m => {
            Err(Error::misuse("no-frames", "video without a header cannot be read as a reference"))
        }
    }
}

/// Charges the size in the header before any frame is decoded.
fn checked<D: ImageDecoder>(decoder: ImageResult<D>, limits: &Limits, place: &Place) -> Result<D> {
    let mut decoder = decoder.map_err(|error| broken(&error, place))?;
    let (width, height) = decoder.dimensions();
    Budget::new(limits).charge_pixels(width, height, || place.clone())?;
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
