//! Encoded pictures → straight RGBA pixels, and back to PNG.
//!
//! The header is read and charged before anything is decoded. What a picture is is decided by its first bytes, never
//! by the name of its file. No decoder's panic gets out of here: see [`is_decoding`].

mod guard;
#[cfg(feature = "pictures")]
mod picture;
mod png;

pub use self::png::{PNG_SIGNATURE, decode_png, encode_png, png_size, straight_png, write_png};
pub use guard::is_decoding;
#[cfg(feature = "pictures")]
pub use picture::{decode_jpeg, decode_picture, is_jpeg, jpeg_size, picture_size, to_png};

/// The extensions of pictures that are read, the usual one first.
pub const EXTENSIONS: [&str; 4] = ["png", "jpg", "jpeg", "webp"];
