//! What the shaders expect in their bind groups.

use super::gpu_data::{Bone, Globals, Influence, Sprite};
use crate::math::Vec2;

/// The bind group layouts, and those of the pipelines.
#[derive(Debug)]
pub struct Layouts {
    /// Group 0, once a frame: the view, the palette and the sprites.
    pub frame: wgpu::BindGroupLayout,
    /// Group 1, once a page and filter.
    pub page: wgpu::BindGroupLayout,
    /// Group 2 of vertices with a list of influences, once a buffer of them: those, and how they are deformed.
    pub influences: wgpu::BindGroupLayout,
    pub skin4: wgpu::PipelineLayout,
    pub skin_n: wgpu::PipelineLayout,
    /// [`Self::skin_n`] without a page.
    pub mask: wgpu::PipelineLayout,
    pub overlay: wgpu::PipelineLayout,
}

impl Layouts {
    /// Storage buffers that a vertex shader reads.
    pub const STORAGE_BUFFERS: u32 = 2;
    /// The same where vertices have lists of influences. wgpu's downlevel limits have no more.
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
        let frame = [globals, storage(1, size_of::<Bone>()), storage(2, size_of::<Sprite>())];
        let frame = group("pchr frame", &frame);
        let texture = wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Float { filterable: true },
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: false,
        };
        let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
        let page = group("pchr page", &[in_fragment(0, texture), in_fragment(1, sampler)]);
        let influences = [storage(0, size_of::<Influence>()), storage(1, size_of::<Vec2>())];
        let influences = group("pchr influences", &influences);
        let pipeline = |label, groups: &[Option<&wgpu::BindGroupLayout>]| {
            device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(label),
                bind_group_layouts: groups,
                immediate_size: 0,
            })
        };
        let skin4 = pipeline("pchr skin4", &[Some(&frame), Some(&page)]);
        // The first two groups are the same ones, so they stay bound from pipeline to pipeline.
        let skin_n = pipeline("pchr skin_n", &[Some(&frame), Some(&page), Some(&influences)]);
        let mask = pipeline("pchr clip mask", &[Some(&frame), None, Some(&influences)]);
        let overlay = pipeline("pchr overlay", &[Some(&frame)]);
        Self { frame, page, influences, skin4, skin_n, mask, overlay }
    }
}
