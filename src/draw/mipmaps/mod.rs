//! Mipmap levels of parts of a page, for sprites that are drawn minified.
//!
//! A page is an atlas, so it is not minified as a whole. Every [`Region`], the rectangle of a page that a mesh
//! shows, has its own levels, which neither mix in neighbouring regions nor sample beyond the region's edges. The
//! level of a sprite depends on its footprint: the number of texels per picture pixel. Both renderers use this
//! module, so both draw from the same level.

mod footprint;
mod region;

use std::collections::HashMap;

use super::{Filter, Sampling, Sprite, View};
use crate::misuse;
use crate::model::{AtlasPage, Attachment, AttachmentId, Mesh, Model};
use crate::pose::SkinMatrix;

use footprint::Footprints;
pub use region::{Level, Region};

/// The regions of a model's pages, and the attachments that show them. [`Region::levels`] computes the pixels.
#[derive(Debug, Clone)]
pub struct Mipmaps {
    /// Width and height of the pages.
    sizes: Vec<[u32; 2]>,
    /// By page.
    regions: Vec<Vec<Region>>,
    /// Region index of each attachment within its page; `None` if it shows no part of a page.
    shown: Vec<Option<u32>>,
    footprints: Footprints,
}

/// The source from which a sprite is sampled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The page itself.
    Page(Sampling),
    /// A level of one of the page's regions, sampled bilinearly.
    Level {
        /// Index into [`Mipmaps::regions`].
        region: u32,
        /// Level, from 1; each is half as large as the previous one.
        level: u32,
    },
}

/// The sources that an attachment can be sampled from.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Choice {
    /// The page itself, whatever its scale.
    Page(Sampling),
    /// The page, bilinearly, or a level of one of its regions, from 1 to `most`.
    Level { region: u32, most: u32 },
}

/// The conditions under which sprites are drawn.
#[derive(Debug, Clone, Copy)]
pub struct SampleContext<'a> {
    /// Skinning matrices.
    pub palette: &'a [SkinMatrix],
    /// How sprites are sampled.
    pub filter: Filter,
    /// The view.
    pub view: &'a View,
    /// Scale of the character by area: 1 unless it is an instance of a crowd.
    pub growth: f32,
}

impl Mipmaps {
    /// Maximum total area of a page's regions, as a multiple of the page's area. If overlapping regions exceed it,
    /// the whole page becomes one region.
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
        let sizes = model.pages().iter().map(size).collect();
        let mut mipmaps = Self { sizes, regions, shown, footprints: Footprints::new(model) };
        for (number, page) in model.pages().iter().enumerate() {
            let area: u64 = mipmaps.regions[number].iter().map(Region::area).sum();
            let whole = Region::whole(page);
            if area > Self::MAX_OVERLAP * whole.area() {
                mipmaps.merge(model, number, whole);
            }
        }
        mipmaps
    }

    /// Replaces all regions of a page by `whole`.
    fn merge(&mut self, model: &Model, page: usize, whole: Region) {
        self.regions[page] = vec![whole];
        for (shown, attachment) in self.shown.iter_mut().zip(model.attachments()) {
            if textured(attachment).is_some_and(|(_, of)| of == page) {
                *shown = shown.map(|_| 0);
            }
        }
    }

    /// Returns the regions of the page with this index.
    ///
    /// # Panics
    ///
    /// If the model does not have this page.
    #[track_caller]
    pub fn regions(&self, page: usize) -> &[Region] {
        match self.regions.get(page) {
            Some(regions) => regions,
            None => misuse::no_such("page", page, self.regions.len()),
        }
    }

    /// Fails if the sizes of pages or the number of attachments show that `model` is another model. `what` was made
    /// from this one.
    #[track_caller]
    pub(crate) fn expect_of(&self, model: &Model, what: &str) {
        let has_pages = self.sizes.iter().copied().eq(model.pages().iter().map(size));
        misuse::expect(has_pages && self.shown.len() == model.attachments().len(), || {
            let ([pages, attachments], other) = ([self.sizes.len(), self.shown.len()], model.pages().len());
            let of_other = model.attachments().len();
            format!(
                "{what} belongs to another model: it has {pages} pages and {attachments} attachments, the model has \
                 {other} and {of_other}, or pages of another size"
            )
        });
    }

    /// Returns the region that an attachment shows, as an index into [`Self::regions`] of its page; `None` if it shows
    /// no part of a page.
    #[cfg(feature = "gpu")]
    pub(crate) fn region_of(&self, attachment: AttachmentId) -> Option<u32> {
        self.shown[attachment.index()]
    }

    /// Returns how the area of an attachment depends on its bones: of each bone its index, or
    /// [`Influence::NO_BONE`](crate::model::Influence::NO_BONE), and the area in the space of its bind pose relative to
    /// that on the page. The area is the sum of all of them, each multiplied by the scale of the bone's matrix.
    #[cfg(feature = "gpu")]
    pub(crate) fn shares(&self, attachment: AttachmentId) -> impl Iterator<Item = (u32, f32)> {
        self.footprints.shares(attachment.index())
    }

    /// Returns the source that `sprite` of `model` is sampled from. The caller has checked that it is the right model.
    #[track_caller]
    pub fn source(&self, model: &Model, sprite: &Sprite, context: SampleContext<'_>) -> Source {
        let SampleContext { palette, filter, view, growth } = context;
        let area_scale = |bone: usize| palette.get(bone).map(SkinMatrix::area_scale);
        match self.choice(model, sprite.attachment, filter, view) {
            Choice::Page(sampling) => Source::Page(sampling),
            Choice::Level { region, most } => {
                let magnification = view.scale() * view.scale() * growth;
                Source::of_level(region, self.level(sprite.attachment, most, magnification, area_scale))
            }
        }
    }

    /// Returns what an attachment of `model` can be sampled from in any pose.
    #[track_caller]
    pub(crate) fn choice(&self, model: &Model, id: AttachmentId, filter: Filter, view: &View) -> Choice {
        let Some((mesh, page)) = textured(model.attachment(id)) else {
            return Choice::Page(Sampling::Nearest);
        };
        let is_pixel_art = mesh.page.is_some_and(|page| model.is_pixel_art(page));
        let sampling = filter.sampling(is_pixel_art, view);
        match (filter, sampling, self.shown[id.index()]) {
            (Filter::Auto, Sampling::Linear, Some(region)) => {
                Choice::Level { region, most: self.regions[page][region as usize].level_count() }
            }
            (Filter::Auto | Filter::Linear | Filter::Nearest, sampling, _) => Choice::Page(sampling),
        }
    }

    /// Returns the level that an attachment is sampled from, 0 for the page itself: `most` levels exist.
    /// `magnification` is the number of picture pixels per pixel of the character's own space, by area, and
    /// `area_scale` the factor by which each bone scales areas.
    pub(crate) fn level(
        &self,
        id: AttachmentId,
        most: u32,
        magnification: f32,
        area_scale: impl Fn(usize) -> Option<f32>,
    ) -> u32 {
        self.footprints.level(id.index(), area_scale, magnification, most)
    }
}

impl Source {
    /// The source for a level, 0 for the page itself.
    pub(crate) fn of_level(region: u32, level: u32) -> Self {
        if level == 0 { Self::Page(Sampling::Linear) } else { Self::Level { region, level } }
    }
}

fn size(page: &AtlasPage) -> [u32; 2] {
    [page.width, page.height]
}

/// Returns the mesh of an attachment that shows a part of a page, and the index of the page.
fn textured(attachment: &Attachment) -> Option<(&Mesh, usize)> {
    let mesh = attachment.mesh()?;
    Some((mesh, mesh.page?.index()))
}
