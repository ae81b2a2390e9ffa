//! How each pipeline is created: skinned sprites of both kinds in every blend class, clip masks, and plain
//! triangles.

use super::pipelines::{DepthTest, Kind, TargetUse};
use super::shared::{ShaderFile, Shared};
use crate::draw::BlendClass;
use crate::gpu::shaders::crowd_data::DRAWN;
use crate::gpu::shaders::gpu_data::{INSTANCE, OVERLAY_VERTEX, SKIN_N_VERTEX, SKIN4_VERTEX, SPRITE_INDEX};

/// The bit of the stencil that is 1 inside the clip mask.
const STENCIL_BIT: u32 = 1;

/// What a pipeline writes.
#[derive(Clone, Copy)]
enum Output {
    /// The colour, if the stencil test passes.
    Color(wgpu::BlendState),
    /// The bit of the stencil, inverted everywhere.
    Stencil,
}

/// What differs from pipeline to pipeline.
struct Recipe<'a> {
    label: &'a str,
    groups: &'a [Option<&'a wgpu::BindGroupLayout>],
    vertex: ShaderFile,
    buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    fragment: ShaderFile,
    output: Output,
}

/// Creates a pipeline. Errors go to the error scope of the caller.
pub fn pipeline(device: &wgpu::Device, shared: &Shared, target: TargetUse, kind: Kind) -> wgpu::RenderPipeline {
    // The first groups are the same everywhere, so they stay bound from pipeline to pipeline.
    let layouts = &shared.layouts;
    let (view, page, influences) = (Some(&layouts.view), Some(&layouts.page), Some(&layouts.influences));
    let recipe = match kind {
        Kind::Skin4(class) => Recipe {
            label: "pchr skin4",
            groups: &[view, page],
            vertex: ShaderFile::Skin4,
            buffers: &[Some(SKIN4_VERTEX), Some(INSTANCE), Some(SPRITE_INDEX)],
            fragment: ShaderFile::SpriteFs,
            output: Output::Color(blend_state(class)),
        },
        Kind::SkinN(class) => Recipe {
            label: "pchr skin_n",
            groups: &[view, page, influences],
            vertex: ShaderFile::SkinN,
            buffers: &[Some(SKIN_N_VERTEX), Some(INSTANCE), Some(SPRITE_INDEX)],
            fragment: ShaderFile::SpriteFs,
            output: Output::Color(blend_state(class)),
        },
        Kind::Mask => Recipe {
            label: "pchr clip mask",
            groups: &[view, None, influences],
            vertex: ShaderFile::SkinN,
            buffers: &[Some(SKIN_N_VERTEX), Some(INSTANCE), Some(SPRITE_INDEX)],
            fragment: ShaderFile::ClipMask,
            output: Output::Stencil,
        },
        Kind::Overlay => Recipe {
            label: "pchr overlay",
            groups: &[view],
            vertex: ShaderFile::Overlay,
            buffers: &[Some(OVERLAY_VERTEX), Some(INSTANCE)],
            fragment: ShaderFile::Overlay,
            output: Output::Color(blend_state(BlendClass::Over)),
        },
        Kind::Crowd => {
            let passes = shared.crowd(device);
            let recipe = Recipe {
                label: "pchr crowd",
                groups: &[Some(&passes.draw), Some(&passes.textures)],
                vertex: ShaderFile::CrowdDraw,
                buffers: &[Some(DRAWN)],
                fragment: ShaderFile::CrowdDraw,
                output: Output::Color(blend_state(BlendClass::Over)),
            };
            return create(device, shared, target, &recipe);
        }
    };
    create(device, shared, target, &recipe)
}

fn create(device: &wgpu::Device, shared: &Shared, target: TargetUse, recipe: &Recipe<'_>) -> wgpu::RenderPipeline {
    let TargetUse { format: target, depth_test } = target;
    let min_alpha = depth_test.and_then(|test| test.write_from_alpha).unwrap_or(0.0);
    let constants = [
        ("target_encodes_srgb", f64::from(u8::from(target.color.is_srgb()))),
        ("min_alpha", f64::from(min_alpha)),
    ];
    let (blend, write_mask) = match recipe.output {
        Output::Color(blend) => (Some(blend), wgpu::ColorWrites::ALL),
        Output::Stencil => (None, wgpu::ColorWrites::empty()),
    };
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(recipe.label),
        bind_group_layouts: recipe.groups,
        immediate_size: 0,
    });
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(recipe.label),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: shared.module(device, recipe.vertex),
            entry_point: Some("vs_main"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: recipe.buffers,
        },
        // Nothing is culled: a mirrored bone or view reverses the winding of its triangles.
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: target.depth_stencil.map(|format| depth_stencil(format, recipe.output, depth_test)),
        multisample: wgpu::MultisampleState { count: target.samples, ..wgpu::MultisampleState::default() },
        fragment: Some(wgpu::FragmentState {
            module: shared.module(device, recipe.fragment),
            entry_point: Some("fs_main"),
            compilation_options: wgpu::PipelineCompilationOptions {
                constants: &constants,
                ..wgpu::PipelineCompilationOptions::default()
            },
            targets: &[Some(wgpu::ColorTargetState { format: target.color, blend, write_mask })],
        }),
        multiview_mask: None,
        cache: None,
    })
}

/// How a premultiplied colour is blended with the target. Alpha is blended in the same way in every class.
fn blend_state(class: BlendClass) -> wgpu::BlendState {
    use wgpu::{BlendComponent, BlendFactor as Factor, BlendOperation};
    let color = |src_factor, dst_factor| wgpu::BlendState {
        color: BlendComponent { src_factor, dst_factor, operation: BlendOperation::Add },
        alpha: BlendComponent::OVER,
    };
    match class {
        BlendClass::Over => color(Factor::One, Factor::OneMinusSrcAlpha),
        BlendClass::Multiply => color(Factor::Dst, Factor::OneMinusSrcAlpha),
        BlendClass::Screen => color(Factor::One, Factor::OneMinusSrc),
    }
}

fn depth_stencil(format: wgpu::TextureFormat, output: Output, test: Option<DepthTest>) -> wgpu::DepthStencilState {
    let face = match output {
        Output::Color(_) => {
            wgpu::StencilFaceState { compare: wgpu::CompareFunction::LessEqual, ..wgpu::StencilFaceState::IGNORE }
        }
        Output::Stencil => {
            wgpu::StencilFaceState { pass_op: wgpu::StencilOperation::Invert, ..wgpu::StencilFaceState::IGNORE }
        }
    };
    let stencil = wgpu::StencilState { front: face, back: face, read_mask: STENCIL_BIT, write_mask: STENCIL_BIT };
    let has_depth = format.has_depth_aspect();
    // A clip mask only writes its bit, whatever is in front of it.
    let test = test.filter(|_| matches!(output, Output::Color(_)));
    let writes = test.is_some_and(|test| test.write_from_alpha.is_some());
    let compare = test.map_or(wgpu::CompareFunction::Always, |test| test.compare);
    wgpu::DepthStencilState {
        format,
        depth_write_enabled: has_depth.then_some(writes),
        depth_compare: has_depth.then_some(compare),
        stencil: if format.has_stencil_aspect() { stencil } else { wgpu::StencilState::default() },
        bias: wgpu::DepthBiasState::default(),
    }
}
