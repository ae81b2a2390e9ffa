//! Mipmap levels of the parts of a page, for sprites that are drawn smaller than their part of it.
//!
//! A page is an atlas, so it is not halved as a whole. Every [`Region`], the rectangle of a page that a mesh shows,
//! has levels of its own, in which nothing of its neighbours is mixed and beyond whose edges its own pixels repeat.
//! Which level a sprite is drawn from depends on its footprint: how many texels there are to a pixel of the picture.
//! Both renderers ask here, so both draw from the same level.

mod footprint;
mod region;

use std::collections::HashMap;

use super::{Filter, Sampling, Sprite, View};
use crate::model::{Attachment, Mesh, Model};
use crate::pose::SkinMatrix;

use footprint::Footprints;
pub use region::{Level, Region};

/// The regions of a model's pages, and which attachment shows which. The pixels are made by [`Region::levels`].
#[derive(Debug, Clone)]
pub struct Mipmaps {
    /// By page.
    regions: Vec<Vec<Region>>,
    /// By attachment: its region's number among those of its page. `None` where it shows nothing of a page.
    shown: Vec<Option<u32>>,
    footprints: Footprints,
}

/// What a sprite is sampled from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The page itself.
    Page(Sampling),
    /// A level of one of the page's regions, between the four pixels around the point.
    Level {
        /// Its number in [`Mipmaps::regions`].
        region: u32,
        /// From 1; each is half as large as the one before.
        level: u32,
    },
}

/// How sprites are seen in a picture.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'a> {
    /// What skins them.
    pub palette: &'a [SkinMatrix],
    /// How they are sampled.
    pub filter: Filter,
    /// Through what.
    pub view: &'a View,
    /// How many times as large, by area, the character is drawn as it was authored: 1 unless it is a member of a crowd.
    pub growth: f32,
}

impl Mipmaps {
    /// The regions of a page may together cover at most this many times its area. Where they would cover more, because
    /// they overlap, the whole page is one region.
    const MAX_OVERLAP: u64 = 2;

    /// Finds the regions of `model`.
    pub fn new(model: &Model) -> Self {
        let mut regions = vec![Vec::new(); model.pages().len()];
        let mut numbers: HashMap<(usize, Region), u32> = HashMap::new();
        let mut shown = Vec::with_capacity(model.attachments().len());
        for attachment in model.attachments() {
            shown.push(textured(attachment).and_then(|(mesh, page)| {
                let region = Region::shown_by(mesh, &model.pages()[page])?;
                let regions: &mut Vec<Region> = &mut regions[page];
                Some(*numbers.entry((page, region)).or_insert_with(|| {
                    regions.push(region);
                    regions.len() as u32 - 1
                }))
            }));
        }
        let mut mipmaps = Self { regions, shown, footprints: Footprints::new(model) };
        for (number, page) in model.pages().iter().enumerate() {
            let area: u64 = mipmaps.regions[number].iter().map(Region::area).sum();
            let whole = Region { x: 0, y: 0, width: page.width, height: page.height };
            if area > Self::MAX_OVERLAP * whole.area() {
                mipmaps.merge(model, number, whole);
            }
        }
        mipmaps
    }

    /// Everything that shows something of a page shows `whole`.
    fn merge(&mut self, model: &Model, page: usize, whole: Region) {
        self.regions[page] = vec![whole];
        for (shown, attachment) in self.shown.iter_mut().zip(model.attachments()) {
            if textured(attachment).is_some_and(|(_, of)| of == page) {
                *shown = shown.map(|_| 0);
            }
        }
    }

    /// The regions of a page, by its number.
    pub fn regions(&self, page: usize) -> &[Region] {
        &self.regions[page]
    }

    /// What `sprite` of `model` is sampled from where it is `seen` so.
    pub fn source(&self, model: &Model, sprite: &Sprite, seen: Seen<'_>) -> Source {
        let Seen { palette, filter, view, growth } = seen;
        let Some((_, page)) = textured(model.attachment(sprite.attachment)) else {
            return Source::Page(Sampling::Nearest);
        };
        let sampling = filter.sampling(&model.pages()[page], view);
        let attachment = sprite.attachment.index();
        match (filter, sampling, self.shown[attachment]) {
            (Filter::Auto, Sampling::Linear, Some(region)) => {
                let most = self.regions[page][region as usize].level_count();
                match self.footprints.level(attachment, palette, view.scale() * view.scale() * growth, most) {
                    0 => Source::Page(Sampling::Linear),
                    level => Source::Level { region, level },
                }
            }
            (Filter::Auto | Filter::Linear | Filter::Nearest, sampling, _) => Source::Page(sampling),
        }
    }
}

/// The mesh of an attachment that is drawn from a page, and the page's number.
fn textured(attachment: &Attachment) -> Option<(&Mesh, usize)> {
    let mesh = attachment.mesh()?;
    Some((mesh, mesh.page?.index()))
}
