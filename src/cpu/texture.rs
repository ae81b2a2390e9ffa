//! Textures for the samplers, premultiplied once before any filtering.

use std::sync::OnceLock;

use super::setup::Scene;
pub use crate::draw::mipmaps::Level as Texture;
use crate::draw::mipmaps::{Mipmaps, Region, SampleContext, Source};
use crate::draw::{Sampling, Sprite};
use crate::model::{AtlasPage, Model, PageId};

/// The textures of a model.
#[derive(Debug)]
pub struct Textures {
    pages: Vec<Page>,
    mipmaps: Mipmaps,
}

/// A page, and its mipmap levels once a picture has needed one.
#[derive(Debug)]
struct Page {
    texture: Texture,
    /// By region and level, from level 1.
    levels: OnceLock<Vec<Vec<Texture>>>,
}

/// The id of a texture.
#[derive(Debug, Clone, Copy)]
pub struct TextureId {
    page: u32,
    /// A region and its level, from 1; `None` for the page itself.
    level: Option<(u32, u32)>,
}

/// The texture of a sprite and how it is sampled.
#[derive(Debug, Clone, Copy)]
pub struct TextureFill {
    pub texture: TextureId,
    pub sampling: Sampling,
    /// `texel = uv · size - origin`.
    pub size: [f64; 2],
    pub origin: [f64; 2],
}

impl Textures {
    pub fn new(model: &Model) -> Self {
        let page = |page| Page { texture: Region::whole(page).pixels(page), levels: OnceLock::new() };
        Self { pages: model.pages().iter().map(page).collect(), mipmaps: Mipmaps::new(model) }
    }

    /// Fails if these are the textures of another model.
    #[track_caller]
    pub fn expect_of(&self, model: &Model) {
        self.mipmaps.expect_of(model, "the renderer");
    }

    pub fn get(&self, id: TextureId) -> &Texture {
        let page = &self.pages[id.page as usize];
        match id.level {
            None => &page.texture,
            // `fill`, which returns the ids of levels, has made them.
            Some((region, level)) => {
                page.levels.get().map_or(&page.texture, |levels| &levels[region as usize][level as usize - 1])
            }
        }
    }

    /// Makes the mipmap levels of all pages.
    pub fn make_levels(&self, model: &Model) {
        model.pages().iter().enumerate().for_each(|(number, page)| {
            self.make_levels_of(number, page);
        });
    }

    fn make_levels_of(&self, number: usize, page: &AtlasPage) {
        self.pages[number].levels.get_or_init(|| {
            let regions = self.mipmaps.regions(number).iter();
            regions.map(|region| region.levels(page)).collect()
        });
    }

    /// Returns the fill of `sprite`, which is drawn from `page`. Makes mipmap levels when they are first needed.
    pub fn fill(&self, scene: &Scene<'_>, page: PageId, sprite: &Sprite) -> TextureFill {
        let Scene { model, list, view, filter } = *scene;
        let number = page.index();
        let page = &model.pages()[number];
        let size = [f64::from(page.width), f64::from(page.height)];
        let of = |level| TextureId { page: number as u32, level };
        let context = SampleContext { palette: &list.palette, filter, view, growth: 1.0 };
        match self.mipmaps.source(model, sprite, context) {
            Source::Page(sampling) => TextureFill { texture: of(None), sampling, size, origin: [0.0; 2] },
            Source::Level { region, level } => {
                self.make_levels_of(number, page);
                let shown = self.mipmaps.regions(number)[region as usize];
                let part = 1.0 / f64::from(1 << level);
                TextureFill {
                    texture: of(Some((region, level))),
                    sampling: Sampling::Linear,
                    size: size.map(|side| side * part),
                    origin: [shown.x, shown.y].map(|at| f64::from(at) * part),
                }
            }
        }
    }
}

impl TextureFill {
    /// Converts a texture coordinate of the page along an axis to texels of the texture.
    #[inline]
    pub fn texel(&self, uv: f64, axis: usize) -> f64 {
        uv * self.size[axis] - self.origin[axis]
    }
}
