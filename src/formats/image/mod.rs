//! Encoded pictures → straight RGBA pixels, and back to PNG.
//!
//! The header is read and charged before anything is decoded. What a picture is is decided by its first bytes, never
//! by the name of its file. No decoder's panic gets out of here: see [`is_decoding`].

mod guard;
#[cfg(feature = "formats-all")]
mod jpeg;
#[cfg(feature = "formats-all")]
mod picture;
mod png;
#[cfg(feature = "formats-all")]
mod webp;
#[cfg(feature = "formats-all")]
mod webp_frames;

pub use self::png::{PNG_SIGNATURE, decode_png, encode_png, png_size, straight_png, write_png};
pub use guard::is_decoding;
#[cfg(feature = "formats-all")]
pub use jpeg::{decode_jpeg, is_jpeg, jpeg_size};
#[cfg(feature = "formats-all")]
pub use picture::{EXTENSIONS, decode_picture, picture_size, to_png};
