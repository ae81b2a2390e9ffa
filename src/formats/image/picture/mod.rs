//! Images of any supported format: PNG, and with the feature `jpeg-webp` JPEG and WebP.

use ::bytes::Bytes;

#[cfg(feature = "jpeg-webp")]
mod jpeg;
#[cfg(feature = "jpeg-webp")]
mod webp;
#[cfg(feature = "jpeg-webp")]
mod webp_frames;

use super::charge_decoding;
use super::png::{self, PNG_SIGNATURE, decode_png_watched, encode_png, png_size};
use crate::error::{Error, Place, Result};
use crate::limits::Budget;
#[cfg(feature = "export")]
use crate::limits::Limits;
use crate::progress::Progress;

#[cfg(feature = "jpeg-webp")]
pub use jpeg::{decode_jpeg, jpeg_size};
#[cfg(feature = "export")]
pub(crate) use webp::check_webp_frames;
#[cfg(feature = "jpeg-webp")]
use webp::{decode_webp, webp_size};

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

/// Returns true if `bytes` starts like a JPEG.
pub fn is_jpeg(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xff\xd8\xff")
}

/// Returns true if `bytes` starts like a WebP.
fn is_webp(bytes: &[u8]) -> bool {
    bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP")
}

#[cfg(not(feature = "jpeg-webp"))]
fn no_decoder(place: Place) -> Error {
    let message = "this build decodes neither JPEG nor WebP; the feature `jpeg-webp` is not enabled";
    Error::unsupported("no-reader", place, message)
}

/// Returns the name of the format of an image: png, jpeg or webp; `None` for other files.
#[cfg(feature = "convert")]
pub fn picture_format(bytes: &[u8]) -> Option<&'static str> {
    Kind::of(bytes).map(|kind| match kind {
        Kind::Png => "png",
        Kind::Jpeg => "jpeg",
        Kind::WebP => "webp",
    })
}

fn unknown(place: Place) -> Error {
    Error::malformed("bad-png", place, "the image is not a PNG, JPEG or WebP file")
}

/// Returns the width and height from the header, neither of them 0, without decoding the image.
pub fn picture_size(bytes: &[u8], place: impl Fn() -> Place) -> Result<(u32, u32)> {
    let (width, height) = match Kind::of(bytes) {
        Some(Kind::Png) => png_size(bytes).ok_or_else(|| unknown(place()))?,
        #[cfg(feature = "jpeg-webp")]
        Some(Kind::Jpeg) => jpeg_size(bytes, &place())?,
        #[cfg(feature = "jpeg-webp")]
        Some(Kind::WebP) => webp_size(bytes, &place())?,
        #[cfg(not(feature = "jpeg-webp"))]
        Some(Kind::Jpeg | Kind::WebP) => return Err(no_decoder(place())),
        None => return Err(unknown(place())),
    };
    if width == 0 || height == 0 {
        let message = format!("an image of {width}×{height} has no pixels");
        return Err(Error::malformed("empty-image", place(), message));
    }
    Ok((width, height))
}

/// Decodes an image to its size and RGBA pixels, and charges `limits` before.
#[cfg(feature = "export")]
pub fn decode_still(
    bytes: &[u8],
    limits: &Limits,
    place: impl Fn() -> Place + Copy,
) -> Result<((u32, u32), Vec<u8>)> {
    let size = picture_size(bytes, place)?;
    charge_decoding(bytes, size, &mut Budget::new(limits), place)?;
    Ok((size, decode_picture(bytes, place)?))
}

/// Returns the memory that decoding an image of this size needs besides the pixels.
pub(super) fn working_bytes(bytes: &[u8], size: (u32, u32)) -> u64 {
    match Kind::of(bytes) {
        #[cfg(feature = "jpeg-webp")]
        Some(Kind::Jpeg) => jpeg::working_bytes(bytes, size),
        #[cfg(feature = "jpeg-webp")]
        Some(Kind::WebP) => webp::working_bytes(bytes, size),
        // Refused before.
        #[cfg(not(feature = "jpeg-webp"))]
        Some(Kind::Jpeg | Kind::WebP) => 0,
        Some(Kind::Png) | None => png::working_bytes(bytes, size),
    }
}

/// Decodes an image to straight RGBA pixels. The size returned by [`picture_size`] must be charged before.
pub fn decode_picture(bytes: &[u8], place: impl Fn() -> Place) -> Result<Vec<u8>> {
    decode_picture_watched(bytes, None, place).map(Vec::from)
}

/// Like [`decode_picture`], but stops between the rows of a PNG once `progress` is cancelled, and uses pixels that it holds
/// already.
pub(crate) fn decode_picture_watched(
    bytes: &[u8],
    progress: Option<&Progress>,
    place: impl Fn() -> Place,
) -> Result<Bytes> {
    #[cfg(feature = "jpeg-webp")]
    let size = || picture_size(bytes, &place).ok();
    match Kind::of(bytes) {
        Some(Kind::Png) => decode_png_watched(bytes, progress, place),
        #[cfg(feature = "jpeg-webp")]
        Some(Kind::Jpeg) => Progress::decoded(progress, size(), || decode_jpeg(bytes, &place())),
        #[cfg(feature = "jpeg-webp")]
        Some(Kind::WebP) => Progress::decoded(progress, size(), || decode_webp(bytes, &place())),
        #[cfg(not(feature = "jpeg-webp"))]
        Some(Kind::Jpeg | Kind::WebP) => Err(no_decoder(place())),
        None => Err(unknown(place())),
    }
}

/// Fails if an image, which is copied, cannot be decoded within `limits`.
#[cfg(feature = "convert")]
pub(crate) fn check_decodable(bytes: &[u8], limits: &Limits, place: impl Fn() -> Place) -> Result<()> {
    let size = picture_size(bytes, &place)?;
    charge_decoding(bytes, size, &mut Budget::new(limits), &place)?;
    decode_picture(bytes, place).map(drop)
}

/// Converts an image to PNG. The bytes of a PNG are unchanged.
pub fn to_png(bytes: Bytes, budget: &mut Budget<'_>, place: impl Fn() -> Place) -> Result<Bytes> {
    if bytes.starts_with(&PNG_SIGNATURE) {
        return Ok(bytes);
    }
    let (width, height) = picture_size(&bytes, &place)?;
    charge_decoding(&bytes, (width, height), budget, &place)?;
    budget.charge_encoding(width, height, &place)?;
    Ok(encode_png(width, height, &decode_picture(&bytes, &place)?)?.into())
}
