//! Pixels of a page as a texture of the window.

use egui::{Color32, ColorImage};

use pchr::math::Rect;
use pchr::model::AtlasPage;

/// Returns the pixels of the part of a page, skipping rows and columns if a side exceeds `largest`. `part` is in page
/// pixels, y down; what lies outside of the page is left out.
pub fn part(page: &AtlasPage, part: Rect, largest: usize) -> ColorImage {
    let color = |[r, g, b, a]: [u8; 4]| match page.is_premultiplied {
        true => Color32::from_rgba_premultiplied(r, g, b, a),
        false => Color32::from_rgba_unmultiplied(r, g, b, a),
    };
    let side = |from: f32, to: f32, size: u32| {
        let at = |value: f32| value.clamp(0.0, size as f32) as usize;
        at(from)..at(to)
    };
    let (columns, rows) = (side(part.min.x, part.max.x, page.width), side(part.min.y, part.max.y, page.height));
    let step = columns.len().max(rows.len()).div_ceil(largest.max(1)).max(1);
    let size = [columns.len().div_ceil(step), rows.len().div_ceil(step)];
    let pixels = page.pixels.as_chunks::<4>().0;
    let lines = pixels.chunks_exact((page.width as usize).max(1)).take(rows.end).skip(rows.start).step_by(step);
    let pixels = lines.flat_map(|line| line[columns.clone()].iter().step_by(step)).map(|&pixel| color(pixel));
    ColorImage::new(size, pixels.collect())
}
