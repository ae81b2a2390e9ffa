//! The passes of a crowd: which buffers each shader reads and writes, and the compute pipelines.

use crate::gpu::shaders::crowd_data::CrowdGlobals;
use crate::gpu::shaders::wgsl;

/// The bind group layouts and compute pipelines, one for each device.
#[derive(Debug)]
pub struct CrowdPasses {
    pub place: Pass,
    pub pose: Pass,
    pub scan: Pass,
    pub compact: Pass,
    /// Group 0 of the draw calls.
    pub draw: wgpu::BindGroupLayout,
    /// Group 1 of the draw calls: the samplers, and two textures for each page.
    pub textures: wgpu::BindGroupLayout,
}

/// A compute pass.
#[derive(Debug)]
pub struct Pass {
    pub layout: wgpu::BindGroupLayout,
    pub pipeline: wgpu::ComputePipeline,
}

/// A buffer by its binding, which is the same in every shader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum CrowdBuffer {
    Globals,
    Members,
    Animations,
    Orders,
    Drawn,
    Counts,
    Samples,
    Bones,
    Shares,
    Poses,
    Call,
    Compacted,
    Indices,
    Vertices,
    Influences,
    Parts,
    Places,
}

/// How a shader uses a buffer.
#[derive(Clone, Copy)]
enum Use {
    Reads,
    Writes,
}

use Use::{Reads, Writes};

const PLACE: &[(CrowdBuffer, Use)] = &[
    (CrowdBuffer::Members, Reads),
    (CrowdBuffer::Animations, Reads),
    (CrowdBuffer::Orders, Reads),
    (CrowdBuffer::Drawn, Writes),
    (CrowdBuffer::Counts, Writes),
];
const POSE: &[(CrowdBuffer, Use)] = &[
    (CrowdBuffer::Members, Reads),
    (CrowdBuffer::Animations, Reads),
    (CrowdBuffer::Drawn, Reads),
    (CrowdBuffer::Samples, Reads),
    (CrowdBuffer::Bones, Reads),
    (CrowdBuffer::Shares, Reads),
    (CrowdBuffer::Poses, Writes),
];
const SCAN: &[(CrowdBuffer, Use)] = &[(CrowdBuffer::Counts, Writes), (CrowdBuffer::Call, Writes)];
const COMPACT: &[(CrowdBuffer, Use)] =
    &[(CrowdBuffer::Drawn, Reads), (CrowdBuffer::Counts, Reads), (CrowdBuffer::Compacted, Writes)];
const DRAW: &[(CrowdBuffer, Use)] = &[
    (CrowdBuffer::Poses, Reads),
    (CrowdBuffer::Indices, Reads),
    (CrowdBuffer::Vertices, Reads),
    (CrowdBuffer::Influences, Reads),
    (CrowdBuffer::Parts, Reads),
    (CrowdBuffer::Places, Reads),
];

impl CrowdPasses {
    /// The pages that a draw call can sample, with two textures each.
    pub const MAX_PAGES: usize = 4;
    /// The most storage buffers that one shader uses.
    const STORAGE_BUFFERS: u32 = 7;
    /// The invocations of a workgroup: one per member.
    pub const WORKGROUP: u32 = 256;
    /// The same for the pass that poses the members.
    pub const POSE_WORKGROUP: u32 = 64;

    /// Returns true if a device with these limits can run the passes. Without compute shaders, they are 0.
    pub fn run_on(limits: &wgpu::Limits) -> bool {
        limits.max_storage_buffers_per_shader_stage >= Self::STORAGE_BUFFERS
            && limits.max_compute_invocations_per_workgroup >= Self::WORKGROUP
            && limits.max_compute_workgroup_size_x >= Self::WORKGROUP
    }

    pub fn new(device: &wgpu::Device) -> Self {
        let texture = |binding| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::FRAGMENT,
            ty: wgpu::BindingType::Texture {
                sample_type: wgpu::TextureSampleType::Float { filterable: true },
                view_dimension: wgpu::TextureViewDimension::D2,
                multisampled: false,
            },
            count: None,
        };
        let sampler = |binding| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::FRAGMENT,
            ty: wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering),
            count: None,
        };
        let mut entries = vec![sampler(0), sampler(1)];
        entries.extend((2..2 + 2 * Self::MAX_PAGES as u32).map(texture));
        let textures = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("pchr crowd textures"),
            entries: &entries,
        });
        Self {
            place: Pass::new(device, "pchr crowd place", PLACE, wgsl::CROWD_PLACE),
            pose: Pass::new(device, "pchr crowd pose", POSE, wgsl::CROWD_POSE),
            scan: Pass::new(device, "pchr crowd scan", SCAN, wgsl::CROWD_SCAN),
            compact: Pass::new(device, "pchr crowd compact", COMPACT, wgsl::CROWD_COMPACT),
            draw: layout(device, "pchr crowd draw", wgpu::ShaderStages::VERTEX, DRAW),
            textures,
        }
    }
}

impl Pass {
    fn new(device: &wgpu::Device, label: &str, buffers: &[(CrowdBuffer, Use)], source: &str) -> Self {
        let layout = layout(device, label, wgpu::ShaderStages::COMPUTE, buffers);
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(label),
            source: wgpu::ShaderSource::Wgsl(source.into()),
        });
        let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(label),
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(label),
            layout: Some(&pipeline_layout),
            module: &module,
            entry_point: Some("cs_main"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        Self { layout, pipeline }
    }
}

fn layout(
    device: &wgpu::Device,
    label: &str,
    visibility: wgpu::ShaderStages,
    buffers: &[(CrowdBuffer, Use)],
) -> wgpu::BindGroupLayout {
    let entry = |slot: CrowdBuffer, ty, size: usize| wgpu::BindGroupLayoutEntry {
        binding: slot as u32,
        visibility,
        ty: wgpu::BindingType::Buffer {
            ty,
            has_dynamic_offset: false,
            min_binding_size: wgpu::BufferSize::new(size as u64),
        },
        count: None,
    };
    let mut entries =
        vec![entry(CrowdBuffer::Globals, wgpu::BufferBindingType::Uniform, size_of::<CrowdGlobals>())];
    entries.extend(
        buffers.iter().map(|&(slot, of)| {
            entry(slot, wgpu::BufferBindingType::Storage { read_only: matches!(of, Reads) }, 0)
        }),
    );
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries: &entries })
}

/// Binds buffers to a layout.
pub fn bind(
    device: &wgpu::Device,
    label: &str,
    layout: &wgpu::BindGroupLayout,
    buffers: &[(CrowdBuffer, &wgpu::Buffer)],
) -> wgpu::BindGroup {
    let entries: Vec<wgpu::BindGroupEntry<'_>> = buffers
        .iter()
        .map(|(slot, buffer)| wgpu::BindGroupEntry { binding: *slot as u32, resource: buffer.as_entire_binding() })
        .collect();
    device.create_bind_group(&wgpu::BindGroupDescriptor { label: Some(label), layout, entries: &entries })
}
