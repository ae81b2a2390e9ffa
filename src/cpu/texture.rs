//! A picture as the sampler takes it: premultiplied once, here, before any filtering.

use crate::math::color::premultiply;
use crate::model::AtlasPage;

/// Premultiplied pixels, four bytes in one word, rows top to bottom.
#[derive(Debug)]
pub struct Texture {
    pub width: i32,
    pub height: i32,
    pub texels: Vec<u32>,
}

impl Texture {
    pub fn new(page: &AtlasPage) -> Self {
        let premultiplied = |texel| if page.is_premultiplied { texel } else { premultiply(texel) };
        let texels = page.pixels.as_chunks::<4>().0;
        Self {
            width: page.width as i32,
            height: page.height as i32,
            texels: texels.iter().map(|&texel| u32::from_le_bytes(premultiplied(texel))).collect(),
        }
    }
}
