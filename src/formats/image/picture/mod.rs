//! Pictures of any kind that is read: PNG, JPEG and WebP.

use ::bytes::Bytes;

mod jpeg;
mod webp;
mod webp_frames;

use super::png::{PNG_SIGNATURE, decode_png, encode_png, png_size};
use crate::error::{Error, Place, Result};
use crate::limits::Budget;

pub use jpeg::{decode_jpeg, is_jpeg, jpeg_size};
use webp::{decode_webp, is_webp, webp_size};

enum Kind {
    Png,
    Jpeg,
    WebP,
}

impl Kind {
    fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            _ if bytes.starts_with(&PNG_SIGNATURE) => Some(Self::Png),
            _ if is_jpeg(bytes) => Some(Self::Jpeg),
            _ if is_webp(bytes) => Some(Self::WebP),
            _ => None,
        }
    }
}

fn unknown(place: Place) -> Error {
    Error::malformed("bad-png", place, "the picture does not begin like a PNG, JPEG or WebP file")
}

/// Width and height from a picture's header, neither of them 0, before anything is decoded.
pub fn picture_size(bytes: &[u8], place: impl Fn() -> Place) -> Result<(u32, u32)> {
    let (width, height) = match Kind::of(bytes) {
        Some(Kind::Png) => png_size(bytes).ok_or_else(|| unknown(place()))?,
        Some(Kind::Jpeg) => jpeg_size(bytes, &place())?,
        Some(Kind::WebP) => webp_size(bytes, &place())?,
        None => return Err(unknown(place())),
    };
    if width == 0 || height == 0 {
        let message = format!("a picture of {width}×{height} has no pixels");
        return Err(Error::malformed("empty-image", place(), message));
    }
    Ok((width, height))
}

/// Decodes a picture to as many straight RGBA pixels as [`picture_size`] says, which were charged before.
pub fn decode_picture(bytes: &[u8], place: impl Fn() -> Place) -> Result<Vec<u8>> {
    match Kind::of(bytes) {
        Some(Kind::Png) => decode_png(bytes, place),
        Some(Kind::Jpeg) => decode_jpeg(bytes, &place()),
        Some(Kind::WebP) => decode_webp(bytes, &place()),
        None => Err(unknown(place())),
    }
}

/// The same picture as a PNG. One that is a PNG keeps its bytes.
pub fn to_png(bytes: Bytes, budget: &mut Budget<'_>, place: impl Fn() -> Place) -> Result<Bytes> {
    if bytes.starts_with(&PNG_SIGNATURE) {
        return Ok(bytes);
    }
    let (width, height) = picture_size(&bytes, &place)?;
    budget.charge_pixels(width, height, &place)?;
    Ok(encode_png(width, height, &decode_picture(&bytes, &place)?)?.into())
}
