//! PNG → straight RGBA pixels, within the size charged for the header, and back.

use std::io::{Cursor, Write};

use png::{BitDepth, ColorType, Compression, Decoder, Encoder, InterlaceInfo, Transformations};

use super::charge::check_density;
use super::guard::{check_room, guarded};
use crate::error::{Error, Place, Result};
use crate::math::color::unpremultiply_all;
use crate::progress::Progress;

/// The first bytes of every PNG.
pub const PNG_SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

/// Returns the width and height from the header of a PNG without decoding it, or `None` if it is not a PNG.
pub fn png_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let header = bytes.get(..24)?;
    if header[..8] != PNG_SIGNATURE || &header[12..16] != b"IHDR" {
        return None;
    }
    let number = |at: usize| u32::from_be_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
    Some((number(16), number(20)))
}

/// Decodes a PNG of any colour type and depth to `width · height` straight RGBA pixels.
///
/// The size in the header must be charged before. A truncated image is an error.
pub fn decode_png(bytes: &[u8], place: impl Fn() -> Place) -> Result<Vec<u8>> {
    decode_png_watched(bytes, None, place)
}

/// Like [`decode_png`], but stops once `progress` is cancelled.
pub(crate) fn decode_png_watched(
    bytes: &[u8],
    progress: Option<&Progress>,
    place: impl Fn() -> Place,
) -> Result<Vec<u8>> {
    if let Some(length) = broken_palette(bytes) {
        let message =
            format!("the PNG cannot be decoded: its palette has {length} bytes, which is not a multiple of 3");
        return Err(Error::malformed("bad-png", place(), message));
    }
    guarded("bad-png", &place, || decode(bytes, progress, &place))
}

/// Returns the length of a palette with an incomplete colour. The `png` crate panics on some of these.
fn broken_palette(bytes: &[u8]) -> Option<usize> {
    let mut chunks = bytes.get(PNG_SIGNATURE.len()..)?;
    loop {
        let length = usize::try_from(u32::from_be_bytes(*chunks.first_chunk()?)).ok()?;
        match chunks.get(4..8)? {
            b"PLTE" if !length.is_multiple_of(3) => return Some(length),
            b"IDAT" | b"IEND" => return None,
            _ => chunks = chunks.get(length.checked_add(12)?..)?,
        }
    }
}

/// Maximum number of bytes per pixel in the file: four channels of 16 bits.
const WIDEST_PIXEL: usize = 8;
/// Upper bound on the compression ratio of deflate.
const MAX_RATIO: u64 = 1033;
/// Maximum number of rows, as stored in the file, that the decoder holds. Its buffer grows by doubling.
const HELD_ROWS: u64 = 16;

/// Returns the number of bits per pixel in the file; the bits of the widest pixel for an invalid header.
fn bits_per_pixel(bytes: &[u8]) -> u64 {
    let Some(&[depth, color]) = bytes.get(24..26) else { return WIDEST_PIXEL as u64 * 8 };
    let channels = match color {
        0 | 3 => 1,
        4 => 2,
        2 => 3,
        _ => 4,
    };
    u64::from(depth.clamp(1, 16)) * channels
}

/// Returns the memory that decoding needs besides the pixels.
pub(super) fn working_bytes(bytes: &[u8], (width, height): (u32, u32)) -> u64 {
    let row = (u64::from(width) * bits_per_pixel(bytes)).div_ceil(8) + 1;
    let stored = row.saturating_mul(HELD_ROWS.min(3 * u64::from(height)));
    // A row as stored and one of RGBA, both expanded.
    stored + 8 * u64::from(width)
}

fn decode(bytes: &[u8], progress: Option<&Progress>, place: impl Fn() -> Place) -> Result<Vec<u8>> {
    let broken = |error: png::DecodingError| {
        Error::malformed("bad-png", place(), format!("the PNG cannot be decoded: {error}"))
    };
    // The memory for a row was charged with the pixels; the decoder's own limit is for other chunks.
    let row = png_size(bytes).map_or(0, |(width, _)| width as usize * WIDEST_PIXEL);
    let limits = png::Limits { bytes: png::Limits::default().bytes.saturating_add(row) };
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), limits);
    // Text and colour profiles are not used, and may be bombs.
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    let mut reader = decoder.read_info().map_err(broken)?;
    let size = reader.info().size();
    check_density("bad-png", bytes, size, MAX_RATIO * 8 / bits_per_pixel(bytes), &place)?;
    check_room(size.0, size.1, &place)?;
    let (width, height) = (reader.info().width as usize, reader.info().height as usize);
    let (color, depth) = reader.output_color_type();
    debug_assert_eq!(depth, BitDepth::Eight);
    let stride = width * 4;
    let mut pixels = vec![0; stride * height];
    let mut expanded = Vec::new();
    let mut y = 0;
    while let Some(row) = reader.next_interlaced_row().map_err(broken)? {
        progress.map_or(Ok(()), Progress::check)?;
        match row.interlace() {
            InterlaceInfo::Null(_) => {
                expand_row(row.data(), color, &mut pixels[y * stride..][..stride]);
                y += 1;
            }
            InterlaceInfo::Adam7(info) => {
                let len = row.data().len() / color.samples() * 4;
                expanded.resize(stride, 0);
                expand_row(row.data(), color, &mut expanded[..len]);
                png::expand_interlaced_row(&mut pixels, stride, &expanded[..len], info, 32);
            }
        }
    }
    Ok(pixels)
}

/// Encodes `width · height` straight RGBA pixels as an 8-bit PNG.
pub fn encode_png(width: u32, height: u32, pixels: &[u8]) -> Result<Vec<u8>> {
    // The encoder keeps all filtered pixels, and then compresses them.
    check_room(width, height, Place::default)?;
    let mut out = Vec::new();
    write_png(&mut out, width, height, pixels).map_err(|source| Error::Io { place: Box::default(), source })?;
    Ok(out)
}

/// Converts a PNG with premultiplied colours to one with straight colours. Its size must be charged before.
pub fn straight_png(bytes: &[u8], (width, height): (u32, u32), place: impl Fn() -> Place) -> Result<Vec<u8>> {
    let mut pixels = decode_png(bytes, place)?;
    unpremultiply_all(&mut pixels);
    encode_png(width, height, &pixels)
}

/// Writes `width · height` RGBA pixels as an 8-bit PNG, unchanged.
pub fn write_png(out: impl Write, width: u32, height: u32, pixels: &[u8]) -> std::io::Result<()> {
    let mut encoder = Encoder::new(out, width, height);
    encoder.set_color(ColorType::Rgba);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Fast);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(())
}

/// Converts a row of 8-bit samples to RGBA.
fn expand_row(row: &[u8], color: ColorType, out: &mut [u8]) {
    let (out, _) = out.as_chunks_mut::<4>();
    match color {
        ColorType::Rgba => out.as_flattened_mut().copy_from_slice(row),
        ColorType::Rgb => {
            for (pixel, &[r, g, b]) in out.iter_mut().zip(row.as_chunks().0) {
                *pixel = [r, g, b, 255];
            }
        }
        ColorType::GrayscaleAlpha => {
            for (pixel, &[grey, alpha]) in out.iter_mut().zip(row.as_chunks().0) {
                *pixel = [grey, grey, grey, alpha];
            }
        }
        // Palettes were already expanded.
        ColorType::Grayscale | ColorType::Indexed => {
            for (pixel, &grey) in out.iter_mut().zip(row) {
                *pixel = [grey, grey, grey, 255];
            }
        }
    }
}
