//! PNG → straight RGBA pixels, within the size charged for the header, and back.

use std::io::{Cursor, Write};

use ::bytes::Bytes;
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
    decode_watched(bytes, None, place)
}

/// Like [`decode_png`], but stops once `progress` is cancelled, and uses pixels that it holds already.
pub(crate) fn decode_png_watched(
    bytes: &[u8],
    progress: Option<&Progress>,
    place: impl Fn() -> Place,
) -> Result<Bytes> {
    Progress::decoded(progress, png_size(bytes), || decode_watched(bytes, progress, place))
}

fn decode_watched(bytes: &[u8], progress: Option<&Progress>, place: impl Fn() -> Place) -> Result<Vec<u8>> {
    if let Some(length) = broken_palette(bytes) {
        let message =
            format!("the PNG cannot be decoded: its palette has {length} bytes, which is not a multiple of 3");
        return Err(Error::malformed("bad-png", place(), message));
    }
    guarded("bad-png", &place, || decode(bytes, progress, &place))
}

/// Like [`decode_png_watched`], but leaves the pixels of a complete PNG blank.
#[cfg(feature = "convert")]
pub(crate) fn blank_png(bytes: &[u8], progress: Option<&Progress>, place: impl Fn() -> Place) -> Result<Vec<u8>> {
    match png_size(bytes).filter(|size| is_complete(bytes, *size)) {
        Some((width, height)) => {
            check_room(width, height, place)?;
            Ok(vec![0; width as usize * height as usize * 4])
        }
        None => decode_watched(bytes, progress, place),
    }
}

/// Returns true if a PNG of the most usual kinds has all of its chunks, and their checksums are right: then only the program
/// that wrote it can have made its pixels invalid.
#[cfg(feature = "convert")]
fn is_complete(bytes: &[u8], size: (u32, u32)) -> bool {
    // 8 bits per channel, without a palette.
    if !matches!(bytes.get(24..29), Some([8, 0 | 2 | 4 | 6, 0, 0, 0 | 1])) {
        return false;
    }
    let (mut is_first, mut has_pixels, mut is_after_pixels) = (true, false, false);
    for (name, length, rest) in chunks(bytes) {
        let content = rest.get(4..).and_then(|rest| rest.split_at_checked(length.checked_add(4)?));
        let is_right =
            content.is_some_and(|(content, rest)| rest.starts_with(&rawzip::crc32(content).to_be_bytes()));
        match &name {
            _ if !is_right => return false,
            b"IHDR" if is_first && length == 13 => {}
            b"IDAT" if !is_first && !is_after_pixels => has_pixels = true,
            b"IEND" if has_pixels => return check_size(bytes, size, Place::default).is_ok(),
            // An animation has several pictures.
            b"acTL" | b"fcTL" | b"fdAT" => return false,
            [b'a'..=b'z', ..] if !is_first => is_after_pixels = has_pixels,
            _ => return false,
        }
        is_first = false;
    }
    false
}

/// Returns the chunks up to the first one that is cut off: the name, the stated length of the content, and the file from
/// that length on.
fn chunks(bytes: &[u8]) -> impl Iterator<Item = ([u8; 4], usize, &[u8])> {
    let mut next = bytes.get(PNG_SIGNATURE.len()..);
    std::iter::from_fn(move || {
        let rest = next?;
        let length = usize::try_from(u32::from_be_bytes(*rest.first_chunk()?)).ok()?;
        let name = *rest.get(4..)?.first_chunk()?;
        next = length.checked_add(12).and_then(|end| rest.get(end..));
        Some((name, length, rest))
    })
}

/// Returns the length of a palette with an incomplete colour. The `png` crate panics on some of these.
fn broken_palette(bytes: &[u8]) -> Option<usize> {
    let mut before_pixels = chunks(bytes).take_while(|(name, ..)| ![*b"IDAT", *b"IEND"].contains(name));
    let broken = before_pixels.find(|(name, length, _)| name == b"PLTE" && !length.is_multiple_of(3));
    broken.map(|(_, length, _)| length)
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

/// Fails if the file is too short for an image of this size.
fn check_size(bytes: &[u8], size: (u32, u32), place: impl FnOnce() -> Place) -> Result<()> {
    check_density("bad-png", bytes, size, MAX_RATIO * 8 / bits_per_pixel(bytes), place)
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
    check_size(bytes, size, &place)?;
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

#[cfg(test)]
#[cfg(feature = "convert")]
mod tests {
    use super::*;

    /// Returns a PNG of 3×2 pixels with these compressed pixels, or with its own.
    fn png(compressed: Option<&[u8]>) -> Vec<u8> {
        let made = encode_png(3, 2, &[7; 24]).unwrap();
        let Some(compressed) = compressed else { return made };
        let mut replaced = made[..33].to_vec();
        let content = [b"IDAT", compressed].concat();
        replaced.extend((compressed.len() as u32).to_be_bytes());
        replaced.extend(&content);
        replaced.extend(rawzip::crc32(&content).to_be_bytes());
        replaced.extend(&made[made.len() - 12..]);
        replaced
    }

    fn blank(bytes: &[u8]) -> Result<Vec<u8>> {
        blank_png(bytes, None, Place::default)
    }

    #[test]
    fn a_complete_png_is_not_decoded() {
        assert_eq!(blank(&png(None)).unwrap(), [0; 24]);
        let invalid = png(Some(b"no deflate stream"));
        assert_eq!(blank(&invalid).unwrap(), [0; 24]);
        assert!(decode_png(&invalid, Place::default).is_err());
    }

    #[test]
    fn a_damaged_png_fails_as_when_it_is_decoded() {
        let whole = png(None);
        for cut in 0..whole.len() {
            let (blank, decoded) = (blank(&whole[..cut]), decode_png(&whole[..cut], Place::default));
            assert_eq!(
                blank.map_err(|error| error.to_string()),
                decoded.map_err(|error| error.to_string()),
                "{cut}"
            );
        }
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x55;
            let (blank, decoded) = (blank(&damaged), decode_png(&damaged, Place::default));
            assert_eq!(
                blank.map_err(|error| error.to_string()),
                decoded.map_err(|error| error.to_string()),
                "{at}"
            );
        }
    }

    #[test]
    fn pictures_that_may_be_something_else_are_decoded() {
        let mut out = Vec::new();
        let mut encoder = Encoder::new(&mut out, 3, 1);
        encoder.set_color(ColorType::Indexed);
        encoder.set_palette(vec![1, 2, 3]);
        encoder.write_header().unwrap().write_image_data(&[0; 3]).unwrap();
        assert_eq!(blank(&out).unwrap()[..4], [1, 2, 3, 255]);
        let mut animated = Vec::new();
        let mut encoder = Encoder::new(&mut animated, 1, 1);
        encoder.set_color(ColorType::Rgba);
        encoder.set_animated(1, 0).unwrap();
        encoder.write_header().unwrap().write_image_data(&[9; 4]).unwrap();
        assert_eq!(blank(&animated).unwrap(), [9; 4]);
    }
}
