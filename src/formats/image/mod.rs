//! Encoded images → straight RGBA pixels, and back to PNG.
//!
//! The size in the header and the memory of the decoder are charged before anything is decoded. The format is detected
//! from the content, never from the file name. Panics of decoders are caught: see [`silence_decoders`].

mod charge;
mod guard;
#[cfg(feature = "pictures")]
mod picture;
mod png;

#[cfg(feature = "convert")]
pub(crate) use self::png::blank_png;
pub(crate) use self::png::decode_png_watched;
pub use self::png::{PNG_SIGNATURE, decode_png, encode_png, png_size, straight_png, write_png};
pub(crate) use charge::charge_decoder;
#[cfg(feature = "pictures")]
pub(crate) use charge::charge_decoding;
#[cfg(feature = "export")]
pub(crate) use guard::guarded;
pub use guard::silence_decoders;
#[cfg(any(feature = "spine", feature = "skelform", feature = "sheet", feature = "animate"))]
pub(crate) use picture::decode_picture_watched;
#[cfg(feature = "convert")]
pub(crate) use picture::{check_decodable, picture_format};
#[cfg(feature = "export")]
pub(crate) use picture::{check_webp_frames, decode_still};
#[cfg(feature = "pictures")]
pub use picture::{decode_picture, picture_size, to_png};
#[cfg(feature = "skelform")]
pub(crate) use picture::{is_jpeg, jpeg_size};

/// The extensions of supported images, the most common one first.
pub const EXTENSIONS: [&str; 4] = ["png", "jpg", "jpeg", "webp"];
