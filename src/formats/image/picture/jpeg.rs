//! JPEG → opaque RGBA pixels.

use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;

use crate::error::{Error, Place, Result};
use crate::formats::image::charge::check_density;
use crate::formats::image::guard::{check_room, guarded};

/// Maximum width and height: the decoder rounds them up to whole blocks in 16 bits.
const MAX_SIDE: usize = u16::MAX as usize - 7;
/// Maximum number of pixels per byte. A block of 8 × 8 samples takes at least one bit, and the component with the most
/// blocks has at least one sample for every four pixels.
const MAX_DENSITY: u64 = 2048;

fn decoder(bytes: &[u8]) -> JpegDecoder<ZCursor<&[u8]>> {
    let options = DecoderOptions::new_safe()
        .set_strict_mode(true)
        .set_max_width(MAX_SIDE)
        .set_max_height(MAX_SIDE)
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
    check_density("bad-jpeg", bytes, (width, height), MAX_DENSITY, || place.clone())?;
    check_room(width, height, || place.clone())?;
    guarded("bad-jpeg", || place.clone(), || decoder(bytes).decode().map_err(|error| broken(error, place)))
}

/// Returns the memory that decoding needs besides the pixels: the coefficients of the image if it has several scans,
/// and otherwise of a row of blocks, and rows of samples.
pub fn working_bytes(bytes: &[u8], (width, height): (u32, u32)) -> u64 {
    let Some(frame) = Frame::of(bytes) else { return 0 };
    let most = |side: fn(&[u64; 2]) -> u64| frame.factors.iter().map(side).max().unwrap_or(1).max(1);
    let (across, down) = (most(|[across, _]| *across), most(|[_, down]| *down));
    let columns = u64::from(width).div_ceil(8 * across);
    let rows = u64::from(height).div_ceil(8 * down);
    let of_component = |&[h, v]: &[u64; 2]| {
        let (h, v) = (h.max(1), v.max(1));
        let whole = if frame.has_several_scans { 128 * columns * rows * h * v } else { 0 };
        // Rows are upsampled to the rows of the largest component.
        let upsampled = across.div_ceil(h) * down.div_ceil(v);
        whole + 8 * columns * h * ROW_BYTES * (v + upsampled)
    };
    frame.factors.iter().map(of_component).fold(0, u64::saturating_add)
}

/// Bytes per sample in a row of blocks: several rows of 16-bit samples.
const ROW_BYTES: u64 = 40;

/// What the header says about the components.
struct Frame {
    /// Sampling factors of each component, horizontal and vertical.
    factors: Vec<[u64; 2]>,
    /// Whether the components, or the bits of their coefficients, are stored one after the other.
    has_several_scans: bool,
}

impl Frame {
    /// Reads the header, up to the first scan. Returns `None` if there is none.
    fn of(bytes: &[u8]) -> Option<Self> {
        let (mut at, mut found) = (2, None);
        loop {
            let marker = *bytes.get(at..)?.first_chunk::<4>()?;
            let [0xff, kind, length @ ..] = marker else { return None };
            // Markers may be preceded by any number of fill bytes.
            if kind == 0xff {
                at += 1;
                continue;
            }
            let length = usize::from(u16::from_be_bytes(length));
            let segment = bytes.get(at + 4..)?;
            match kind {
                0xc0..=0xc2 => {
                    let count = usize::from(*segment.get(5)?);
                    let factors = segment.get(6..)?.as_chunks::<3>().0.iter().take(count);
                    let factors =
                        factors.map(|[_, factors, _]| [factors >> 4, factors & 15].map(u64::from)).collect();
                    found = Some(Self { factors, has_several_scans: kind == 0xc2 });
                }
                0xda => {
                    let mut frame: Self = found?;
                    frame.has_several_scans |= usize::from(*segment.first()?) < frame.factors.len();
                    return Some(frame);
                }
                _ => {}
            }
            at = at.checked_add(2 + length)?;
        }
    }
}
