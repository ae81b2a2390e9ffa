//! The pipelines: skinned sprites of both kinds in every way of blending, clip masks, and plain triangles.
//!
//! Clipping needs no pipelines of its own: everything is drawn where the reference value is not above the stencil,
//! so with 0 everywhere, with 1 where the mask is.

use super::gpu_data::{INSTANCE, OVERLAY_VERTEX, SKIN_N_VERTEX, SKIN4_VERTEX, SPRITE_INDEX};
use super::layouts::Layouts;
use super::shaders;
use crate::draw::BlendClass;
use crate::model::{Attachment, Model, Vertices};

/// What is drawn into: one colour attachment, and for characters with clip masks a stencil.
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
    /// The format of the depth-stencil attachment, where the pass has one. Depth is neither tested nor written. Of a
    /// stencil the lowest bit is used, which is 0 before and after.
    pub depth_stencil: Option<wgpu::TextureFormat>,
}

/// The bit of the stencil that is 1 where the clip mask is.
const STENCIL_BIT: u32 = 1;

/// Which pipelines a model needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Needs {
    /// Vertices with four influences.
    pub skin4: bool,
    /// Vertices with a list of influences.
    pub lists: bool,
    /// By number of the class.
    pub blends: [bool; BlendClass::ALL.len()],
    pub masks: bool,
}

impl Needs {
    pub fn of(model: &Model) -> Self {
        let mut needs = Self { skin4: false, lists: false, blends: [false; _], masks: model.has_clip_masks() };
        for attachment in model.attachments() {
            match attachment.mesh().map(|mesh| &mesh.vertices) {
                Some(Vertices::Skin4(_)) => needs.skin4 = true,
                Some(Vertices::SkinN(_)) => needs.lists = true,
                None => needs.lists |= matches!(attachment, Attachment::ClipMask(_)),
            }
        }
        needs.blends[BlendClass::Over as usize] = true;
        for slot in model.slots() {
            needs.blends[BlendClass::from(slot.blend) as usize] = true;
        }
        needs
    }

    /// How many storage buffers a vertex shader reads.
    pub fn storage_buffers(&self) -> u32 {
        if self.lists { Layouts::STORAGE_BUFFERS_OF_LISTS } else { Layouts::STORAGE_BUFFERS }
    }
}

/// The pipelines for one kind of target; `None` is what the model does not need.
#[derive(Debug)]
pub struct Pipelines {
    /// What they draw into.
    pub target: TargetFormat,
    /// Vertices with four influences, a page of the atlas. By class of blending.
    pub skin4: [Option<wgpu::RenderPipeline>; BlendClass::ALL.len()],
    /// Vertices with a list of influences, a page of the atlas. By class of blending.
    pub skin_n: [Option<wgpu::RenderPipeline>; BlendClass::ALL.len()],
    /// Vertices with a list of influences, into the stencil.
    pub mask: Option<wgpu::RenderPipeline>,
    /// Plain triangles.
    pub overlay: wgpu::RenderPipeline,
}

impl Pipelines {
    pub fn new(device: &wgpu::Device, layouts: &Layouts, target: TargetFormat, needs: Needs) -> Self {
        let module = |name: &str, source: &'static str| {
            device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some(name),
                source: wgpu::ShaderSource::Wgsl(source.into()),
            })
        };
        let sprite_fs = module("sprite_fs.wgsl", shaders::SPRITE_FS);
        let skin4_buffers = [Some(SKIN4_VERTEX), Some(INSTANCE), Some(SPRITE_INDEX)];
        let skin_n_buffers = [Some(SKIN_N_VERTEX), Some(INSTANCE), Some(SPRITE_INDEX)];
        let of_class = |class: BlendClass, recipe: &Recipe<'_>| {
            let recipe = Recipe { output: Output::Color(blend_state(class)), ..*recipe };
            needs.blends[class as usize].then(|| pipeline(device, target, &recipe))
        };
        let skin4 = needs.skin4.then(|| {
            let vertex = module("skin4.wgsl", shaders::SKIN4);
            let recipe = Recipe {
                label: "pchr skin4",
                layout: &layouts.skin4,
                vertex: &vertex,
                buffers: &skin4_buffers,
                fragment: &sprite_fs,
                output: Output::Stencil,
            };
            BlendClass::ALL.map(|class| of_class(class, &recipe))
        });
        let skin_n_vertex = needs.lists.then(|| module("skin_n.wgsl", shaders::SKIN_N));
        let skin_n = skin_n_vertex.as_ref().map(|vertex| Recipe {
            label: "pchr skin_n",
            layout: &layouts.skin_n,
            vertex,
            buffers: &skin_n_buffers,
            fragment: &sprite_fs,
            output: Output::Stencil,
        });
        let mask = skin_n.as_ref().filter(|_| needs.masks).map(|recipe| {
            let fragment = module("clip_mask.wgsl", shaders::CLIP_MASK);
            let layout = &layouts.mask;
            pipeline(device, target, &Recipe { label: "pchr clip mask", layout, fragment: &fragment, ..*recipe })
        });
        let skin_n = skin_n.map(|recipe| BlendClass::ALL.map(|class| of_class(class, &recipe)));
        let overlay = module("overlay.wgsl", shaders::OVERLAY);
        let overlay = Recipe {
            label: "pchr overlay",
            layout: &layouts.overlay,
            vertex: &overlay,
            buffers: &[Some(OVERLAY_VERTEX), Some(INSTANCE)],
            fragment: &overlay,
            output: Output::Color(blend_state(BlendClass::Over)),
        };
        let overlay = pipeline(device, target, &overlay);
        let none = || [const { None }; BlendClass::ALL.len()];
        Self { target, skin4: skin4.unwrap_or_else(none), skin_n: skin_n.unwrap_or_else(none), mask, overlay }
    }
}

/// How a premultiplied colour is laid over what is there. Alpha is covered in the same way in every class.
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

/// What a pipeline writes.
#[derive(Clone, Copy)]
enum Output {
    /// The colour, where the stencil lets it.
    Color(wgpu::BlendState),
    /// The bit of the stencil, turned over everywhere.
    Stencil,
}

/// Where one pipeline differs from the others.
#[derive(Clone, Copy)]
struct Recipe<'a> {
    label: &'a str,
    layout: &'a wgpu::PipelineLayout,
    vertex: &'a wgpu::ShaderModule,
    buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    fragment: &'a wgpu::ShaderModule,
    output: Output,
}

fn pipeline(device: &wgpu::Device, target: TargetFormat, recipe: &Recipe<'_>) -> wgpu::RenderPipeline {
    let constants = [("target_encodes_srgb", f64::from(u8::from(target.color.is_srgb())))];
    let (blend, write_mask) = match recipe.output {
        Output::Color(blend) => (Some(blend), wgpu::ColorWrites::ALL),
        Output::Stencil => (None, wgpu::ColorWrites::empty()),
    };
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
        depth_stencil: target.depth_stencil.map(|format| depth_stencil(format, recipe.output)),
        multisample: wgpu::MultisampleState { count: target.samples, ..wgpu::MultisampleState::default() },
        fragment: Some(wgpu::FragmentState {
            module: recipe.fragment,
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

fn depth_stencil(format: wgpu::TextureFormat, output: Output) -> wgpu::DepthStencilState {
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
    wgpu::DepthStencilState {
        format,
        depth_write_enabled: has_depth.then_some(false),
        depth_compare: has_depth.then_some(wgpu::CompareFunction::Always),
        stencil: if format.has_stencil_aspect() { stencil } else { wgpu::StencilState::default() },
        bias: wgpu::DepthBiasState::default(),
    }
}
