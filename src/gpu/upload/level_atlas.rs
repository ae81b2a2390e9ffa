//! Packs the mipmap levels of a page's regions into one texture, below the page itself if there is room.
//!
//! They cannot be levels of the page's own texture, in which neighbouring regions would share pixels. Beside the page
//! they can be drawn in the same call as the page, so that a call need not end wherever a sprite is drawn smaller.

use crate::draw::mipmaps::{Level, Region};
use crate::gpu::shaders::gpu_data::UvPlace;
use crate::math::{Vec2, vec2};
use crate::model::AtlasPage;

/// The places of all levels of all regions of a page.
#[derive(Debug, Clone)]
pub struct LevelAtlas {
    pub width: u32,
    pub height: u32,
    /// The first row of the levels: the height of the page, or 0 if the page has a texture of its own.
    pub first_row: u32,
    page: Vec2,
    regions: Vec<Region>,
    /// By region and level, from level 1: the first column and row.
    places: Vec<Vec<[u32; 2]>>,
}

impl LevelAtlas {
    /// Places the levels. `None` if there are none, or they do not fit in a texture with sides of `limit` pixels.
    pub fn new(page: &AtlasPage, regions: &[Region], limit: u32) -> Option<Self> {
        [page.height, 0].into_iter().find_map(|first_row| Self::below(first_row, page, regions, limit))
    }

    fn below(first_row: u32, page: &AtlasPage, regions: &[Region], limit: u32) -> Option<Self> {
        let mut places: Vec<Vec<[u32; 2]>> =
            regions.iter().map(|region| vec![[0; 2]; region.level_count() as usize]).collect();
        let mut levels: Vec<(usize, u32, [u32; 2])> = Vec::new();
        for (number, region) in regions.iter().enumerate() {
            levels.extend((1..=region.level_count()).map(|level| (number, level, region.level_size(level))));
        }
        // In rows, each as high as its first level.
        levels.sort_by_key(|(.., [_, height])| std::cmp::Reverse(*height));
        let width = page.width;
        let (mut row, mut at, mut end) = (first_row, 0, first_row);
        for (region, level, [columns, rows]) in levels {
            if at + columns > width {
                (row, at) = (end, 0);
            }
            places[region][level as usize - 1] = [at, row];
            at += columns;
            end = end.max(row.checked_add(rows)?);
        }
        let page = vec2(page.width as f32, page.height as f32);
        let fits = first_row < end && end <= limit;
        fits.then(|| Self { width, height: end, first_row, page, regions: regions.to_vec(), places })
    }

    /// Returns the texels of the levels, four bytes each, from [`Self::first_row`] on.
    pub fn texels(&self, page: &AtlasPage) -> Vec<u8> {
        let rows = self.height - self.first_row;
        let mut texels = vec![0; self.width as usize * rows as usize * 4];
        for (region, places) in self.regions.iter().zip(&self.places) {
            for (Level { width, texels: from, .. }, [x, y]) in region.levels(page).iter().zip(places) {
                let first = (*y - self.first_row) as usize;
                let rows = texels.chunks_exact_mut(self.width as usize * 4).skip(first);
                for (row, from) in rows.zip(from.chunks_exact(*width as usize)) {
                    let row = row.as_chunks_mut::<4>().0[*x as usize..].iter_mut();
                    row.zip(from).for_each(|(texel, from)| *texel = from.to_le_bytes());
                }
            }
        }
        texels
    }

    /// Where the page is.
    pub fn page_place(&self) -> UvPlace {
        if self.first_row == 0 {
            return UvPlace::PAGE;
        }
        let height = self.height as f32;
        UvPlace {
            scale: vec2(1.0, self.page.y / height),
            max: vec2(1.0, (self.page.y - 0.5) / height),
            ..UvPlace::PAGE
        }
    }

    /// Where a level of a region is, from 1.
    pub fn place(&self, region: u32, level: u32) -> UvPlace {
        let [x, y] = self.places[region as usize][level as usize - 1];
        let region = &self.regions[region as usize];
        let [width, height] = region.level_size(level);
        let part = 1.0 / (1 << level) as f32;
        let (at, size) = (vec2(x as f32, y as f32), vec2(width as f32, height as f32));
        let from = vec2(region.x as f32, region.y as f32) * part;
        let texture = vec2(self.width as f32, self.height as f32);
        UvPlace {
            scale: self.page * part / texture,
            offset: (at - from) / texture,
            min: (at + 0.5) / texture,
            max: (at + size - 0.5) / texture,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::AlphaSource;

    fn page(width: u32, height: u32) -> AtlasPage {
        AtlasPage {
            name: "page".into(),
            width,
            height,
            pixels: (0..width * height * 4).map(|byte| byte as u8).collect::<Vec<_>>().into(),
            is_premultiplied: true,
            alpha_source: AlphaSource::Stated,
        }
    }

    #[test]
    fn levels_do_not_overlap_and_hold_what_they_should() {
        let page = page(61, 60);
        let region = |x, y, width, height| Region { x, y, width, height };
        let regions = [region(0, 0, 61, 13), region(1, 13, 7, 27), region(9, 13, 1, 1), region(20, 14, 30, 22)];
        for (limit, first_row) in [(128, 60), (64, 0)] {
            let atlas = LevelAtlas::new(&page, &regions, limit).expect("it fits");
            assert_eq!(atlas.first_row, first_row);
            assert_levels(&atlas, &page, &regions);
            // The last row of the page, and the first.
            let place = atlas.page_place();
            let rows = atlas.height.max(60) as f32;
            if first_row > 0 {
                assert!((place.max.y * rows - 59.5).abs() < 1e-4 && (place.scale.y * rows - 60.0).abs() < 1e-4);
            }
            assert_eq!((place.offset, place.min, place.max.x, place.scale.x), (Vec2::ZERO, Vec2::ZERO, 1.0, 1.0));
        }
    }

    fn assert_levels(atlas: &LevelAtlas, page: &AtlasPage, regions: &[Region]) {
        let texels = atlas.texels(page);
        let mut covered = 0;
        for (number, region) in regions.iter().enumerate() {
            for (level, made) in (1..).zip(region.levels(page)) {
                let place = atlas.place(number as u32, level);
                let size = vec2(atlas.width as f32, atlas.height as f32);
                let first = (place.min * size - 0.5).round();
                assert_eq!((place.max * size + 0.5).round() - first, vec2(made.width as f32, made.height as f32));
                // The corner of the region is the corner of the copy.
                let corner = vec2(region.x as f32, region.y as f32) / vec2(61.0, 60.0);
                assert!((corner * place.scale + place.offset).abs_diff_eq(first / size, 1e-6));
                for y in 0..made.height {
                    for x in 0..made.width {
                        let row = first.y as u32 - atlas.first_row + y;
                        let at = row * atlas.width + first.x as u32 + x;
                        let found = &texels[at as usize * 4..at as usize * 4 + 4];
                        assert_eq!(found, made.texels[(y * made.width + x) as usize].to_le_bytes());
                    }
                }
                covered += made.width * made.height;
            }
        }
        // No place holds two, or some would not hold what they should.
        assert!(covered <= atlas.width * (atlas.height - atlas.first_row));
    }

    #[test]
    fn what_does_not_fit_or_is_not_there_is_left_out() {
        let whole = [Region { x: 0, y: 0, width: 64, height: 64 }];
        assert!(LevelAtlas::new(&page(64, 64), &whole, 31).is_none());
        assert!(LevelAtlas::new(&page(64, 64), &[], 64).is_none());
        assert!(LevelAtlas::new(&page(1, 1), &[Region { x: 0, y: 0, width: 1, height: 1 }], 64).is_none());
    }
}
