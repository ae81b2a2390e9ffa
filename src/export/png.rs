//! Finished picture → PNG.

use std::io::Write;

use crate::draw::Picture;
use crate::formats::image;

/// Writes `picture` as an 8-bit RGBA PNG with its pixels unchanged.
pub fn write_png(picture: &Picture, out: impl Write) -> std::io::Result<()> {
    image::write_png(out, picture.width(), picture.height(), picture.pixels())
}
