//! Bind group layouts and the pipelines: two for skinned sprites, one for plain triangles.

use super::gpu_data::{Bone, Globals, INSTANCE, Influence, OVERLAY_VERTEX, SKIN_N_VERTEX, SKIN4_VERTEX};
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
    /// Group 2 of vertices with a list of influences, once a buffer of them.
    pub influences: wgpu::BindGroupLayout,
    skin4: wgpu::PipelineLayout,
    skin_n: wgpu::PipelineLayout,
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
        let influences = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("pchr influences"),
            entries: &[buffer(0, wgpu::BufferBindingType::Storage { read_only: true }, size_of::<Influence>())],
        });
        let pipeline_layout = |label, groups: &[Option<&wgpu::BindGroupLayout>]| {
            device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(label),
                bind_group_layouts: groups,
                immediate_size: 0,
            })
        };
        let skin4 = pipeline_layout("pchr skin4", &[Some(&frame), Some(&page)]);
        // The first two groups are the same ones, so they stay bound from pipeline to pipeline.
        let skin_n = pipeline_layout("pchr skin_n", &[Some(&frame), Some(&page), Some(&influences)]);
        let overlay = pipeline_layout("pchr overlay", &[Some(&frame)]);
        Self { frame, page, influences, skin4, skin_n, overlay }
    }
}

/// The pipelines for one kind of target.
#[derive(Debug)]
pub struct Pipelines {
    /// What they draw into.
    pub target: TargetFormat,
    /// Vertices with four influences, a page of the atlas.
    pub skin4: wgpu::RenderPipeline,
    /// Vertices with a list of influences, a page of the atlas. `None` for a model that has none of them.
    pub skin_n: Option<wgpu::RenderPipeline>,
    /// Plain triangles.
    pub overlay: wgpu::RenderPipeline,
}

impl Pipelines {
    pub fn new(device: &wgpu::Device, layouts: &Layouts, target: TargetFormat, has_lists: bool) -> Self {
        let module = |name: &str, source: &'static str| {
            device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some(name),
                source: wgpu::ShaderSource::Wgsl(source.into()),
            })
        };
        let sprite_fs = module("sprite_fs.wgsl", shaders::SPRITE_FS);
        let sprite = |label, layout, vertex: wgpu::ShaderModule, buffer| {
            let buffers = &[Some(buffer), Some(INSTANCE)];
            pipeline(device, target, &Recipe { label, layout, vertex: &vertex, buffers, fragment: &sprite_fs })
        };
        let skin4 = sprite("pchr skin4", &layouts.skin4, module("skin4.wgsl", shaders::SKIN4), SKIN4_VERTEX);
        let skin_n = has_lists.then(|| {
            sprite("pchr skin_n", &layouts.skin_n, module("skin_n.wgsl", shaders::SKIN_N), SKIN_N_VERTEX)
        });
        let overlay = module("overlay.wgsl", shaders::OVERLAY);
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
        Self { target, skin4, skin_n, overlay }
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
