//! The part of a page that a mesh shows, and its smaller copies.

use crate::math::color::{average, premultiply};
use crate::math::{Vec2, vec2};
use crate::misuse;
use crate::model::{AtlasPage, Mesh, Vertices};

/// A non-empty rectangle of a page, in page pixels from the upper-left corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Region {
    /// First column.
    pub x: u32,
    /// First row.
    pub y: u32,
    /// Number of columns.
    pub width: u32,
    /// Number of rows.
    pub height: u32,
}

/// A copy of a region, smaller or of the same size: premultiplied RGBA, one word per pixel, rows top to bottom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Level {
    /// Number of columns.
    pub width: u32,
    /// Number of rows.
    pub height: u32,
    /// `width · height` pixels.
    pub texels: Vec<u32>,
}

impl Region {
    /// Pixels are excluded if a mesh shows less than this fraction of them along a side: texture coordinates are
    /// rounded, and must not include a row of a neighbouring region.
    const SLIVER: f32 = 1.0 / 16.0;

    /// Returns the part of `page` that `mesh` shows, or `None` if it is empty.
    pub(super) fn shown_by(mesh: &Mesh, page: &AtlasPage) -> Option<Self> {
        let size = vec2(page.width as f32, page.height as f32);
        let (mut min, mut max) = (Vec2::splat(f32::INFINITY), Vec2::splat(f32::NEG_INFINITY));
        let mut take = |uv: Vec2| (min, max) = (min.min(uv * size), max.max(uv * size));
        match &mesh.vertices {
            Vertices::Skin4(vertices) => vertices.iter().for_each(|vertex| take(vertex.uv)),
            Vertices::SkinN(vertices) => vertices.records().iter().for_each(|record| take(record.uv)),
        }
        let first = (min + Self::SLIVER).floor().clamp(Vec2::ZERO, size);
        let end = (max - Self::SLIVER).ceil().clamp(Vec2::ZERO, size);
        let (width, height) = ((end.x - first.x) as u32, (end.y - first.y) as u32);
        (width > 0 && height > 0).then_some(Self { x: first.x as u32, y: first.y as u32, width, height })
    }

    /// Returns all of `page`.
    pub fn whole(page: &AtlasPage) -> Self {
        Self { x: 0, y: 0, width: page.width, height: page.height }
    }

    /// Returns the number of pixels.
    pub fn area(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }

    /// Returns the number of levels besides the page itself; the last one is a single pixel.
    pub fn level_count(&self) -> u32 {
        self.width.max(self.height).next_power_of_two().ilog2()
    }

    /// Returns the columns and rows of a level, counted from 1.
    #[cfg(any(test, feature = "gpu"))]
    pub fn level_size(&self, level: u32) -> [u32; 2] {
        [self.width, self.height].map(|side| side.div_ceil(1 << level))
    }

    /// Computes the levels, starting with level 1. Each is half as large as the previous one: a pixel is the
    /// average of up to four pixels. Columns are grouped from the left and rows from the top, so the last group
    /// may be incomplete.
    ///
    /// # Panics
    ///
    /// If the region lies outside of `page`.
    #[track_caller]
    pub fn levels(&self, page: &AtlasPage) -> Vec<Level> {
        let end = [self.x.checked_add(self.width), self.y.checked_add(self.height)];
        let lies_in = |end: Option<u32>, side| self.area() > 0 && end.is_some_and(|end| end <= side);
        misuse::expect(lies_in(end[0], page.width) && lies_in(end[1], page.height), || {
            let Self { x, y, width, height } = self;
            let (page_width, page_height) = (page.width, page.height);
            format!("the region {x}, {y}, {width}×{height} lies outside of a page of {page_width}×{page_height}")
        });
        let own = self.pixels(page);
        let mut levels: Vec<Level> = Vec::with_capacity(self.level_count() as usize);
        for _ in 0..self.level_count() {
            let next = levels.last().unwrap_or(&own).half();
            levels.push(next);
        }
        levels
    }

    /// Returns the pixels of the region at full size.
    pub fn pixels(&self, page: &AtlasPage) -> Level {
        let row = page.width as usize;
        let rows =
            page.pixels.as_chunks::<4>().0.chunks_exact(row).skip(self.y as usize).take(self.height as usize);
        let columns = self.x as usize..(self.x + self.width) as usize;
        let premultiplied = |pixel| if page.is_premultiplied { pixel } else { premultiply(pixel) };
        let mut texels = Vec::with_capacity(self.width as usize * self.height as usize);
        for row in rows {
            texels.extend(row[columns.clone()].iter().map(|&pixel| u32::from_le_bytes(premultiplied(pixel))));
        }
        Level { width: self.width, height: self.height, texels }
    }
}

impl Level {
    fn half(&self) -> Self {
        let (width, height) = (self.width.div_ceil(2), self.height.div_ceil(2));
        let mut texels = Vec::with_capacity(width as usize * height as usize);
        for rows in self.texels.chunks(2 * self.width as usize) {
            // An unpaired last row or column counts twice.
            let (upper, lower) = rows.split_at(self.width as usize);
            let lower = if lower.is_empty() { upper } else { lower };
            texels.extend(upper.chunks(2).zip(lower.chunks(2)).map(|(upper, lower)| {
                let right = upper.len() - 1;
                average([upper[0], upper[right], lower[0], lower[right]])
            }));
        }
        Self { width, height, texels }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unpaired_row_or_column_counts_twice() {
        let level = Level { width: 3, height: 3, texels: vec![4, 8, 100, 4, 8, 100, 200, 200, 8] };
        let half = level.half();
        assert_eq!(half, Level { width: 2, height: 2, texels: vec![6, 100, 200, 8] });
        assert_eq!(half.half().texels, [79]);
    }

    #[test]
    fn levels_end_at_one_pixel() {
        for (width, height, sizes) in
            [(1, 1, &[][..]), (2, 1, &[[1, 1]]), (5, 3, &[[3, 2], [2, 1], [1, 1]]), (1, 4, &[[1, 2], [1, 1]])]
        {
            let region = Region { x: 1, y: 2, width, height };
            let page = AtlasPage {
                name: "page".into(),
                width: 8,
                height: 8,
                pixels: vec![255; 256].into(),
                is_premultiplied: false,
                alpha_source: crate::model::AlphaSource::Stated,
            };
            let levels = region.levels(&page);
            let found: Vec<_> = levels.iter().map(|level| [level.width, level.height]).collect();
            assert_eq!(found, sizes, "{width}×{height}");
            for (number, level) in (1..).zip(&levels) {
                assert_eq!(region.level_size(number), [level.width, level.height]);
                assert!(level.texels.iter().all(|&texel| texel == u32::MAX));
                assert_eq!(level.texels.len() as u32, level.width * level.height);
            }
        }
    }
}
