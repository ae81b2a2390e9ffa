//! Atlas pages → textures, premultiplied on the way, each bound with a nearest and with a linear sampler.
//!
//! The mipmap levels of all regions of a page are in its texture, or share a second one if that would be larger than
//! the device's textures. A page that is larger by itself is refused; one that no mesh uses is left out.

use std::sync::Arc;

use super::level_atlas::LevelAtlas;
use crate::draw::mipmaps::{Mipmaps, Source};
use crate::draw::{NEUTRAL_COLOR, Sampling};
use crate::gpu::error::{Cause, GpuError};
use crate::gpu::pipeline::Shared;
use crate::gpu::shaders::gpu_data::UvPlace;
use crate::math::color::premultiply;
use crate::model::{AlphaSource, AtlasPage, Attachment, Model};

/// Bytes of a page that are premultiplied at a time, so that the page is never copied as a whole.
const STRIPE_BYTES: usize = 1 << 20;
const LABEL: &str = "pchr page";

/// The pages of a model on the GPU, followed by one pixel of [`NEUTRAL_COLOR`].
#[derive(Debug)]
pub struct Pages {
    groups: Vec<Option<PageGroups>>,
    mipmaps: Arc<Mipmaps>,
}

/// Which texture and sampler are bound to draw a sprite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Binding {
    /// The one after the last is for meshes without a page.
    pub page: usize,
    /// The texture of the page's mipmap levels, which is another than the page's.
    pub is_level: bool,
    pub sampling: Sampling,
}

/// One page, with either sampler.
#[derive(Debug, Clone)]
struct PageGroups {
    view: wgpu::TextureView,
    nearest: wgpu::BindGroup,
    linear: wgpu::BindGroup,
    /// `None` if it has no mipmap levels.
    atlas: Option<LevelAtlas>,
    /// The mipmap levels, unless they are in the texture of the page.
    levels: Option<(wgpu::TextureView, wgpu::BindGroup)>,
}

/// The mipmap levels of the pages of a model, computed before the pages are uploaded.
#[derive(Debug)]
pub struct PageLevels {
    mipmaps: Mipmaps,
    /// By page, the neutral one included: `None` if no mesh uses it.
    pages: Vec<Option<Levels>>,
}

/// The mipmap levels of a page, if there are any, and their texels.
#[derive(Debug)]
struct Levels {
    atlas: Option<LevelAtlas>,
    texels: Vec<u8>,
}

impl PageLevels {
    /// Computes the levels for a device whose textures have at most `limit` pixels per side.
    pub fn new(model: &Model, limit: u32) -> Self {
        let neutral = model.pages().len();
        let mut is_used = vec![false; neutral + 1];
        for mesh in model.attachments().iter().filter_map(Attachment::mesh) {
            is_used[mesh.page.map_or(neutral, |page| page.index())] = true;
        }
        let mipmaps = Mipmaps::new(model);
        let levels = |(number, is_used): (usize, bool)| {
            let page = model.pages().get(number);
            let atlas = page.and_then(|page| LevelAtlas::new(page, mipmaps.regions(number), limit));
            let texels = page.zip(atlas.as_ref()).map(|(page, atlas)| atlas.texels(page)).unwrap_or_default();
            is_used.then_some(Levels { atlas, texels })
        };
        let pages = is_used.into_iter().enumerate().map(levels).collect();
        Self { mipmaps, pages }
    }
}

/// Pages that are partly uploaded.
#[derive(Debug)]
pub struct PagesUpload {
    mipmaps: Mipmaps,
    pages: Vec<Option<PageUpload>>,
    done: u64,
    total: u64,
}

/// A page that is partly uploaded.
#[derive(Debug)]
struct PageUpload {
    groups: PageGroups,
    texture: wgpu::Texture,
    /// The texture of the levels, if it is another one.
    apart: Option<wgpu::Texture>,
    texels: Vec<u8>,
    /// The rows of the page and of the levels that were written.
    rows: [u32; 2],
}

impl PagesUpload {
    /// Creates the textures.
    pub fn new(
        device: &wgpu::Device,
        shared: &Shared,
        model: &Model,
        levels: PageLevels,
    ) -> Result<Self, GpuError> {
        let neutral = neutral_page();
        let all = model.pages().iter().chain([&neutral]).zip(levels.pages);
        let page = |(page, levels): (&AtlasPage, Option<Levels>)| {
            levels.map(|levels| PageUpload::new(device, shared, page, levels)).transpose()
        };
        let pages = all.map(page).collect::<Result<Vec<_>, _>>()?;
        let total = pages.iter().flatten().map(PageUpload::bytes).sum();
        Ok(Self { mipmaps: levels.mipmaps, pages, done: 0, total })
    }

    /// Returns the bytes that were written, and all bytes.
    pub fn bytes(&self) -> (u64, u64) {
        (self.done, self.total)
    }

    /// Writes further rows, at most `max_bytes`, or a single row if that has more.
    pub fn advance(&mut self, queue: &wgpu::Queue, model: &Model, max_bytes: u64) {
        let neutral = neutral_page();
        let (mut left, mut is_first) = (max_bytes, true);
        let mut stripe = Vec::new();
        for (page, upload) in model.pages().iter().chain([&neutral]).zip(&mut self.pages) {
            let Some(upload) = upload else { continue };
            let row = u64::from(page.width) * 4;
            while (is_first || left >= row)
                && let Some(bytes) = upload.write_rows(queue, page, left, &mut stripe)
            {
                left = left.saturating_sub(bytes);
                self.done += bytes;
                is_first = false;
            }
        }
    }

    /// Returns the pages. Rows that were not written are transparent.
    pub fn finish(self) -> Pages {
        let groups = self.pages.into_iter().map(|page| page.map(|page| page.groups)).collect();
        Pages { groups, mipmaps: Arc::new(self.mipmaps) }
    }
}

/// The page of meshes without one.
fn neutral_page() -> AtlasPage {
    AtlasPage {
        name: "neutral".into(),
        width: 1,
        height: 1,
        pixels: bytes::Bytes::from_static(&NEUTRAL_COLOR),
        is_premultiplied: false,
        alpha_source: AlphaSource::Stated,
    }
}

impl PageGroups {
    fn new(
        device: &wgpu::Device,
        shared: &Shared,
        view: wgpu::TextureView,
        atlas: Option<LevelAtlas>,
        levels: Option<wgpu::TextureView>,
    ) -> Self {
        let [nearest, linear] =
            [&shared.nearest, &shared.linear].map(|sampler| group(device, shared, &view, sampler));
        let levels = levels.map(|view| {
            let group = group(device, shared, &view, &shared.linear);
            (view, group)
        });
        Self { view, nearest, linear, atlas, levels }
    }
}

impl PageUpload {
    fn new(device: &wgpu::Device, shared: &Shared, page: &AtlasPage, levels: Levels) -> Result<Self, GpuError> {
        let Levels { atlas, texels } = levels;
        let (width, height) = (page.width, page.height);
        let limit = device.limits().max_texture_dimension_2d;
        if width.max(height) > limit {
            return Err(Cause::PageTooLarge { page: page.name.to_string(), width, height, limit }.into());
        }
        let view_of = |texture: &wgpu::Texture| texture.create_view(&wgpu::TextureViewDescriptor::default());
        let below = atlas.as_ref().filter(|atlas| atlas.first_row > 0);
        let texture = create_texture(device, LABEL, width, below.map_or(height, |atlas| atlas.height));
        let is_apart = below.is_none();
        let apart = atlas
            .as_ref()
            .filter(|_| is_apart)
            .map(|atlas| create_texture(device, LABEL, atlas.width, atlas.height));
        let groups = PageGroups::new(device, shared, view_of(&texture), atlas, apart.as_ref().map(view_of));
        Ok(Self { groups, texture, apart, texels, rows: [0; 2] })
    }

    /// The bytes of the page and of its levels.
    fn bytes(&self) -> u64 {
        let page = match &self.groups.atlas {
            Some(atlas) if atlas.first_row > 0 => atlas.first_row,
            Some(_) | None => self.texture.height(),
        };
        u64::from(self.texture.width()) * u64::from(page) * 4 + self.texels.len() as u64
    }

    /// Writes the next rows of the page, premultiplied, or of its levels: at most `max_bytes`, but at least one row.
    /// Returns their bytes, or `None` if everything was written.
    fn write_rows(
        &mut self,
        queue: &wgpu::Queue,
        page: &AtlasPage,
        max_bytes: u64,
        stripe: &mut Vec<u8>,
    ) -> Option<u64> {
        let row = page.width as usize * 4;
        let rows = (max_bytes.min(STRIPE_BYTES as u64) as usize / row).max(1);
        let [of_page, of_levels] = &mut self.rows;
        if let Some(straight) = page.pixels.get(*of_page as usize * row..)
            && !straight.is_empty()
        {
            let straight = &straight[..straight.len().min(row * rows)];
            stripe.clear();
            if page.is_premultiplied {
                stripe.extend_from_slice(straight);
            } else {
                stripe.extend(straight.as_chunks::<4>().0.iter().flat_map(|&pixel| premultiply(pixel)));
            }
            write_rows(queue, &self.texture, *of_page, stripe);
            *of_page += (straight.len() / row) as u32;
            return Some(straight.len() as u64);
        }
        let left = self.texels.get(*of_levels as usize * row..).filter(|left| !left.is_empty())?;
        let levels = &left[..left.len().min(row * rows)];
        let first_row = self.groups.atlas.as_ref().map_or(0, |atlas| atlas.first_row);
        write_rows(queue, self.apart.as_ref().unwrap_or(&self.texture), first_row + *of_levels, levels);
        *of_levels += (levels.len() / row) as u32;
        Some(levels.len() as u64)
    }
}

impl Pages {
    /// Returns the same pages, one of them with another texture. Errors go to the error scope of the caller.
    pub fn with_texture(
        &self,
        device: &wgpu::Device,
        shared: &Shared,
        page: usize,
        view: &wgpu::TextureView,
    ) -> Self {
        let mut groups = self.groups.clone();
        // A page that no mesh uses stays out.
        if groups[page].is_some() {
            groups[page] = Some(PageGroups::new(device, shared, view.clone(), None, None));
        }
        Self { groups, mipmaps: Arc::clone(&self.mipmaps) }
    }

    /// The number of pages of the model.
    pub fn count(&self) -> usize {
        // The last is the pixel of the neutral colour.
        self.groups.len() - 1
    }

    /// The bind group; `None` if the page was not uploaded.
    pub fn group(&self, binding: Binding) -> Option<&wgpu::BindGroup> {
        let groups = self.groups.get(binding.page)?.as_ref()?;
        Some(match binding.sampling {
            Sampling::Linear if binding.is_level => &groups.levels.as_ref()?.1,
            Sampling::Nearest => &groups.nearest,
            Sampling::Linear => &groups.linear,
        })
    }

    /// Page texture and, if separate, mipmap texture; `None` if not uploaded.
    pub fn views(&self, page: usize) -> [Option<&wgpu::TextureView>; 2] {
        let groups = self.groups.get(page).and_then(Option::as_ref);
        [groups.map(|groups| &groups.view), groups.and_then(|groups| groups.levels.as_ref()).map(|(view, _)| view)]
    }

    /// The sizes of all textures in bytes.
    pub fn bytes(&self) -> u64 {
        let views = (0..self.groups.len()).flat_map(|page| self.views(page)).flatten();
        let size =
            |view: &wgpu::TextureView| u64::from(view.texture().width()) * u64::from(view.texture().height()) * 4;
        views.map(size).sum()
    }

    /// The regions of the pages that have mipmap levels.
    pub fn mipmaps(&self) -> &Mipmaps {
        &self.mipmaps
    }

    /// What to bind for a sprite from `source`, and its place in the texture.
    pub fn source(&self, page: usize, source: Source) -> (Binding, UvPlace) {
        let groups = self.groups.get(page).and_then(Option::as_ref);
        let atlas = groups.and_then(|groups| groups.atlas.as_ref());
        let is_apart = groups.is_some_and(|groups| groups.levels.is_some());
        let (sampling, is_level, place) = match (source, atlas) {
            (Source::Page(sampling), Some(atlas)) => (sampling, false, atlas.page_place()),
            (Source::Page(sampling), None) => (sampling, false, UvPlace::PAGE),
            (Source::Level { region, level }, Some(atlas)) => {
                (Sampling::Linear, is_apart, atlas.place(region, level))
            }
            (Source::Level { .. }, None) => (Sampling::Linear, false, UvPlace::PAGE),
        };
        (Binding { page, is_level, sampling }, place)
    }
}

/// Creates the texture of a page, of mipmap levels, or of another picture.
pub fn create_texture(device: &wgpu::Device, label: &str, width: u32, height: u32) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    })
}

/// Writes whole rows, the first of them at `y`.
pub fn write_rows(queue: &wgpu::Queue, texture: &wgpu::Texture, y: u32, rows: &[u8]) {
    let row = texture.width() * 4;
    let size = wgpu::Extent3d { height: (rows.len() / row as usize) as u32, ..texture.size() };
    let to = wgpu::TexelCopyTextureInfo { origin: wgpu::Origin3d { x: 0, y, z: 0 }, ..texture.as_image_copy() };
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row), rows_per_image: None };
    queue.write_texture(to, rows, layout, size);
}

/// Group 1 of the pipelines.
fn group(
    device: &wgpu::Device,
    shared: &Shared,
    view: &wgpu::TextureView,
    sampler: &wgpu::Sampler,
) -> wgpu::BindGroup {
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some(LABEL),
        layout: &shared.layouts.page,
        entries: &[
            wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(view) },
            wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::Sampler(sampler) },
        ],
    })
}
