//! A picture that a character is drawn over and then lifted off.

use std::sync::Arc;

use crate::draw::Picture;
use crate::gpu::device::catch;
use crate::gpu::error::GpuError;
use crate::gpu::pipeline::TargetFormat;
use crate::gpu::shaders::wgsl;
use crate::gpu::upload::{create_texture, write_rows};

/// A picture that multiplied and screened slots blend with, although the target stays transparent: filled in before the
/// character is drawn, and lifted off afterwards. Laid over the same picture, the target then shows what was drawn.
///
/// ```no_run
/// # use pchr::gpu::{Backdrop, Renderer};
/// # fn draw(backdrop: &Backdrop, renderer: &Renderer, pass: &mut wgpu::RenderPass<'_>) {
/// backdrop.fill(pass);
/// renderer.draw(pass);
/// backdrop.lift(pass);
/// # }
/// ```
#[derive(Debug)]
pub struct Backdrop {
    picture: Arc<Picture>,
    target: TargetFormat,
    enlargement: u32,
    filling: wgpu::RenderPipeline,
    lifting: wgpu::RenderPipeline,
    texture: wgpu::BindGroup,
}

impl Backdrop {
    /// Uploads `picture`, premultiplied, for targets that are `enlargement` times as large.
    ///
    /// # Errors
    ///
    /// As the device reports them.
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        picture: &Arc<Picture>,
        target: TargetFormat,
        enlargement: u32,
    ) -> Result<Self, GpuError> {
        catch(device, || {
            let layout = layout(device);
            let pipeline = |blend| pipeline(device, &layout, target, enlargement, blend);
            let texture = upload(device, queue, picture, &layout);
            let (filling, lifting) = (pipeline(None), pipeline(Some(LIFTING)));
            Ok(Self { picture: Arc::clone(picture), target, enlargement, filling, lifting, texture })
        })
    }

    /// Returns true if it fills such targets with this picture.
    pub fn is_of(&self, picture: &Arc<Picture>, target: TargetFormat, enlargement: u32) -> bool {
        Arc::ptr_eq(&self.picture, picture) && (self.target, self.enlargement) == (target, enlargement)
    }

    /// Fills the target with the colours of the picture and an alpha of 0, so that drawing leaves its coverage in alpha.
    pub fn fill(&self, pass: &mut wgpu::RenderPass<'_>) {
        self.draw(pass, &self.filling);
    }

    /// Takes the picture away again where it shines through.
    pub fn lift(&self, pass: &mut wgpu::RenderPass<'_>) {
        self.draw(pass, &self.lifting);
    }

    fn draw(&self, pass: &mut wgpu::RenderPass<'_>, pipeline: &wgpu::RenderPipeline) {
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, &self.texture, &[]);
        pass.draw(0..3, 0..1);
    }
}

/// `target - picture · (1 - alpha of the target)`; alpha stays.
const LIFTING: wgpu::BlendState = wgpu::BlendState {
    color: wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::OneMinusDstAlpha,
        dst_factor: wgpu::BlendFactor::One,
        operation: wgpu::BlendOperation::ReverseSubtract,
    },
    alpha: wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::Zero,
        dst_factor: wgpu::BlendFactor::One,
        operation: wgpu::BlendOperation::Add,
    },
};

fn layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let picture = wgpu::BindGroupLayoutEntry {
        binding: 0,
        visibility: wgpu::ShaderStages::FRAGMENT,
        ty: wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Float { filterable: false },
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: false,
        },
        count: None,
    };
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("pchr backdrop"),
        entries: &[picture],
    })
}

fn upload(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    picture: &Picture,
    layout: &wgpu::BindGroupLayout,
) -> wgpu::BindGroup {
    let texture = create_texture(device, "pchr backdrop", picture.width(), picture.height());
    write_rows(queue, &texture, 0, picture.pixels());
    let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("pchr backdrop"),
        layout,
        entries: &[wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(&view) }],
    })
}

fn pipeline(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    target: TargetFormat,
    enlargement: u32,
    blend: Option<wgpu::BlendState>,
) -> wgpu::RenderPipeline {
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some("pchr backdrop"),
        bind_group_layouts: &[Some(layout)],
        immediate_size: 0,
    });
    let module = &device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("pchr backdrop"),
        source: wgpu::ShaderSource::Wgsl(wgsl::BACKDROP.1.into()),
    });
    let constants = [("enlargement", f64::from(enlargement))];
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("pchr backdrop"),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module,
            entry_point: Some("vs_main"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: &[],
        },
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: target.depth_stencil.map(|format| wgpu::DepthStencilState {
            format,
            depth_write_enabled: None,
            depth_compare: None,
            stencil: wgpu::StencilState::default(),
            bias: wgpu::DepthBiasState::default(),
        }),
        multisample: wgpu::MultisampleState { count: target.samples, ..wgpu::MultisampleState::default() },
        fragment: Some(wgpu::FragmentState {
            module,
            entry_point: Some("fs_main"),
            compilation_options: wgpu::PipelineCompilationOptions {
                constants: &constants,
                ..wgpu::PipelineCompilationOptions::default()
            },
            targets: &[Some(wgpu::ColorTargetState {
                format: target.color,
                blend,
                write_mask: wgpu::ColorWrites::ALL,
            })],
        }),
        multiview_mask: None,
        cache: None,
    })
}
