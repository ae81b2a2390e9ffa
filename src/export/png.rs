//! A finished picture → the bytes of a PNG.

use std::io::Write;

use crate::draw::Picture;
use crate::formats::image;

/// Writes `picture` as an eight-bit RGBA PNG, its pixels as they are.
pub fn write_png(picture: &Picture, out: impl Write) -> std::io::Result<()> {
    image::write_png(out, picture.width(), picture.height(), picture.pixels())
}
