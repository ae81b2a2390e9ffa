//! Atlas pages → textures, premultiplied on the way, each bound with a nearest and with a linear sampler.
//!
//! The mipmap levels of all regions of a page are in its texture, or share a second one if that would be larger than
//! the device's textures. A page that is larger by itself is refused; one that no mesh uses is left out.

use super::GpuError;
use super::gpu_data::UvPlace;
use super::level_atlas::LevelAtlas;
use super::shared::Shared;
use crate::draw::mipmaps::{Mipmaps, Source};
use crate::draw::{NEUTRAL_COLOR, Sampling};
use crate::math::color::premultiply;
use crate::model::{AlphaSource, AtlasPage, Attachment, Model};

/// Bytes of a page that are premultiplied at a time, so that the page is never copied as a whole.
const STRIPE_BYTES: usize = 1 << 20;

/// The pages of a model on the GPU, followed by one pixel of [`NEUTRAL_COLOR`].
#[derive(Debug)]
pub struct Pages {
    groups: Vec<Option<PageGroups>>,
    mipmaps: Mipmaps,
}

/// Which texture and sampler are bound to draw a sprite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Binding {
    /// The one after the last is that of meshes without a page.
    pub page: usize,
    /// The texture of the page's mipmap levels, which is not that of the page.
    pub is_level: bool,
    pub sampling: Sampling,
}

/// One page, with either sampler.
#[derive(Debug)]
struct PageGroups {
    view: wgpu::TextureView,
    nearest: wgpu::BindGroup,
    linear: wgpu::BindGroup,
    /// `None` if it has no mipmap levels.
    atlas: Option<LevelAtlas>,
    /// The mipmap levels, unless they are in the texture of the page.
    levels: Option<(wgpu::TextureView, wgpu::BindGroup)>,
}

impl Pages {
    pub fn upload(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        shared: &Shared,
        model: &Model,
    ) -> Result<Self, GpuError> {
        let neutral = model.pages().len();
        let mut is_used = vec![false; neutral + 1];
        for mesh in model.attachments().iter().filter_map(Attachment::mesh) {
            is_used[mesh.page.map_or(neutral, |page| page.index())] = true;
        }
        let neutral_page = AtlasPage {
            name: "neutral".into(),
            width: 1,
            height: 1,
            pixels: bytes::Bytes::from_static(&NEUTRAL_COLOR),
            is_premultiplied: false,
            alpha_source: AlphaSource::Stated,
        };
        let mipmaps = Mipmaps::new(model);
        let limit = device.limits().max_texture_dimension_2d;
        let pages = model.pages().iter().chain([&neutral_page]).zip(is_used).enumerate();
        let groups = pages.map(|(number, (page, is_used))| {
            let regions = if number < neutral { mipmaps.regions(number) } else { &[] };
            let atlas = LevelAtlas::new(page, regions, limit);
            is_used.then(|| PageGroups::upload(device, queue, shared, page, atlas)).transpose()
        });
        let groups = groups.collect::<Result<_, _>>()?;
        Ok(Self { groups, mipmaps })
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

    /// The texture of a page, and that of its mipmap levels if it is another one; `None` for what was not uploaded.
    pub fn views(&self, page: usize) -> [Option<&wgpu::TextureView>; 2] {
        let groups = self.groups.get(page).and_then(Option::as_ref);
        [groups.map(|groups| &groups.view), groups.and_then(|groups| groups.levels.as_ref()).map(|(view, _)| view)]
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

impl PageGroups {
    fn upload(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        shared: &Shared,
        page: &AtlasPage,
        atlas: Option<LevelAtlas>,
    ) -> Result<Self, GpuError> {
        let (width, height) = (page.width, page.height);
        let limit = device.limits().max_texture_dimension_2d;
        if width.max(height) > limit {
            return Err(GpuError::PageTooLarge { page: page.name.to_string(), width, height, limit });
        }
        let view_of = |texture: &wgpu::Texture| texture.create_view(&wgpu::TextureViewDescriptor::default());
        let below = atlas.as_ref().filter(|atlas| atlas.first_row > 0);
        let texture = create(device, width, below.map_or(height, |atlas| atlas.height));
        write_page(queue, &texture, page);
        let mut levels = None;
        if let Some(atlas) = &atlas {
            let apart = below.is_none().then(|| create(device, atlas.width, atlas.height));
            write(queue, apart.as_ref().unwrap_or(&texture), atlas.first_row, &atlas.texels(page));
            levels = apart.map(|texture| {
                let view = view_of(&texture);
                let group = group(device, shared, &view, &shared.linear);
                (view, group)
            });
        }
        let view = view_of(&texture);
        let [nearest, linear] =
            [&shared.nearest, &shared.linear].map(|sampler| group(device, shared, &view, sampler));
        Ok(Self { view, nearest, linear, atlas, levels })
    }
}

/// Premultiplies the pixels of a page and writes them from the first row on.
fn write_page(queue: &wgpu::Queue, texture: &wgpu::Texture, page: &AtlasPage) {
    let row = page.width as usize * 4;
    let rows = (STRIPE_BYTES / row).max(1);
    let mut stripe = Vec::with_capacity(row * rows.min(page.height as usize));
    for (number, straight) in page.pixels.chunks(row * rows).enumerate() {
        stripe.clear();
        if page.is_premultiplied {
            stripe.extend_from_slice(straight);
        } else {
            stripe.extend(straight.as_chunks::<4>().0.iter().flat_map(|&pixel| premultiply(pixel)));
        }
        write(queue, texture, (number * rows) as u32, &stripe);
    }
}

/// Creates the texture of a page or of mipmap levels.
pub fn create(device: &wgpu::Device, width: u32, height: u32) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: Some("pchr page"),
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
fn write(queue: &wgpu::Queue, texture: &wgpu::Texture, y: u32, rows: &[u8]) {
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
        label: Some("pchr page"),
        layout: &shared.layouts.page,
        entries: &[
            wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(view) },
            wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::Sampler(sampler) },
        ],
    })
}
