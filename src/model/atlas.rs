//! Atlas pages: the pictures from which attachments are drawn.

use bytes::Bytes;

use super::AlphaSource;

/// An image that attachments are drawn from.
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
    /// True if colours are multiplied with alpha.
    pub is_premultiplied: bool,
    /// How `is_premultiplied` was determined.
    pub alpha_source: AlphaSource,
}
