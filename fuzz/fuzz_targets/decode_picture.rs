//! PNG, JPEG and WebP, alone and in other files.
#![no_main]

pchr_fuzz::target!(decode_picture);
