//! The bind group layouts that the shaders expect.

use crate::gpu::shaders::gpu_data::{Bone, Globals, Influence, Sprite};
use crate::math::Vec2;

/// The bind group layouts.
#[derive(Debug)]
pub struct Layouts {
    /// Group 0, one for each view: the camera, the palette and the sprites.
    pub view: wgpu::BindGroupLayout,
    /// Group 1, one for each page and filter.
    pub page: wgpu::BindGroupLayout,
    /// Group 2 of vertices with a list of influences, one for each buffer of them: the influences and their deform
    /// offsets.
    pub influences: wgpu::BindGroupLayout,
}

impl Layouts {
    /// The number of storage buffers that a vertex shader reads.
    pub const STORAGE_BUFFERS: u32 = 2;
    /// The same for vertices with lists of influences. wgpu's downlevel limits allow no more.
    pub const STORAGE_BUFFERS_OF_LISTS: u32 = 4;

    pub fn new(device: &wgpu::Device) -> Self {
        let buffer = |binding, ty, size: usize| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::VERTEX,
            ty: wgpu::BindingType::Buffer {
                ty,
                has_dynamic_offset: false,
                min_binding_size: wgpu::BufferSize::new(size as u64),
            },
            count: None,
        };
        let storage = |binding, size| buffer(binding, wgpu::BufferBindingType::Storage { read_only: true }, size);
        let in_fragment = |binding, ty| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::FRAGMENT,
            ty,
            count: None,
        };
        let group = |label, entries: &[wgpu::BindGroupLayoutEntry]| {
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries })
        };
        let globals = buffer(0, wgpu::BufferBindingType::Uniform, size_of::<Globals>());
        let view = [globals, storage(1, size_of::<Bone>()), storage(2, size_of::<Sprite>())];
        let texture = wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Float { filterable: true },
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: false,
        };
        let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
        let influences = [storage(0, size_of::<Influence>()), storage(1, size_of::<Vec2>())];
        Self {
            view: group("pchr view", &view),
            page: group("pchr page", &[in_fragment(0, texture), in_fragment(1, sampler)]),
            influences: group("pchr influences", &influences),
        }
    }
}
