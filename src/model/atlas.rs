//! Atlas pages: the pictures from which attachments are drawn.

use std::collections::HashSet;

use bytes::Bytes;

use super::{AlphaSource, Id, Mesh, Vertices};
use crate::math::{Rect, Vec2, vec2};

/// Id of an atlas page.
pub type PageId = Id<AtlasPage>;

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

impl AtlasPage {
    /// Maximum side of a page that is assumed to be pixel art, whatever it shows.
    const SMALL: u32 = 256;

    /// Returns true if the page is assumed to be pixel art: it is small, or has few colours and hard edges. Of large
    /// pages, only some rows are looked at.
    pub(crate) fn looks_like_pixel_art(&self) -> bool {
        const MOST_COLORS: usize = 256;
        const MOST_PIXELS: usize = 1 << 18;
        /// At most one of so many visible pixels is partially transparent.
        const HARD: u64 = 200;
        if self.width.max(self.height) <= Self::SMALL {
            return true;
        }
        let row = self.width as usize * 4;
        let apart = (self.pixels.len() / 4).div_ceil(MOST_PIXELS).max(1);
        let (mut visible, mut soft) = (0_u64, 0_u64);
        let mut colors = HashSet::with_capacity(MOST_COLORS + 1);
        for row in self.pixels.chunks_exact(row).step_by(apart) {
            let mut last = &[0; 4];
            for pixel in row.as_chunks::<4>().0 {
                visible += u64::from(pixel[3] > 0);
                soft += u64::from(pixel[3] > 0 && pixel[3] < 255);
                if pixel != last && pixel[3] > 0 && colors.insert(*pixel) && colors.len() > MOST_COLORS {
                    return false;
                }
                last = pixel;
            }
        }
        visible > 0 && soft * HARD <= visible
    }

    /// Returns true if the part of the page around the texture coordinates of `mesh` has a pixel with alpha (on a premultiplied
    /// page, or with colour), or has more than `left` pixels. The pixels searched are subtracted from `left`.
    pub(crate) fn shows(&self, mesh: &Mesh, left: &mut u64) -> bool {
        let uvs: &mut dyn Iterator<Item = Vec2> = match &mesh.vertices {
            Vertices::Skin4(vertices) => &mut vertices.iter().map(|vertex| vertex.uv),
            Vertices::SkinN(vertices) => &mut vertices.iter().map(|vertex| vertex.uv),
        };
        let area = uvs.fold(Rect::NOTHING, Rect::include);
        let size = vec2(self.width as f32, self.height as f32);
        // Bilinear sampling reaches the next pixel.
        let Rect { min, max } = Rect { min: area.min * size, max: area.max * size }.expand(1.0).round_out();
        let [x, y] = [(min.x, max.x, size.x), (min.y, max.y, size.y)]
            // Beyond the page, its edge is repeated.
            .map(|(from, to, size)| from.min(size - 1.0) as usize..to.max(1.0).min(size) as usize);
        match left.checked_sub(x.len() as u64 * y.len() as u64) {
            Some(rest) => *left = rest,
            None => return true,
        }
        let visible = if self.is_premultiplied { 0..4 } else { 3..4 };
        let mut rows = self.pixels.chunks_exact(self.width as usize * 4).take(y.end).skip(y.start);
        rows.any(|row| {
            let row = row.get(x.start * 4..x.end * 4).unwrap_or_default();
            row.chunks_exact(4).any(|pixel| pixel[visible.clone()].iter().any(|channel| *channel > 0))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(width: u32, height: u32, pixel: impl Fn(u32, u32) -> [u8; 4]) -> AtlasPage {
        let pixels = (0..height).flat_map(|y| (0..width).flat_map(|x| pixel(x, y)).collect::<Vec<_>>()).collect();
        let alpha_source = AlphaSource::Stated;
        AtlasPage { name: "page".into(), width, height, pixels, is_premultiplied: false, alpha_source }
    }

    #[test]
    fn pixel_art_is_small_or_has_few_colours_and_hard_edges() {
        let checks = |x: u32, y: u32| [(x / 8 % 16 * 16) as u8, (y / 8 % 4 * 64) as u8, 0, 255];
        let painted = |x: u32, y: u32| [x as u8, y as u8, (x / 256 + y) as u8, 255];
        let soft = |x: u32, _: u32| [90, 0, 0, if x.is_multiple_of(64) { 128 } else { 255 }];
        let few = |x: u32, _: u32| [90, 0, 0, if x.is_multiple_of(512) { 128 } else { 255 }];
        assert!(page(256, 256, painted).looks_like_pixel_art());
        assert!(!page(257, 256, painted).looks_like_pixel_art());
        assert!(page(1024, 300, checks).looks_like_pixel_art());
        assert!(!page(1024, 300, soft).looks_like_pixel_art());
        assert!(page(1024, 300, few).looks_like_pixel_art());
        assert!(!page(1024, 1024, |_, _| [0; 4]).looks_like_pixel_art(), "nothing is visible");
        assert!(!page(2048, 2048, painted).looks_like_pixel_art());
    }
}
