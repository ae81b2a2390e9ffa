//! A finished picture → the bytes of a PNG.

use std::io::Write;

use png::{BitDepth, ColorType, Compression, Encoder};

use crate::draw::Picture;

/// Writes `picture` as an eight-bit RGBA PNG, its pixels as they are.
pub fn write_png(picture: &Picture, out: impl Write) -> std::io::Result<()> {
    let mut encoder = Encoder::new(out, picture.width(), picture.height());
    encoder.set_color(ColorType::Rgba);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Fast);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(picture.pixels())?;
    writer.finish()?;
    Ok(())
}
