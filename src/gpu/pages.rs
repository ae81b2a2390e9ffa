//! Atlas pages → textures, premultiplied on the way, each bound with a nearest and with a linear sampler.
//!
//! The mipmap levels of all regions of a page share a second texture. A page that is larger than the device's
//! textures is refused; one that no mesh uses is left out.

use super::GpuError;
use super::gpu_data::UvPlace;
use super::level_atlas::LevelAtlas;
use super::shared::Shared;
use crate::draw::mipmaps::Mipmaps;
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
    /// By page; `None` if a page has no mipmap levels.
    levels: Vec<Option<Levels>>,
}

/// The mipmap levels of a page's regions.
#[derive(Debug)]
struct Levels {
    atlas: LevelAtlas,
    view: wgpu::TextureView,
    group: wgpu::BindGroup,
}

/// Which texture and sampler are bound to draw a sprite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Binding {
    /// The one after the last is that of meshes without a page.
    pub page: usize,
    /// The texture of the page's mipmap levels instead of the page itself.
    pub is_level: bool,
    pub sampling: Sampling,
}

/// One page, with either sampler.
#[derive(Debug)]
struct PageGroups {
    view: wgpu::TextureView,
    nearest: wgpu::BindGroup,
    linear: wgpu::BindGroup,
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
        let bind = |view: &wgpu::TextureView, sampler| group(device, shared, view, sampler);
        let neutral_page = AtlasPage {
            name: "neutral".into(),
            width: 1,
            height: 1,
            pixels: bytes::Bytes::from_static(&NEUTRAL_COLOR),
            is_premultiplied: false,
            alpha_source: AlphaSource::Stated,
        };
        let groups = model.pages().iter().chain([&neutral_page]).zip(is_used).map(|(page, is_used)| {
            let bound = |texture: wgpu::Texture| {
                let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
                let [nearest, linear] = [&shared.nearest, &shared.linear].map(|sampler| bind(&view, sampler));
                PageGroups { view, nearest, linear }
            };
            is_used.then(|| upload(device, queue, page).map(bound)).transpose()
        });
        let groups = groups.collect::<Result<_, _>>()?;
        let mipmaps = Mipmaps::new(model);
        let limit = device.limits().max_texture_dimension_2d;
        let levels = model.pages().iter().enumerate().map(|(number, page)| {
            let atlas = LevelAtlas::new(page, mipmaps.regions(number), limit)?;
            let texture = create(device, atlas.width, atlas.height);
            write(queue, &texture, 0, &atlas.texels(page));
            let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
            Some(Levels { atlas, group: bind(&view, &shared.linear), view })
        });
        Ok(Self { groups, levels: levels.collect(), mipmaps })
    }

    /// The number of pages of the model.
    pub fn count(&self) -> usize {
        // The last is the pixel of the neutral colour.
        self.groups.len() - 1
    }

    /// The bind group; `None` if the page was not uploaded.
    pub fn group(&self, binding: Binding) -> Option<&wgpu::BindGroup> {
        if binding.is_level {
            return Some(&self.levels.get(binding.page)?.as_ref()?.group);
        }
        let groups = self.groups.get(binding.page)?.as_ref()?;
        Some(match binding.sampling {
            Sampling::Nearest => &groups.nearest,
            Sampling::Linear => &groups.linear,
        })
    }

    /// The textures of a page and of its mipmap levels; `None` for what was not uploaded.
    pub fn views(&self, page: usize) -> [Option<&wgpu::TextureView>; 2] {
        let own = self.groups.get(page).and_then(Option::as_ref).map(|groups| &groups.view);
        [own, self.levels.get(page).and_then(Option::as_ref).map(|levels| &levels.view)]
    }

    /// The regions of the pages that have mipmap levels.
    pub fn mipmaps(&self) -> &Mipmaps {
        &self.mipmaps
    }

    /// The place of a region's level in the texture of the page's levels; `None` if the page has none.
    pub fn place(&self, page: usize, region: u32, level: u32) -> Option<UvPlace> {
        Some(self.levels.get(page)?.as_ref()?.atlas.place(region, level))
    }
}

fn upload(device: &wgpu::Device, queue: &wgpu::Queue, page: &AtlasPage) -> Result<wgpu::Texture, GpuError> {
    let (width, height) = (page.width, page.height);
    let limit = device.limits().max_texture_dimension_2d;
    if width.max(height) > limit {
        return Err(GpuError::PageTooLarge { page: page.name.to_string(), width, height, limit });
    }
    let texture = create(device, width, height);
    let row = width as usize * 4;
    let rows = (STRIPE_BYTES / row).max(1);
    let mut stripe = Vec::with_capacity(row * rows.min(height as usize));
    for (number, straight) in page.pixels.chunks(row * rows).enumerate() {
        stripe.clear();
        if page.is_premultiplied {
            stripe.extend_from_slice(straight);
        } else {
            stripe.extend(straight.as_chunks::<4>().0.iter().flat_map(|&pixel| premultiply(pixel)));
        }
        write(queue, &texture, (number * rows) as u32, &stripe);
    }
    Ok(texture)
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
