//! Pictures → textures, premultiplied on the way, each with a nearest and a linear filter.
//!
//! Refuses a page larger than the device's textures; a page that no mesh uses is left out.

use super::GpuError;
use super::layouts::Layouts;
use crate::draw::{NEUTRAL_COLOR, Sampling};
use crate::math::color::premultiply;
use crate::model::{AlphaSource, AtlasPage, Attachment, Model};

/// Bytes that are premultiplied at a time: a page as large as they come needs no second copy of itself.
const STRIPE_BYTES: usize = 1 << 20;

/// The pages of a model on the GPU; after the last one a pixel of [`NEUTRAL_COLOR`].
#[derive(Debug)]
pub struct Pages {
    groups: Vec<Option<PageGroups>>,
}

/// One page, filtered either way.
#[derive(Debug)]
struct PageGroups {
    nearest: wgpu::BindGroup,
    linear: wgpu::BindGroup,
}

impl Pages {
    pub fn upload(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        layouts: &Layouts,
        model: &Model,
    ) -> Result<Self, GpuError> {
        let neutral = model.pages().len();
        let mut is_used = vec![false; neutral + 1];
        for mesh in model.attachments().iter().filter_map(Attachment::mesh) {
            is_used[mesh.page.map_or(neutral, |page| page.index())] = true;
        }
        let binder = Binder::new(device, layouts);
        let neutral_page = AtlasPage {
            name: "neutral".into(),
            width: 1,
            height: 1,
            pixels: bytes::Bytes::from_static(&NEUTRAL_COLOR),
            is_premultiplied: false,
            alpha_source: AlphaSource::Stated,
        };
        let groups = model.pages().iter().chain([&neutral_page]).zip(is_used).map(|(page, is_used)| {
            is_used.then(|| upload(device, queue, page).map(|texture| binder.bind(&texture))).transpose()
        });
        Ok(Self { groups: groups.collect::<Result<_, _>>()? })
    }

    /// How many pages the model has.
    pub fn count(&self) -> usize {
        // The last is the pixel of the neutral colour.
        self.groups.len() - 1
    }

    /// What to bind for a page.
    pub fn group(&self, page: usize, sampling: Sampling) -> Option<&wgpu::BindGroup> {
        let groups = self.groups.get(page)?.as_ref()?;
        Some(match sampling {
            Sampling::Nearest => &groups.nearest,
            Sampling::Linear => &groups.linear,
        })
    }
}

fn upload(device: &wgpu::Device, queue: &wgpu::Queue, page: &AtlasPage) -> Result<wgpu::Texture, GpuError> {
    let (width, height) = (page.width, page.height);
    let limit = device.limits().max_texture_dimension_2d;
    if width.max(height) > limit {
        return Err(GpuError::PageTooLarge { page: page.name.to_string(), width, height, limit });
    }
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("pchr page"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
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
        let size = wgpu::Extent3d { width, height: (straight.len() / row) as u32, depth_or_array_layers: 1 };
        let to = wgpu::TexelCopyTextureInfo {
            origin: wgpu::Origin3d { x: 0, y: (number * rows) as u32, z: 0 },
            ..texture.as_image_copy()
        };
        let layout =
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row as u32), rows_per_image: None };
        queue.write_texture(to, &stripe, layout, size);
    }
    Ok(texture)
}

/// Makes bind groups.
struct Binder<'a> {
    device: &'a wgpu::Device,
    layout: &'a wgpu::BindGroupLayout,
    nearest: wgpu::Sampler,
    linear: wgpu::Sampler,
}

impl<'a> Binder<'a> {
    fn new(device: &'a wgpu::Device, layouts: &'a Layouts) -> Self {
        let sampler = |label, filter| {
            device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some(label),
                mag_filter: filter,
                min_filter: filter,
                // The shader stays on the page, where mirroring repeats the last pixel just as clamping does.
                // Mesa's software driver mixes texels with more than eight bits only for a mode like this one.
                address_mode_u: wgpu::AddressMode::MirrorRepeat,
                address_mode_v: wgpu::AddressMode::MirrorRepeat,
                ..wgpu::SamplerDescriptor::default()
            })
        };
        Self {
            device,
            layout: &layouts.page,
            nearest: sampler("pchr nearest", wgpu::FilterMode::Nearest),
            linear: sampler("pchr linear", wgpu::FilterMode::Linear),
        }
    }

    fn bind(&self, texture: &wgpu::Texture) -> PageGroups {
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let group = |sampler| {
            self.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("pchr page"),
                layout: self.layout,
                entries: &[
                    wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(&view) },
                    wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::Sampler(sampler) },
                ],
            })
        };
        PageGroups { nearest: group(&self.nearest), linear: group(&self.linear) }
    }
}
