//! Bind group layouts and the two pipelines: skinned sprites and plain triangles.

use super::gpu_data::{Bone, Globals, INSTANCE, OVERLAY_VERTEX, SKIN4_VERTEX};
use super::shaders;

/// What is drawn into: one colour attachment, no depth or stencil.
///
/// Characters are authored in gamma space, so the format should not be an sRGB one (`Rgba8Unorm`, `Bgra8Unorm`):
/// colours go into it as they are and blend as in the tool that made them. An sRGB format (`…UnormSrgb`)
/// is accepted: opaque colours come out the same, but the hardware then blends in linear light, so what is
/// translucent and what is smoothed along edges comes out lighter. Use it where a whole scene is drawn that way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TargetFormat {
    /// The format of the colour attachment's view.
    pub color: wgpu::TextureFormat,
    /// Its samples a pixel: 1 or 4.
    pub samples: u32,
}

/// What the shaders expect in their bind groups.
#[derive(Debug)]
pub struct Layouts {
    /// Group 0, once a frame: the view and the palette.
    pub frame: wgpu::BindGroupLayout,
    /// Group 1, once a page and filter.
    pub page: wgpu::BindGroupLayout,
    sprite: wgpu::PipelineLayout,
    overlay: wgpu::PipelineLayout,
}

impl Layouts {
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
        let in_fragment = |binding, ty| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::FRAGMENT,
            ty,
            count: None,
        };
        let frame = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("pchr frame"),
            entries: &[
                buffer(0, wgpu::BufferBindingType::Uniform, size_of::<Globals>()),
                buffer(1, wgpu::BufferBindingType::Storage { read_only: true }, size_of::<Bone>()),
            ],
        });
        let texture = wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Float { filterable: true },
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: false,
        };
        let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
        let page = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("pchr page"),
            entries: &[in_fragment(0, texture), in_fragment(1, sampler)],
        });
        let pipeline_layout = |label, groups: &[Option<&wgpu::BindGroupLayout>]| {
            device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(label),
                bind_group_layouts: groups,
                immediate_size: 0,
            })
        };
        let sprite = pipeline_layout("pchr sprite", &[Some(&frame), Some(&page)]);
        let overlay = pipeline_layout("pchr overlay", &[Some(&frame)]);
        Self { frame, page, sprite, overlay }
    }
}

/// The pipelines for one kind of target.
#[derive(Debug)]
pub struct Pipelines {
    /// What they draw into.
    pub target: TargetFormat,
    /// Skinned vertices, a page of the atlas.
    pub sprite: wgpu::RenderPipeline,
    /// Plain triangles.
    pub overlay: wgpu::RenderPipeline,
}

impl Pipelines {
    pub fn new(device: &wgpu::Device, layouts: &Layouts, target: TargetFormat) -> Self {
        let module = |(name, source): (&str, &'static str)| {
            device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some(name),
                source: wgpu::ShaderSource::Wgsl(source.into()),
            })
        };
        let [skin4, sprite_fs, overlay] = shaders::ALL.map(module);
        let sprite = pipeline(
            device,
            target,
            &Recipe {
                label: "pchr sprite",
                layout: &layouts.sprite,
                vertex: &skin4,
                buffers: &[Some(SKIN4_VERTEX), Some(INSTANCE)],
                fragment: &sprite_fs,
            },
        );
        let overlay = pipeline(
            device,
            target,
            &Recipe {
                label: "pchr overlay",
                layout: &layouts.overlay,
                vertex: &overlay,
                buffers: &[Some(OVERLAY_VERTEX), Some(INSTANCE)],
                fragment: &overlay,
            },
        );
        Self { target, sprite, overlay }
    }
}

/// Where one pipeline differs from the others.
struct Recipe<'a> {
    label: &'a str,
    layout: &'a wgpu::PipelineLayout,
    vertex: &'a wgpu::ShaderModule,
    buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    fragment: &'a wgpu::ShaderModule,
}

fn pipeline(device: &wgpu::Device, target: TargetFormat, recipe: &Recipe<'_>) -> wgpu::RenderPipeline {
    let constants = [("target_encodes_srgb", f64::from(u8::from(target.color.is_srgb())))];
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(recipe.label),
        layout: Some(recipe.layout),
        vertex: wgpu::VertexState {
            module: recipe.vertex,
            entry_point: Some("vs_main"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: recipe.buffers,
        },
        // Nothing is culled: a mirrored bone turns its triangles around.
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: None,
        multisample: wgpu::MultisampleState { count: target.samples, ..wgpu::MultisampleState::default() },
        fragment: Some(wgpu::FragmentState {
            module: recipe.fragment,
            entry_point: Some("fs_main"),
            compilation_options: wgpu::PipelineCompilationOptions {
                constants: &constants,
                ..wgpu::PipelineCompilationOptions::default()
            },
            targets: &[Some(wgpu::ColorTargetState {
                format: target.color,
                blend: Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
                write_mask: wgpu::ColorWrites::ALL,
            })],
        }),
        multiview_mask: None,
        cache: None,
    })
}
