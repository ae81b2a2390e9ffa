//! References that are one picture per file.

use std::path::Path;

use crate::draw::Picture;
use crate::error::{Error, Place, Result};
use crate::formats::image::decode_still;
use crate::formats::read_file;
use crate::limits::Limits;

/// Reads a PNG, JPEG or WebP file as a picture with straight alpha.
///
/// # Errors
///
/// Fails if the file is missing ([`Error::Io`] of the kind `NotFound`), damaged or over a limit.
pub fn read_picture(path: &Path, limits: &Limits) -> Result<Picture> {
    let bytes = read_file(path, limits)?;
    decode_reference(&bytes, limits).map_err(|error| error.in_file(path.display()))
}

/// Decodes the content of a PNG, JPEG or WebP file to a picture with straight alpha.
pub fn decode_reference(bytes: &[u8], limits: &Limits) -> Result<Picture> {
    let ((width, height), pixels) = decode_still(bytes, limits, Place::default)?;
    picture_of(width, height, &pixels)
}

/// Returns a picture with these RGBA pixels.
pub(super) fn picture_of(width: u32, height: u32, pixels: &[u8]) -> Result<Picture> {
    let mut picture = Picture::default();
    picture.reset(width, height);
    if picture.pixels().len() != pixels.len() {
        let message = format!("a picture of {width}×{height} has {} bytes of pixels", pixels.len());
        return Err(Error::malformed("bad-png", Place::default(), message));
    }
    picture.pixels_mut().copy_from_slice(pixels);
    Ok(picture)
}
