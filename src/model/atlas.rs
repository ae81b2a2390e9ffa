//! The pictures that attachments are drawn from.

use bytes::Bytes;

use super::AlphaSource;

/// One picture.
#[derive(Debug, Clone)]
pub struct AtlasPage {
    /// The name in the file.
    pub name: Box<str>,
    /// Width in pixels, not 0.
    pub width: u32,
    /// Height in pixels, not 0.
    pub height: u32,
    /// `width · height` pixels of RGBA, rows top to bottom.
    pub pixels: Bytes,
    /// Colours are multiplied with alpha already.
    pub is_premultiplied: bool,
    /// Why `is_premultiplied` is what it is.
    pub alpha_source: AlphaSource,
}
